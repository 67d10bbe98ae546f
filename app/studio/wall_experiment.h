// The experiment of the 1-D lab: two balls thrown at the wall with the same values, one held by the penalty, one by the
// barrier, watched one Newton iterate at a time. spec/wall.md
#pragma once

#include "app/lab_values.h"
#include "app/wall_table.h"

namespace plica {

class WallExperiment {
public:
    explicit WallExperiment(const LabValues& values = {}) { start(values); }

    // Takes other values; where one changed on which the throw depends, it begins anew.
    void use(const LabValues& values);
    const LabValues& values() const { return values_; }

    // One Newton iterate of each ball that is still within its time step; both begin a time step together.
    void advance();
    void finish_step();
    // Whole time steps until the next one leads a ball to where the wall acts on it.
    void go_to_impact();
    void back();  // one iterate
    void reset();
    // Shows what is due after `seconds`; pauses at the end. Where nothing acts on either ball whole time steps are shown.
    void play(double seconds);

    bool playing = false;

    const WallThrow& penalty() const { return penalty_; }
    const WallThrow& ipc() const { return ipc_; }
    long advanced() const { return advanced_; }  // iterates shown since the start
    int steps() const;                           // time steps begun
    bool step_done() const { return penalty_.step_done() && ipc_.step_done(); }
    bool done() const { return penalty_.done() && ipc_.done(); }

    // How the whole throw ends, whatever is shown of it.
    const WallLab::Run& penalty_run() const { return penalty_run_; }
    const WallLab::Run& ipc_run() const { return ipc_run_; }
    // The source's speeds with these values.
    const WallTable& table() const { return table_; }

private:
    void start(const LabValues& values);
    bool impact_next() const;

    LabValues values_;
    WallThrow penalty_{WallLab{}, 0}, ipc_{WallLab{}, 0};
    WallLab::Run penalty_run_, ipc_run_;
    WallTable table_;
    long advanced_ = 0;
    double owed_ = 0;  // iterates, of play()
};

}  // namespace plica
