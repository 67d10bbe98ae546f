#include "app/commands/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include <sys/ioctl.h>
#include <unistd.h>

#include "engine/core/number_text.h"

namespace plica {
namespace {

constexpr double patience = 10;        // s inside one step before it is talked about
constexpr double plain_interval = 10;  // s between plain lines

int terminal_width() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

// The first `width` characters of UTF-8 text.
std::string cut(const std::string& text, int width) {
    int count = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((text[i] & 0xC0) == 0x80) continue;
        if (count++ == width) return text.substr(0, i);
    }
    return text;
}

}  // namespace

std::string duration_text(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return "?";
    if (seconds < 10) return fixed_text(seconds, 1) + " s";
    const long whole = std::lround(seconds);
    if (whole < 60) return std::to_string(whole) + " s";
    const auto two = [](long n) { return (n < 10 ? "0" : "") + std::to_string(n); };
    if (whole < 3600) return std::to_string(whole / 60) + " min " + two(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + two(whole / 60 % 60) + " min";
}

std::string length_text(double metres) {
    if (!std::isfinite(metres)) return "–";
    const double size = std::abs(metres);
    if (size < 1e-4) return digits_text(metres * 1e6, 3) + " µm";
    if (size < 0.1) return digits_text(metres * 1e3, 3) + " mm";
    return digits_text(metres, 3) + " m";
}

Progress::Progress(double start, double end, int particle_count, bool quiet)
    : start_(start),
      end_(end),
      particle_count_(particle_count),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) == 1),
      began_(Clock::now()),
      time_(start),
      min_gap_(std::numeric_limits<double>::infinity()),
      lowest_gap_(min_gap_),
      step_began_(began_),
      last_line_(began_) {
    if (!quiet_) thread_ = std::jthread([this](const std::stop_token& stop) { loop(stop); });
}

Progress::~Progress() { finish(); }

void Progress::step_begins(int step, double tolerance) {
    const std::scoped_lock lock(mutex_);
    step_ = step;
    tolerance_ = tolerance;
    in_step_ = true;
    inside_ = {};
    step_began_ = Clock::now();
}

void Progress::iteration(const StepProgress& progress) {
    const std::scoped_lock lock(mutex_);
    inside_ = progress;
}

void Progress::step_ends(const Frame& frame) {
    const std::scoped_lock lock(mutex_);
    in_step_ = false;
    time_ = frame.time;
    ++steps_done_;
    iterations_ += frame.report.iterations;
    last_iterations_ = frame.report.iterations;
    min_gap_ = *std::min_element(frame.report.min_gap.begin(), frame.report.min_gap.end());
    lowest_gap_ = std::min(lowest_gap_, min_gap_);
}

void Progress::say(const std::string& text) {
    const std::scoped_lock lock(mutex_);
    if (bar_shown_) std::fputs("\r\033[K", stderr);
    bar_shown_ = false;
    std::fprintf(stderr, "%s\n", text.c_str());
    std::fflush(stderr);
}

void Progress::finish() {
    if (!thread_.joinable()) return;
    thread_.request_stop();
    wake_.notify_all();
    thread_.join();
    draw(true);
}

void Progress::loop(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        wake_.wait_for(lock, stop, std::chrono::milliseconds(100), [] { return false; });
        if (stop.stop_requested()) break;
        lock.unlock();
        draw(false);
        lock.lock();
    }
}

std::string Progress::stalled(Clock::time_point now) const {
    const double waited = std::chrono::duration<double>(now - step_began_).count();
    std::string text = "no progress since " + duration_text(waited) + " in step " + std::to_string(step_) + ", because ";
    if (inside_.iteration == 0)
        return text + "the first Newton iteration is not done yet (" + std::to_string(particle_count_) + " particles)";
    text += inside_.halving > 0 ? "the step did not converge and is retried in smaller ones (halving " +
                                      std::to_string(inside_.halving) + "), now "
                                : "";
    text += "Newton is at iteration " + std::to_string(inside_.iteration) + ", motion " + digits_text(inside_.max_dx, 3) +
            " m (to be below " + digits_text(tolerance_, 3) + " m)";
    if (inside_.alpha < 0.1) text += ", held back by contact to " + digits_text(inside_.alpha, 2) + " of a full step";
    return text;
}

std::string Progress::status(Clock::time_point now) const {
    const double wall = std::chrono::duration<double>(now - began_).count();
    const double share = end_ > start_ ? std::clamp((time_ - start_) / (end_ - start_), 0.0, 1.0) : 1.0;
    std::string text = "t " + fixed_text(time_, 3) + "/" + fixed_text(end_, 3) + " s, step " + std::to_string(step_);
    if (in_step_ && inside_.iteration > 0)
        text += ", it " + std::to_string(inside_.iteration);
    else if (steps_done_ > 0)
        text += ", it " + std::to_string(last_iterations_);
    if (std::isfinite(min_gap_)) text += ", gap " + length_text(min_gap_);
    if (steps_done_ > 0) text += ", " + digits_text(steps_done_ / std::max(wall, 1e-9), 3) + " steps/s";
    if (share > 0 && share < 1) text += ", ETA " + duration_text(wall * (1 - share) / share);
    return text;
}

void Progress::draw(bool last) {
    const std::scoped_lock lock(mutex_);
    const Clock::time_point now = Clock::now();
    const double share = end_ > start_ ? std::clamp((time_ - start_) / (end_ - start_), 0.0, 1.0) : 1.0;
    const int percent = int(std::floor(100 * share + 1e-9));
    const bool stuck = in_step_ && std::chrono::duration<double>(now - step_began_).count() > patience;
    if (terminal_) {
        constexpr int cells = 20;
        const int full = int(std::floor(share * cells + 1e-9));
        std::string line = (percent < 10 ? "  " : percent < 100 ? " " : "") + std::to_string(percent) + "% [";
        for (int i = 0; i < cells; ++i) line += i < full ? '#' : '.';
        line += "] " + (stuck && !last ? stalled(now) : status(now));
        std::fprintf(stderr, "\r\033[K%s%s", cut(line, terminal_width() - 1).c_str(), last ? "\n" : "");
        bar_shown_ = !last;
    } else {
        const double since = std::chrono::duration<double>(now - last_line_).count();
        const bool due = since > plain_interval || (percent / 10 > last_percent_ / 10 && since > 1);
        if (!due && !last) return;
        std::fprintf(stderr, "%3d%%  %s\n", percent, (stuck && !last ? stalled(now) : status(now)).c_str());
        last_line_ = now;
        last_percent_ = percent;
    }
    std::fflush(stderr);
}

}  // namespace plica
