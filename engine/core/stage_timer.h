// Adds the seconds of its life to a stage.
#pragma once

#include <chrono>

namespace plica {

class StageTimer {
public:
    explicit StageTimer(double& stage) : stage_(stage), start_(Clock::now()) {}
    ~StageTimer() { stage_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
    StageTimer(const StageTimer&) = delete;
    StageTimer& operator=(const StageTimer&) = delete;

private:
    using Clock = std::chrono::steady_clock;
    double& stage_;
    Clock::time_point start_;
};

}  // namespace plica
