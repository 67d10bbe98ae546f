#include "app/playback.h"

#include <memory>

#include <gtest/gtest.h>

#include "app/timeline.h"

namespace plica {

namespace {

Timeline run_of(int frames, double dt) {
    Timeline line{std::vector<GaugeSpec>{}};
    for (int i = 0; i < frames; ++i) {
        auto f = std::make_shared<Frame>();
        f->step = i;
        f->time = i * dt;
        line.push(std::move(f));
    }
    return line;
}

}  // namespace

TEST(Playback, LiveFollowsAndTheHandStopsIt) {
    Timeline line = run_of(10, 0.1);
    Playback p;
    p.advance(0, line);
    EXPECT_EQ(p.shown, 9);
    p.show(4, line);
    EXPECT_FALSE(p.live);
    p.advance(1, line);
    EXPECT_EQ(p.shown, 4);
    p.go_live(line);
    EXPECT_EQ(p.shown, 9);
}

TEST(Playback, SimulatedTimePassesAtTheChosenSpeed) {
    Timeline line = run_of(101, 0.01);
    Playback p;
    p.show(0, line);
    p.speed = 0.5;
    p.toggle_play(line);
    for (int i = 0; i < 10; ++i) p.advance(0.05, line);  // 0.5 s of the clock: 0.25 s of the run
    EXPECT_EQ(p.shown, 25);
    p.speed = 8;
    for (int i = 0; i < 10; ++i) p.advance(0.05, line);
    EXPECT_EQ(p.shown, 100);
    EXPECT_FALSE(p.playing);
}

TEST(Playback, AFrozenViewStaysWhileTheRunGoesOn) {
    Timeline line = run_of(3, 0.1);
    Playback p;
    p.advance(0, line);
    p.frozen = true;
    line = run_of(8, 0.1);
    p.advance(0.1, line);
    EXPECT_EQ(p.shown, 2);
}

}  // namespace plica
