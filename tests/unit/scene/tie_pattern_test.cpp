// engine/scene/tie_pattern.h and the keys of a scene file that use it; pleats of supports; [[check]].
#include "engine/scene/tie_pattern.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/core/error.h"
#include "engine/recording/scene_checks.h"
#include "engine/scene/scene_file.h"

namespace plica {
namespace {

const std::string bag = "duration = 1\n[[film]]\ngenerator = \"bag\"\n";

std::string refusal(const std::string& text) {
    try {
        const Scene scene = parse_scene(bag + text, "t.toml");
        validate_checks(scene);
    } catch (const InputError& e) {
        return e.what();
    }
    return "accepted";
}

void expect_refusal(const std::string& text, const std::vector<std::string>& parts) {
    const std::string said = refusal(text);
    for (const std::string& part : parts)
        EXPECT_NE(said.find(part), std::string::npos) << "\"" << part << "\" is not in: " << said;
}

TEST(tie_pattern, ring_ties_each_pair_once_with_the_chords_of_a_circle) {
    const Scene scene =
        parse_scene(bag + "[[tie]]\npattern = \"ring\"\ngroups = [\"neck\"]\nsteps = [1, 2, 16]\nradius = 0.01\n", "t.toml");
    const TieSet& tie = scene.ties.at(0);
    ASSERT_EQ(tie.pairs.size(), 32u + 32u + 16u);
    ASSERT_EQ(tie.length.size(), tie.pairs.size());
    std::set<std::pair<int, int>> seen;
    for (const Int2& pair : tie.pairs) EXPECT_TRUE(seen.insert(std::minmax(pair.a, pair.b)).second) << pair.a << " " << pair.b;
    EXPECT_EQ(tie.pairs[0].a, 321);
    EXPECT_EQ(tie.pairs[0].b, 322);
    EXPECT_EQ(tie.pairs[31].b, 321);  // closed
    EXPECT_NEAR(tie.length[0], 0.02 * std::sin(3.14159265358979 / 32), 1e-12);
    EXPECT_NEAR(tie.length.back(), 0.02, 1e-12);
}

TEST(tie_pattern, pleat_puts_every_second_vertex_on_another_radius) {
    const Scene scene = parse_scene(
        bag + "[[tie]]\npattern = \"ring\"\ngroups = [\"ring 11\", \"ring 12\"]\nsteps = [16]\nradius = 0.01\npleat = 0.004\n",
        "t.toml");
    const TieSet& tie = scene.ties.at(0);
    ASSERT_EQ(tie.pairs.size(), 32u);
    for (std::size_t k = 0; k < 32; ++k) EXPECT_NEAR(tie.length[k], k % 2 == 0 ? 0.028 : 0.012, 1e-12);
    EXPECT_EQ(tie.pairs[16].a, 353);
}

TEST(tie_pattern, columns_tie_ring_to_ring) {
    const Scene scene = parse_scene(
        bag + "[[tie]]\npattern = \"columns\"\ngroups = [\"ring 11\", \"ring 12\", \"ring 13\"]\nlength = 0.007\n", "t.toml");
    const TieSet& tie = scene.ties.at(0);
    ASSERT_EQ(tie.pairs.size(), 64u);
    for (const Int2& pair : tie.pairs) EXPECT_EQ(pair.b - pair.a, 32);
    for (const double length : tie.length) EXPECT_EQ(length, 0.007);
}

TEST(tie_pattern, bad_patterns_are_refused_with_line_and_remedy) {
    const std::string ring = "[[tie]]\npattern = \"ring\"\n";
    expect_refusal("[[tie]]\npattern = \"rings\"\n", {"t.toml:5: ", "tie.pattern is \"rings\"", "ring"});
    expect_refusal("[[tie]]\nlength = 1\n", {"tie.pairs is missing", "pattern"});
    expect_refusal(ring + "steps = [1]\nradius = 0.01\n", {"tie.groups is missing"});
    expect_refusal(ring + "groups = []\n", {"t.toml:6: ", "tie.groups is empty"});
    expect_refusal(ring + "groups = [\"ring 99\"]\n", {"t.toml:6: ", "ring 99", "no such group"});
    expect_refusal(ring + "groups = [\"neck\"]\nradius = 0.01\n", {"tie.steps is missing"});
    expect_refusal(ring + "groups = [\"neck\"]\nradius = 0.01\nsteps = [17]\n",
                   {"t.toml:8: ", "holds 17", "half of a ring of 32"});
    expect_refusal(ring + "groups = [\"neck\"]\nradius = 0.01\nsteps = [2, 2]\n", {"holds 2 twice"});
    expect_refusal(ring + "groups = [\"neck\"]\nradius = 0.01\nsteps = [1.5]\n", {"holds 1.5", "whole numbers"});
    expect_refusal(ring + "groups = [\"neck\"]\nradius = 0.01\nsteps = [1]\npleat = 0.02\n",
                   {"t.toml:9: ", "tie.pleat is 0.02"});
    expect_refusal(ring + "groups = [\"321..323\"]\nradius = 0.01\nsteps = [1]\npleat = 0.002\n", {"even number"});
    expect_refusal(ring + "groups = [\"neck\"]\nradius = 0.01\nsteps = [1]\nlength = 0.1\n",
                   {"tie.length", "radius and pleat"});
    expect_refusal(ring + "groups = [\"neck\"]\nsteps = [1]\n", {"tie.radius is missing"});
    expect_refusal(ring + "pairs = [[1, 2]]\n", {"tie.pairs", "follow from groups"});
    const std::string columns = "[[tie]]\npattern = \"columns\"\nlength = 0.01\n";
    expect_refusal(columns + "groups = [\"neck\"]\n", {"one entry"});
    expect_refusal(columns + "groups = [\"neck\", \"column 1\"]\n", {"32 vertices and 15 vertices"});
    expect_refusal(columns + "groups = [\"neck\", \"ring 11\"]\n", {"vertex 321 to itself"});
}

TEST(support, pleat_leads_every_second_vertex_out) {
    const std::string support = "[[support]]\nkind = \"cylinder\"\naxis = [0, 0, 0]\nradius = 0.05\nheight = 0.1\n";
    const Scene scene = parse_scene(bag + support + "vertices = \"end\"\npleat = 0.004\n", "t.toml");
    const std::vector<double>& offsets = scene.supports.at(0).radius_offset;
    ASSERT_EQ(offsets.size(), 32u);
    EXPECT_EQ(offsets[0], 0.004);
    EXPECT_EQ(offsets[31], -0.004);
    expect_refusal(support + "vertices = \"0..2\"\npleat = 0.004\n", {"support.pleat", "even", "3"});
    expect_refusal(support + "vertices = \"0..1\"\npleat = 0.004\nradius_offset = [1, 1]\n", {"support.pleat", "both given"});
}

TEST(check, bad_checks_are_refused) {
    expect_refusal("[[check]]\ngauge = \"neck\"\n", {":5: ", "check.gauge is \"neck\"", "neck_width_x"});
    expect_refusal("[[check]]\nat_most = 1\n", {"t.toml:4: ", "check needs gauge"});
    expect_refusal("[[check]]\ngauge = \"neck_width_x\"\nmeasure = \"momentum\"\n", {"not both"});
    expect_refusal("[[check]]\nmeasure = \"speed\"\n", {"check.measure is \"speed\"", "sphere_speed"});
    expect_refusal("[[check]]\nmeasure = \"sphere_speed\"\n", {"no sphere"});
    expect_refusal("[[check]]\nmeasure = \"momentum\"\nfrom = 0.5\nlast = 0.5\n", {"check.last", "one of them"});
    expect_refusal("[[check]]\ngauge = \"neck_width_x\"\nat_least = 2\nat_most = 1\n", {"check.at_most is 1", "at_least = 2"});
    EXPECT_EQ(refusal("[[check]]\ngauge = \"neck_width_x\"\nat_most = 1\n"), "accepted");
}

}  // namespace
}  // namespace plica
