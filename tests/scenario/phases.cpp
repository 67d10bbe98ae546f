#include "phases.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

#include "checkpoint.h"
#include "engine/core/error.h"
#include "engine/recording/recording.h"

namespace plica {
namespace {

constexpr Start bag_starts[] = {{"seat", 0.65},  {"drop", 1.2},   {"lift", 2.3}, {"spread", 5.2}, {"gate", 5.95},
                                {"gather", 6.7}, {"cinch", 7.85}, {"tie", 8.55}, {"lower", 9.2},  {"release", 9.375}};
constexpr Start paper_starts[] = {{"fold", 2.0},  {"contact", 5.4}, {"crease", 6.25},  {"along", 8.6},
                                  {"end", 10.28}, {"lift", 11.0},   {"release", 11.24}};

std::string file_of(const std::string& folder, const std::string& scene, const char* name) {
    return folder + "/" + scene + "_" + name + ".checkpoint";
}

int write_all(const std::string& recording, const std::string& folder) {
    const RecordingReader reader(recording);
    const RecordingInfo& info = reader.info();
    for (const Start& start : starts_of(info.scene_name)) {
        const FramePtr frame = reader.frame(nearest_frame(reader, start.time));
        const std::string file = file_of(folder, info.scene_name, start.name);
        write_checkpoint(file, *frame, info.film_vertex_count + info.sphere_count);
        std::printf("%s: step %d\n", file.c_str(), frame->step);
    }
    return 0;
}

}  // namespace

std::span<const Start> starts_of(const std::string& scene) {
    if (scene == "bag") return bag_starts;
    if (scene == "paper") return paper_starts;
    throw InputError("there are stored frames of bag and paper, none of \"" + scene + "\"");
}

Simulation simulation_at(const char* scene_name, const char* start, Scene scene) {
    return simulation_at(file_of(PLICA_SCENARIO_DIR, scene_name, start), std::move(scene));
}

double gauge(const Simulation& simulation, const std::string& name) {
    for (std::size_t g = 0; g < simulation.gauges().size(); ++g)
        if (simulation.gauges()[g].name == name) return simulation.frame()->gauges.at(g);
    ADD_FAILURE() << "no gauge " << name;
    return 0;
}

void expect_no_contact_lost(const Simulation& simulation) {
    const Frame& frame = *simulation.frame();
    EXPECT_EQ(frame.report.intersecting_pairs, 0) << "t = " << frame.time;
    for (const double gap : frame.report.min_gap) EXPECT_GT(gap, 0) << "t = " << frame.time;
}

void run_to(Simulation& simulation, double time, void (*check)(const Simulation&)) {
    while (simulation.frame()->time < time - 1e-6) {
        const StepOutcome outcome = simulation.step();
        ASSERT_TRUE(outcome.frame) << (outcome.error ? outcome.error->message : "no reason");
        EXPECT_EQ(outcome.gate_failure, "");
        check(simulation);
    }
}

}  // namespace plica

int main(int count, char** words) {
    if (count == 4 && std::strcmp(words[1], "--write") == 0) {
        try {
            return plica::write_all(words[2], words[3]);
        } catch (const std::exception& e) {
            std::fprintf(stderr, "%s\n", e.what());
            return 2;
        }
    }
    testing::InitGoogleTest(&count, words);
    return RUN_ALL_TESTS();
}
