#include "app/sim_thread.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "engine/scene/scene_file.h"

namespace plica {

namespace {

using namespace std::chrono_literals;

// Waits for events until `enough` says so; all of them in order.
template <class F>
std::vector<SimEvent> events_until(SimThread& thread, F&& enough) {
    std::vector<SimEvent> all;
    for (int i = 0; i < 3000 && !enough(all); ++i) {
        for (SimEvent& e : thread.take_events()) all.push_back(std::move(e));
        std::this_thread::sleep_for(5ms);
    }
    return all;
}

template <class T>
int count(const std::vector<SimEvent>& events) {
    int n = 0;
    for (const SimEvent& e : events) n += std::holds_alternative<T>(e);
    return n;
}

Simulation small() { return Simulation(load_scene("ball_drop")); }

}  // namespace

TEST(SimThread, RunsUntilAStepAndTellsEveryFrameInOrder) {
    SimThread thread(small(), {});
    thread.run_until(5);
    const auto events = events_until(thread, [](const auto& e) { return count<EndEvent>(e) > 0; });
    int step = 0;
    for (const SimEvent& e : events)
        if (const auto* f = std::get_if<FrameEvent>(&e)) {
            EXPECT_EQ(f->frame->step, ++step);
        }
    EXPECT_EQ(step, 5);
    EXPECT_EQ(thread.state(), RunState::Paused);
}

TEST(SimThread, CommandsAreAppliedBetweenStepsAndBadOnesAnswered) {
    SimThread thread(small(), {});
    Command good, bad;
    good.kind = bad.kind = Command::Kind::SetSetting;
    good.key = bad.key = "friction_mu";
    good.value = 0.1;
    bad.value = -1;
    thread.post(good);
    thread.post(bad);
    const auto events = events_until(thread, [](const auto& e) { return count<CommandEvent>(e) >= 2; });
    ASSERT_EQ(count<CommandEvent>(events), 2);
    EXPECT_EQ(std::get<CommandEvent>(events[0]).refused, "");
    EXPECT_EQ(std::get<CommandEvent>(events[0]).now.settings.friction_mu, 0.1);
    EXPECT_NE(std::get<CommandEvent>(events[1]).refused, "");
    EXPECT_EQ(std::get<CommandEvent>(events[1]).now.settings.friction_mu, 0.1);
}

TEST(SimThread, GoesBackToAFrameAndGivesTheSameBitsAgain) {
    SimThread thread(small(), {});
    thread.run_until(6);
    auto first = events_until(thread, [](const auto& e) { return count<EndEvent>(e) > 0; });
    std::vector<FramePtr> frames;
    for (const SimEvent& e : first)
        if (const auto* f = std::get_if<FrameEvent>(&e)) frames.push_back(f->frame);
    ASSERT_EQ(frames.size(), 6u);
    std::string controller;
    for (int i = 2; i >= 0 && controller.empty(); --i) controller = frames[std::size_t(i)]->controller;
    if (controller.empty()) controller = small().frame()->controller;
    thread.restore(frames[2], controller, {});
    thread.run_until(6);
    const auto again = events_until(thread, [](const auto& e) { return count<EndEvent>(e) > 0; });
    FramePtr last;
    for (const SimEvent& e : again) {
        if (const auto* r = std::get_if<RestoredEvent>(&e)) {
            EXPECT_EQ(r->refused, "");
        }
        if (const auto* f = std::get_if<FrameEvent>(&e)) last = f->frame;
    }
    ASSERT_TRUE(last);
    EXPECT_EQ(last->step, 6);
    EXPECT_EQ(last->state, frames[5]->state);
}

TEST(SimThread, EndsWithinTheStepUnderWay) {
    auto thread = std::make_unique<SimThread>(Simulation(load_scene("bag")), nullptr);
    thread->run();
    std::this_thread::sleep_for(300ms);
    const auto began = std::chrono::steady_clock::now();
    thread.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - began, 2s);
}

TEST(SimThread, ASinkThatFailsPausesTheRunWithItsReason) {
    class Full : public FrameSink {
        void append(const Frame& frame) override {
            if (frame.step >= 3) throw std::runtime_error("nothing more fits");
        }
        void append_command(int, const Command&) override {}
        void close() override {}
    };
    SimThread thread(small(), {});
    thread.set_sink([](const Simulation&) { return std::make_unique<Full>(); });
    thread.run();
    const auto events = events_until(thread, [](const auto& e) { return count<RecordingErrorEvent>(e) > 0; });
    ASSERT_EQ(count<RecordingErrorEvent>(events), 1);
    for (const SimEvent& e : events)
        if (const auto* r = std::get_if<RecordingErrorEvent>(&e)) {
            EXPECT_EQ(r->message, "nothing more fits");
        }
    for (int i = 0; i < 200 && thread.state() != RunState::Paused; ++i) std::this_thread::sleep_for(5ms);
    EXPECT_EQ(thread.state(), RunState::Paused);
}

}  // namespace plica
