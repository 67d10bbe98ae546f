#include "app/timeline.h"

#include <chrono>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace plica {

namespace {

FramePtr frame(int step, double value) {
    auto f = std::make_shared<Frame>();
    f->step = step;
    f->time = step * 0.01;
    f->gauges = {value};
    return f;
}

Timeline run_of(int count) {
    GaugeSpec spec;
    spec.name = "gap";
    Timeline line(std::vector<GaugeSpec>{spec});
    for (int i = 0; i < count; ++i) line.push(frame(i, i));
    return line;
}

Command note(const std::string& text) {
    Command c;
    c.key = text;
    return c;
}

}  // namespace

TEST(Series, RangesAgreeWithALookAtEachValue) {
    std::mt19937 random(3);
    Series series;
    for (int i = 0; i < 1000; ++i) series.push(random() % 7 == 0 ? std::nan("") : double(random() % 1000));
    series.truncate(777);
    for (int k = 0; k < 2000; ++k) {
        std::size_t a = random() % 777, b = random() % 778;
        if (a > b) std::swap(a, b);
        double low = INFINITY, high = -INFINITY;
        bool undefined = false;
        for (std::size_t i = a; i < b; ++i) {
            if (std::isnan(series[i]))
                undefined = true;
            else
                low = std::min(low, series[i]), high = std::max(high, series[i]);
        }
        const Series::Range r = series.range(a, b);
        EXPECT_EQ(r.has_undefined, undefined);
        if (low > high) {
            EXPECT_TRUE(std::isnan(r.low));
        } else {
            EXPECT_EQ(r.low, low);
            EXPECT_EQ(r.high, high);
        }
    }
}

TEST(Series, AMillionValuesAreReducedInTimeAndKeepTheirPeaks) {
    Series series;
    std::vector<double> times;
    for (int i = 0; i < 1000000; ++i) {
        series.push(i == 654321 ? 5 : i == 123456 ? -3 : 0.5);
        times.push_back(i);
    }
    const auto began = std::chrono::steady_clock::now();
    std::vector<PlotColumn> columns;
    for (int plot = 0; plot < 10; ++plot) columns = reduce(times, series, 0, series.size(), 400);
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
    EXPECT_LE(ms, 16);  // ten plots of a million points within one picture
    double low = INFINITY, high = -INFINITY;
    for (const PlotColumn& c : columns) low = std::min(low, c.low), high = std::max(high, c.high);
    EXPECT_EQ(columns.size(), 400u);
    EXPECT_EQ(low, -3);
    EXPECT_EQ(high, 5);
}

TEST(Timeline, ContinuingKeepsTheOldFutureAndItsEdits) {
    Timeline line = run_of(10);
    line.log(2, note("early"));
    line.log(7, note("late"));
    EXPECT_EQ(line.branch_at(4), 5);
    EXPECT_EQ(line.size(), 5);
    ASSERT_EQ(line.branches().size(), 1u);
    EXPECT_EQ(line.branches()[0].frames.size(), 5u);
    ASSERT_EQ(line.commands().size(), 1u);
    for (int i = 5; i < 8; ++i) line.push(frame(i, -i));
    line.swap_branch(0);
    EXPECT_EQ(line.size(), 10);
    EXPECT_EQ(line.series(0)[9], 9);
    EXPECT_EQ(line.commands().size(), 2u);
    ASSERT_EQ(line.branches().size(), 1u);
    EXPECT_EQ(line.branches()[0].frames.size(), 3u);
    EXPECT_EQ(line.frame(9)->step, 9);
    line.discard_branch(0);
    EXPECT_TRUE(line.branches().empty());
}

TEST(Timeline, StoredFramesAreReadWhenAskedFor) {
    GaugeSpec spec;
    spec.name = "gap";
    Timeline line(std::vector<GaugeSpec>{spec});
    int loads = 0;
    line.set_stored({0, 0.01, 0.02}, {{0, 1, 2}}, [&](int i) {
        ++loads;
        return frame(i, i);
    });
    EXPECT_EQ(loads, 0);
    EXPECT_EQ(line.frame(1)->step, 1);
    EXPECT_EQ(line.frame(1)->step, 1);
    EXPECT_EQ(loads, 1);
    line.push(frame(3, 3));
    EXPECT_EQ(line.frame(3)->step, 3);
    EXPECT_EQ(line.index_at_time(0.025), 2);
    EXPECT_EQ(line.branch_at(1), 2);
    EXPECT_EQ(line.size(), 2);
    line.push(frame(2, -2));
    EXPECT_EQ(line.series(0)[2], -2);
    EXPECT_EQ(line.frame(2)->gauges[0], -2);
}

}  // namespace plica
