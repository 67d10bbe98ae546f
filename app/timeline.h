// All frames of a run, in memory or read from a recording when asked for, with their gauges in contiguous arrays for the
// plots, what people did at which step, and the futures that were left behind when a run went on from an earlier frame.
#pragma once

#include <functional>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/gauge/gauge.h"
#include "engine/simulation/frame.h"
#include "engine/simulation/simulation.h"

namespace plica {

// A series that answers "smallest and largest value in a range" in little time, for plots of any length. NaN = undefined.
class Series {
public:
    void push(double value);
    void truncate(std::size_t count);
    std::size_t size() const { return values_.size(); }
    double operator[](std::size_t i) const { return values_[i]; }
    const std::vector<double>& values() const { return values_; }

    struct Range {
        double low, high;  // NaN when all values of the range are undefined
        bool has_undefined = false;
    };
    Range range(std::size_t begin, std::size_t end) const;

private:
    static constexpr std::size_t block_size = 64;
    static void widen(Range& range, double value);
    std::vector<double> values_;
    std::vector<Range> blocks_;  // of each 64 values
};

// One column of a plot, as narrow as a pixel.
struct PlotColumn {
    double time;       // s, of the column's first frame
    double low, high;  // NaN: a gap
};
// Reduces frames [begin, end) to at most `columns` columns that keep every peak.
std::vector<PlotColumn> reduce(const std::vector<double>& times, const Series& series, std::size_t begin, std::size_t end,
                               int columns);

// Marks of a frame that the timeline shows.
struct FrameMark {
    int halvings = 0;
    int iterations = 0;
};

struct Branch {
    std::string name;
    int from_frame = 0;                               // the frame that it left from
    std::vector<FramePtr> frames;                     // those after it
    std::vector<Simulation::LoggedCommand> commands;  // all of that run
};

class Timeline {
public:
    Timeline() = default;
    explicit Timeline(std::vector<GaugeSpec> specs);

    // Frames 0..count-1 stay on disk; `load` gives one of them. Call before any push.
    void set_stored(std::vector<double> times, std::vector<std::vector<double>> gauges, std::function<FramePtr(int)> load);

    void push(FramePtr frame);
    int size() const { return int(times_.size()); }
    int stored_count() const { return stored_; }
    bool empty() const { return times_.empty(); }
    FramePtr frame(int index) const;  // 0 <= index < size()
    int step(int index) const;
    double time(int index) const { return times_[std::size_t(index)]; }
    const std::vector<double>& times() const { return times_; }
    int index_at_time(double time) const;  // the last frame not later than `time`

    const std::vector<GaugeSpec>& specs() const { return specs_; }
    const Series& series(int gauge) const { return series_[std::size_t(gauge)]; }
    int gauge_index(const std::string& name) const;  // -1: none

    const FrameMark& mark(int index) const { return marks_[std::size_t(index)]; }
    // Frames with halvings, for drawing without a look at each frame.
    const std::vector<int>& halved() const { return halved_; }

    void log(int step, Command command);
    const std::vector<Simulation::LoggedCommand>& commands() const { return commands_; }
    std::vector<Simulation::LoggedCommand> commands_before(int step) const;  // those applied at or before `step`
    std::string controller(int index) const;                                 // state of the controllers at that frame

    struct Failure {
        int frame;
        std::string reason;
    };
    void note_failure(int frame, std::string reason) { failures_.push_back({frame, std::move(reason)}); }
    const std::vector<Failure>& failures() const { return failures_; }

    // Drops what follows frame `index` and keeps it as a branch; returns the number of frames that were moved away.
    int branch_at(int index);
    // The branch becomes the line, the present future becomes a branch.
    void swap_branch(std::size_t branch);
    void discard_branch(std::size_t branch);
    const std::vector<Branch>& branches() const { return branches_; }

    std::size_t memory_bytes() const { return bytes_; }

private:
    void append_values(double time, const std::vector<double>& gauges);
    void truncate(int count);

    std::vector<GaugeSpec> specs_;
    std::vector<Series> series_;
    std::vector<double> times_;
    std::vector<FrameMark> marks_;
    std::vector<int> halved_;
    int stored_ = 0;  // frames [0, stored_) are on disk
    std::function<FramePtr(int)> load_;
    std::vector<FramePtr> frames_;                       // frames [stored_, size)
    mutable std::list<std::pair<int, FramePtr>> cache_;  // of those on disk, newest first
    std::vector<Simulation::LoggedCommand> commands_;
    std::vector<Failure> failures_;
    std::vector<Branch> branches_;
    int branch_count_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace plica
