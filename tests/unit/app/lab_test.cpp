// The 1-D lab without its window: values, the two throws in step, tables.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "app/studio/lab_export.h"
#include "app/studio/wall_experiment.h"
#include "engine/core/error.h"

namespace plica {
namespace {

namespace fs = std::filesystem;

TEST(Lab, BothBallsBeginEachTimeStepTogetherAndEndAsTheRunsDo) {
    WallExperiment lab;
    int longest = 0;
    while (!lab.done()) {
        const bool together = lab.step_done();
        lab.advance();
        if (together && !lab.penalty().done()) {
            EXPECT_EQ(lab.penalty().iterates().size(), 1u);
            EXPECT_EQ(lab.ipc().iterates().size(), 1u);
        }
        longest = std::max(longest, int(lab.ipc().iterates().size()));
    }
    EXPECT_EQ(lab.penalty().run().x, lab.penalty_run().x);
    EXPECT_EQ(lab.ipc().run().x, lab.ipc_run().x);
    EXPECT_TRUE(lab.penalty_run().through);  // 5 m/s, 10 ms: spec/wall.md
    EXPECT_EQ(lab.penalty_run().x.size(), 11u);
    EXPECT_NEAR((0.503 - lab.ipc_run().largest_x) * 1e6, 24.0, 0.05);
    EXPECT_EQ(longest, 9);
    const long all = lab.advanced();
    lab.advance();
    EXPECT_EQ(lab.advanced(), all);  // the end is the end
}

TEST(Lab, BackUndoesOneIterateBitForBit) {
    WallExperiment lab;
    lab.go_to_impact();
    EXPECT_EQ(lab.steps(), 10);
    std::vector<double> x;
    for (int i = 0; i < 6; ++i) {
        x.push_back(lab.ipc().x());
        lab.advance();
    }
    for (; !x.empty(); x.pop_back()) {
        lab.back();
        EXPECT_EQ(lab.ipc().x(), x.back());
    }
    lab.reset();
    lab.back();
    EXPECT_EQ(lab.advanced(), 0);
}

TEST(Lab, AThrowBeginsAnewWhenItsValuesChangeAndOnlyThen) {
    WallExperiment lab;
    lab.go_to_impact();
    const long before = lab.advanced();
    LabValues values = lab.values();
    values.x_tilde = 0.51;
    values.follow = true;
    values.rate = 20;
    lab.use(values);
    EXPECT_EQ(lab.advanced(), before);
    values.kappa = 2e4;
    lab.use(values);
    EXPECT_EQ(lab.advanced(), 0);
    EXPECT_EQ(lab.ipc().lab().kappa, 2e4);
}

TEST(Lab, PlayingShowsIteratesAtTheirRateAndStopsAtTheEnd) {
    WallExperiment lab;
    lab.go_to_impact();
    const long before = lab.advanced();
    lab.play(1);
    EXPECT_EQ(lab.advanced(), before);  // paused
    lab.playing = true;
    for (int i = 0; i < 4; ++i) lab.play(0.1);  // 10 iterates a second
    EXPECT_EQ(lab.advanced(), before + 4);
    for (int i = 0; i < 10000 && lab.playing; ++i) lab.play(0.1);
    EXPECT_TRUE(lab.done());
    EXPECT_FALSE(lab.playing);
}

// However many steps the flight has, it is not a matter of minutes.
TEST(Lab, TheFlightIsShownInAFewMoves) {
    LabValues values;
    values.h = 1e-5;
    values.v0 = 0.2;
    WallExperiment lab(values);
    EXPECT_GT(lab.ipc().lab().steps, 250000 / 10);
    lab.playing = true;
    double seconds = 0;
    for (; lab.playing && lab.ipc().x() < 0.5; seconds += 0.1) lab.play(0.1);
    EXPECT_LT(seconds, 10);
}

TEST(Lab, ValuesOutOfRangeAreRefusedWithWhatIsAllowed) {
    const LabValues values;
    for (const LabParameter& p : lab_parameters()) {
        EXPECT_EQ(lab_refusal(values, p, values.*p.member), "") << p.id;
        for (const double bad : {p.low - 1, p.high * 1.01 + 1, double(NAN), double(INFINITY)})
            EXPECT_NE(lab_refusal(values, p, bad).find("allowed is"), std::string::npos) << p.id;
        if (p.slider_high > 0) {
            EXPECT_GE(p.slider_low, p.low);
            EXPECT_LE(p.slider_high, p.high);
        }
    }
    LabValues slow = values;
    slow.h = 1e-5;
    EXPECT_NE(lab_refusal(slow, lab_parameter(&LabValues::v0), 0.01).find("100 000 are allowed"), std::string::npos);
}

// The table of the source, in numbers; CLI and window share it.
TEST(Lab, TheTableIsThatOfTheSource) {
    const WallExperiment lab;
    EXPECT_EQ(table_text(lab.table()),
              "wall at 0.503 m, thickness 20 mm, h = 10 ms\n"
              " v0[m/s] | pen k=1e4     | pen k=1e6     | IPC d^=1mm\n"
              "       1 | stop  5.00 mm | stop  0.07 mm | gap  166.4 um, newton  8\n"
              "       2 | through       | stop  0.17 mm | gap   71.0 um, newton  8\n"
              "       5 | through       | through       | gap   24.0 um, newton  9\n"
              "      10 | through       | through       | gap   11.1 um, newton 10\n"
              "      20 | through       | through       | gap   10.4 um, newton 11\n"
              "      50 | through       | through       | gap    2.1 um, newton 12\n");
}

class LabFiles : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("plica lab ü " + std::to_string(getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    std::vector<std::vector<std::string>> rows(LabExportKind kind) const {
        const std::string path = (folder_ / "table.csv").string();
        write_lab_table(values_, range_, kind, path);
        std::vector<std::vector<std::string>> out;
        std::ifstream in(path);
        for (std::string line; std::getline(in, line);) {
            std::vector<std::string> cells;
            std::istringstream parts(line);
            for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(cell);
            out.push_back(cells);
        }
        return out;
    }
    LabValues values_;
    LandscapeRange range_{0.44, 0.58, 0.55, 0.55};
    fs::path folder_;
};

TEST_F(LabFiles, EveryIterateIsWrittenAsItWasComputed) {
    const auto table = rows(LabExportKind::Throw);
    std::size_t line = 1;
    for (const bool barrier : {false, true}) {
        WallThrow ball(wall_lab(values_, barrier), values_.v0);
        while (!ball.done()) {
            ball.finish_step();
            for (const WallLab::Iterate& n : ball.iterates()) {
                ASSERT_LT(line, table.size());
                EXPECT_EQ(table[line].size(), table[0].size());
                EXPECT_EQ(std::stod(table[line][5]), n.x);
                EXPECT_EQ(std::stod(table[line][8]), n.dx);
                EXPECT_EQ(std::stod(table[line][10]), n.alpha);
                ++line;
            }
        }
    }
    EXPECT_EQ(line, table.size());
}

TEST_F(LabFiles, TheLandscapeIsInfiniteFromTheWallOnForTheBarrierOnly) {
    const auto table = rows(LabExportKind::Landscape);
    ASSERT_EQ(table.size(), 2002u);
    for (std::size_t i = 1; i < table.size(); ++i) {
        const double x = std::stod(table[i][0]);
        EXPECT_EQ(std::stod(table[i][1]), wall_lab(values_, false).energy(x, 0.55));
        EXPECT_EQ(table[i][2] == "inf", x >= 0.503);
    }
    EXPECT_EQ(rows(LabExportKind::Speeds).size(), 1u + 6 * 3);
}

TEST_F(LabFiles, ABadPlaceIsRefusedAndLeavesNothing) {
    const std::string nowhere = (folder_ / "nowhere" / "a.csv").string();
    EXPECT_THROW(write_lab_table(values_, range_, LabExportKind::Throw, nowhere), InputError);
    EXPECT_NE(check_lab_export({true, 1, nowhere}).find("does not exist"), std::string::npos);
    EXPECT_NE(check_lab_export({true, 1, folder_.string()}).find("is a folder"), std::string::npos);
    EXPECT_NE(check_lab_export({true, 0, ""}), "");
    EXPECT_EQ(check_lab_export({true, 0, (folder_ / "a.png").string()}), "");
    EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace plica
