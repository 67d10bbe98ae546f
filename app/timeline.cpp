#include "app/timeline.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace plica {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::size_t frame_bytes(const Frame& frame) {
    return sizeof(Frame) + (frame.state.x.size() + frame.state.v.size()) * sizeof(Vec3f) +
           frame.gauges.size() * sizeof(double) + frame.report.history.size() * sizeof(IterationRecord) +
           frame.controller.size();
}

}  // namespace

void Series::widen(Range& range, double value) {
    if (std::isnan(value)) {
        range.has_undefined = true;
        return;
    }
    if (!(range.low <= value)) range.low = value;
    if (!(range.high >= value)) range.high = value;
}

void Series::push(double value) {
    if (values_.size() % block_size == 0) blocks_.push_back({nan, nan, false});
    values_.push_back(value);
    widen(blocks_.back(), value);
}

void Series::truncate(std::size_t count) {
    if (count >= values_.size()) return;
    values_.resize(count);
    const std::size_t begin = count / block_size * block_size;
    blocks_.resize(count / block_size);
    if (begin == count) return;
    blocks_.push_back({nan, nan, false});
    for (std::size_t i = begin; i < count; ++i) widen(blocks_.back(), values_[i]);
}

Series::Range Series::range(std::size_t begin, std::size_t end) const {
    Range r{nan, nan, false};
    end = std::min(end, values_.size());
    while (begin < end) {
        if (begin % block_size == 0 && begin + block_size <= end) {
            const Range& block = blocks_[begin / block_size];
            if (!std::isnan(block.low)) {
                widen(r, block.low);
                widen(r, block.high);
            }
            r.has_undefined |= block.has_undefined;
            begin += block_size;
        } else {
            widen(r, values_[begin++]);
        }
    }
    return r;
}

std::vector<PlotColumn> reduce(const std::vector<double>& times, const Series& series, std::size_t begin, std::size_t end,
                               int columns) {
    std::vector<PlotColumn> out;
    end = std::min({end, series.size(), times.size()});
    if (begin >= end || columns < 1) return out;
    const std::size_t count = end - begin, n = std::min(count, std::size_t(columns));
    out.reserve(n);
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t from = begin + k * count / n, to = begin + (k + 1) * count / n;
        const Series::Range r = series.range(from, to);
        out.push_back({times[from], r.low, r.high});
    }
    return out;
}

Timeline::Timeline(std::vector<GaugeSpec> specs) : specs_(std::move(specs)), series_(specs_.size()) {}

void Timeline::append_values(double time, const std::vector<double>& gauges) {
    times_.push_back(time);
    for (std::size_t g = 0; g < series_.size(); ++g) series_[g].push(g < gauges.size() ? gauges[g] : nan);
}

void Timeline::set_stored(std::vector<double> times, std::vector<std::vector<double>> gauges,
                          std::function<FramePtr(int)> load) {
    assert(empty());
    stored_ = int(times.size());
    load_ = std::move(load);
    times_ = std::move(times);
    marks_.resize(times_.size());
    const auto column = [&](const char* name) { return gauge_index(name); };
    for (std::size_t g = 0; g < series_.size(); ++g)
        for (std::size_t i = 0; i < times_.size(); ++i)
            series_[g].push(g < gauges.size() && i < gauges[g].size() ? gauges[g][i] : nan);
    const int iterations = column("iterations"), halvings = column("halvings");
    for (std::size_t i = 0; i < times_.size(); ++i) {
        if (iterations >= 0 && !std::isnan(series_[std::size_t(iterations)][i]))
            marks_[i].iterations = int(series_[std::size_t(iterations)][i]);
        if (halvings >= 0 && series_[std::size_t(halvings)][i] > 0) {
            marks_[i].halvings = int(series_[std::size_t(halvings)][i]);
            halved_.push_back(int(i));
        }
    }
}

void Timeline::push(FramePtr frame) {
    append_values(frame->time, frame->gauges);
    marks_.push_back({frame->report.halvings, frame->report.iterations});
    if (frame->report.halvings > 0) halved_.push_back(size() - 1);
    bytes_ += frame_bytes(*frame);
    frames_.push_back(std::move(frame));
}

FramePtr Timeline::frame(int index) const {
    assert(index >= 0 && index < size());
    if (index >= stored_) return frames_[std::size_t(index - stored_)];
    for (auto it = cache_.begin(); it != cache_.end(); ++it)
        if (it->first == index) {
            cache_.splice(cache_.begin(), cache_, it);
            return cache_.front().second;
        }
    cache_.emplace_front(index, load_(index));
    if (cache_.size() > 64) cache_.pop_back();
    return cache_.front().second;
}

int Timeline::step(int index) const {
    // Frames are stored at every step, the first one is step 0.
    return index >= stored_ ? frames_[std::size_t(index - stored_)]->step : index;
}

int Timeline::index_at_time(double time) const {
    if (times_.empty()) return -1;
    const auto it = std::upper_bound(times_.begin(), times_.end(), time + 1e-9);
    return std::max(0, int(it - times_.begin()) - 1);
}

int Timeline::gauge_index(const std::string& name) const {
    for (std::size_t g = 0; g < specs_.size(); ++g)
        if (specs_[g].name == name) return int(g);
    return -1;
}

void Timeline::log(int step, Command command) { commands_.push_back({step, std::move(command)}); }

std::vector<Simulation::LoggedCommand> Timeline::commands_before(int step) const {
    std::vector<Simulation::LoggedCommand> out;
    for (const auto& logged : commands_)
        if (logged.step <= step) out.push_back(logged);
    return out;
}

std::string Timeline::controller(int index) const {
    for (int i = index; i >= 0; --i) {
        const FramePtr f = frame(i);
        if (!f->controller.empty()) return f->controller;
        if (i < stored_) break;  // a stored frame carries its own
    }
    return {};
}

void Timeline::truncate(int count) {
    times_.resize(std::size_t(count));
    marks_.resize(std::size_t(count));
    for (Series& s : series_) s.truncate(std::size_t(count));
    while (!halved_.empty() && halved_.back() >= count) halved_.pop_back();
    if (count < stored_) {
        stored_ = count;
        frames_.clear();
    } else {
        frames_.resize(std::size_t(count - stored_));
    }
    cache_.remove_if([&](const auto& entry) { return entry.first >= count; });
    std::erase_if(failures_, [&](const Failure& f) { return f.frame >= count; });
}

int Timeline::branch_at(int index) {
    const int moved = size() - 1 - index;
    const int last_step = step(index);
    Branch branch;
    branch.from_frame = index;
    branch.commands = commands_;
    for (int i = index + 1; i < size(); ++i) branch.frames.push_back(frame(i));
    if (moved > 0) {
        branch.name = "branch " + std::to_string(++branch_count_);
        branches_.push_back(std::move(branch));
    }
    std::erase_if(commands_, [&](const auto& logged) { return logged.step > last_step; });
    truncate(index + 1);
    return std::max(0, moved);
}

void Timeline::swap_branch(std::size_t index) {
    Branch chosen = std::move(branches_[index]);
    branches_.erase(branches_.begin() + std::ptrdiff_t(index));
    if (chosen.from_frame < size() - 1) branch_at(chosen.from_frame);
    commands_ = std::move(chosen.commands);
    for (FramePtr& f : chosen.frames) push(std::move(f));
}

void Timeline::discard_branch(std::size_t index) {
    for (const FramePtr& f : branches_[index].frames) bytes_ -= std::min(bytes_, frame_bytes(*f));
    branches_.erase(branches_.begin() + std::ptrdiff_t(index));
}

}  // namespace plica
