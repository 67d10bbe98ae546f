#include "app/studio/wall_experiment.h"

#include <algorithm>
#include <array>

namespace plica {

namespace {

// Free flight is shown in about this many moves, however small h is.
constexpr int flight_moves = 40;

}  // namespace

void WallExperiment::use(const LabValues& values) {
    const auto throw_of = [](const LabValues& v) { return std::array{v.v0, v.h, v.k, v.dhat, v.kappa}; };
    if (throw_of(values) == throw_of(values_))
        values_ = values;
    else
        start(values);
}

void WallExperiment::start(const LabValues& values) {
    values_ = values;
    reset();
    penalty_run_ = penalty_.lab().run(values.v0);
    ipc_run_ = ipc_.lab().run(values.v0);
    table_ = WallTable{ipc_.lab(), {std::begin(source_stiffnesses), std::end(source_stiffnesses)}, {}};
    for (const double v : source_speeds) {
        LabValues of_speed = values;
        of_speed.v0 = v;
        table_.rows.push_back(wall_table(wall_lab(of_speed, true), {&v, 1}, source_stiffnesses).rows.front());
    }
}

void WallExperiment::reset() {
    penalty_ = WallThrow(wall_lab(values_, false), values_.v0);
    ipc_ = WallThrow(wall_lab(values_, true), values_.v0);
    advanced_ = 0;
    owed_ = 0;
}

int WallExperiment::steps() const {
    const auto begun = [](const WallThrow& ball) { return int(ball.run().x.size()) + (ball.step_done() ? 0 : 1); };
    return std::max(begun(penalty_), begun(ipc_));
}

void WallExperiment::advance() {
    if (done()) return;
    const bool together = step_done();
    for (WallThrow* ball : {&penalty_, &ipc_})
        if (!ball->done() && (together || !ball->step_done())) ball->advance();
    ++advanced_;
}

void WallExperiment::finish_step() {
    if (done()) return;
    do advance();
    while (!step_done());
}

// The penalty acts where x̃ is inside the wall, but a ball that crosses it in one step meets it too, unseen.
bool WallExperiment::impact_next() const {
    const WallLab& lab = ipc_.lab();
    const double reach = lab.wall - lab.dhat;
    const auto meets = [&](const WallThrow& ball) { return !ball.done() && std::max(ball.x(), ball.next_x_tilde()) > reach; };
    return meets(penalty_) || meets(ipc_);
}

void WallExperiment::go_to_impact() {
    if (!step_done()) finish_step();
    while (!done() && !impact_next()) finish_step();
}

void WallExperiment::back() {
    const long wanted = std::max(0L, advanced_ - 1);
    reset();
    while (advanced_ < wanted) advance();
}

void WallExperiment::play(double seconds) {
    if (!playing) return;
    // Not more than a quarter of a second at once: after a long pause of the window the throw goes on where it was.
    owed_ += std::min(seconds, 0.25) * values_.rate;
    const int flight_steps = std::max(1, int(ipc_.lab().wall / (values_.v0 * values_.h)) / flight_moves);
    for (; owed_ >= 1 && !done(); owed_ -= 1) {
        if (!step_done() || impact_next()) {
            advance();
            continue;
        }
        for (int i = 0; i < flight_steps && !done() && !impact_next(); ++i) finish_step();
    }
    if (done()) playing = false;
}

}  // namespace plica
