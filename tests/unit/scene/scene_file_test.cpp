// engine/scene/scene_file.h: what a good file says arrives in the scene; --set changes it and its text.
#include "engine/scene/scene_file.h"

#include <gtest/gtest.h>

#include <chrono>
#include <clocale>
#include <cstdint>

#include "engine/core/error.h"
#include "engine/scene/build_model.h"

namespace plica {
namespace {

TEST(scene_file, bag_is_the_documents) {
    const Scene scene = load_scene("bag");
    EXPECT_EQ(scene.name, "bag");
    EXPECT_EQ(scene.duration, 10.5);
    EXPECT_EQ(scene.solver.dt, 1.0 / 240);
    EXPECT_EQ(scene.solver.dhat, 1e-3);
    EXPECT_EQ(scene.solver.min_gap, 30e-6);
    EXPECT_EQ(scene.solver.kappa, 1000);
    EXPECT_EQ(scene.solver.friction_mu, 0.35);
    EXPECT_EQ(scene.solver.tolerance, 12e-6);
    EXPECT_EQ(scene.solver.film_damping, 12);
    EXPECT_EQ(scene.solver.max_iterations, 150);
    ASSERT_EQ(scene.films.size(), 1u);
    EXPECT_EQ(scene.films[0].material.young, 315e6);
    ASSERT_EQ(scene.spheres.size(), 7u);
    for (int i = 0; i < 7; ++i) EXPECT_NEAR(scene.spheres[std::size_t(i)].drop_time, 0.89 + 0.71 * i / 6, 1e-12);
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(std::hypot(scene.spheres[std::size_t(i)].position.x, scene.spheres[std::size_t(i)].position.y), 0.034,
                    1e-12);
        EXPECT_NEAR(std::hypot(scene.spheres[std::size_t(i + 3)].position.x, scene.spheres[std::size_t(i + 3)].position.y),
                    0.048, 1e-12);
    }
    ASSERT_GE(scene.supports.size(), 2u);
    EXPECT_EQ(scene.supports[0].vertices.front(), 321);
    EXPECT_EQ(scene.supports[0].stiffness.at(0.5), 50);
    EXPECT_EQ(scene.supports[0].offset.at(1.0), (Vec3{0, 0, -0.118}));
    EXPECT_EQ(scene.obstacles.size(), 2u);
    // From 9.40 s on nothing from outside holds the bag.
    for (const SupportTrack& support : scene.supports)
        EXPECT_TRUE(support.until <= 9.4 && support.stiffness.at(9.4) == 0) << support.name;
    ASSERT_EQ(scene.changes.size(), 1u);
    EXPECT_EQ(scene.changes[0].time, 9.4);
    EXPECT_EQ(scene.changes[0].value, 5e-7);
    ASSERT_EQ(scene.gates.size(), 1u);
    EXPECT_EQ(scene.gates[0].time, 6.05);
    EXPECT_GE(scene.checks.size(), 8u);
    ASSERT_GE(scene.ties.size(), 1u);
    EXPECT_EQ(scene.ties[0].from, 8.4);
}

TEST(scene_file, every_shipped_scene_loads_and_builds) {
    const std::vector<std::string> names = shipped_scenes();
    EXPECT_GE(names.size(), 4u);
    for (const std::string& name : names) EXPECT_GT(build_model(load_scene(name)).particle_count(), 0) << name;
}

TEST(scene_file, loads_within_20_ms) {
    load_scene("bag");
    const auto begin = std::chrono::steady_clock::now();
    load_scene("bag");
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 0.02);
}

TEST(scene_file, selections_follow_their_order) {
    const Scene scene = parse_scene(R"(
[[film]]
generator = "sheet"
nx = 2
ny = 2
[[group]]
name = "mine"
vertices = ["7..8", 0]
[[support]]
vertices = "mine, row 1..1"
)",
                                    "x");
    EXPECT_EQ(scene.supports[0].vertices, (std::vector<int>{7, 8, 0, 3, 4, 5}));
    EXPECT_EQ(scene.supports[0].selection, "mine, row 1..1");
}

TEST(scene_file, contact_can_be_switched_off_by_body) {
    const Scene scene = parse_scene(
        "[contact]\nself_contact = false\noff = [\"table\"]\n[[film]]\ngenerator = \"sheet\"\n"
        "[[obstacle]]\nname = \"table\"\ngenerator = \"floor\"\n",
        "x");
    EXPECT_FALSE(scene.switches.self_contact);
    EXPECT_TRUE(scene.switches.barrier);
    EXPECT_EQ(scene.switches.body_off, (std::vector<bool>{false, true}));
}

TEST(scene_file, numbers_do_not_depend_on_the_locale) {
    const char* found = nullptr;
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8"})
        if (!found) found = std::setlocale(LC_ALL, name);
    const Scene scene = parse_scene("[[sphere]]\nradius = 0.125\nposition = [1.5, 0, 0]\n", "x");
    EXPECT_EQ(scene.spheres[0].radius, 0.125);
    EXPECT_EQ(scene.spheres[0].position.x, 1.5);
    std::setlocale(LC_ALL, "C");
}

TEST(set_value, changes_the_scene_and_its_text) {
    Scene scene = load_scene("bag");
    set_value(scene, "solver.friction_mu", "0.2");
    set_value(scene, "film.bag.thickness", "50e-6");
    set_value(scene, "sphere.small 2.radius", "0.011");
    set_value(scene, "duration", "0.5");
    set_value(scene, "contact.friction", "false");
    set_value(scene, "sphere.1.velocity", "[0, 0, -1]");
    set_value(scene, "support.neck, over the bin.until", "0.8");
    set_value(scene, "name", "thicker");
    EXPECT_EQ(scene.solver.friction_mu, 0.2);
    EXPECT_EQ(scene.films[0].material.thickness, 50e-6);
    EXPECT_EQ(scene.spheres[4].radius, 0.011);
    EXPECT_EQ(scene.spheres[3].radius, 0.012);
    EXPECT_EQ(scene.spheres[0].velocity.z, -1);
    EXPECT_EQ(scene.duration, 0.5);
    EXPECT_FALSE(scene.switches.friction);
    EXPECT_EQ(scene.name, "thicker");
    EXPECT_EQ(scene.supports[0].until, 0.8);
    // The text alone gives the same scene, and what was not touched stays.
    const Scene again = parse_scene(scene.text, "x");
    EXPECT_EQ(again.solver.friction_mu, 0.2);
    EXPECT_EQ(again.films[0].material.thickness, 50e-6);
    EXPECT_EQ(again.spheres[4].radius, 0.011);
    EXPECT_EQ(again.solver.kappa, 1000);
    EXPECT_NE(scene.text.find("# N/m, barrier stiffness"), std::string::npos);
}

TEST(set_value, adds_keys_and_tables_that_the_text_has_not) {
    Scene scene = parse_scene(
        "[[film]]\ngenerator = \"sheet\"\nname = \"größe µ\" # ü\n[[film]]\ngenerator = \"sheet\"\norigin = [0, 0, 1]", "x");
    set_value(scene, "friction_mu", "0.1");
    set_value(scene, "film.größe µ.density", "500");
    set_value(scene, "film.2.density", "600");
    set_value(scene, "duration", "3");
    set_value(scene, "solver.kappa", "10");
    set_value(scene, "film.größe µ.density", "550");
    EXPECT_EQ(scene.solver.friction_mu, 0.1);
    EXPECT_EQ(scene.solver.kappa, 10);
    EXPECT_EQ(scene.films[0].material.density, 550);
    EXPECT_EQ(scene.films[1].material.density, 600);
    EXPECT_EQ(scene.duration, 3);
}

TEST(set_value, works_on_inline_tables_arrays_and_windows_line_ends) {
    Scene scene =
        parse_scene("solver = { dt = 0.001 }\r\n[[film]]\r\ngenerator = \"sheet\"\r\norigin = [\r\n 0, # x\r\n 0, 1]\r\n", "x");
    set_value(scene, "solver.kappa", "20");
    set_value(scene, "solver.dt", "0.002");
    set_value(scene, "film.origin", "[1, 2, 3]");
    set_value(scene, "film.nx", "4");
    EXPECT_EQ(scene.solver.kappa, 20);
    EXPECT_EQ(scene.solver.dt, 0.002);
    EXPECT_EQ(scene.films[0].start[0], (Vec3{1, 2, 3}));
    EXPECT_EQ(scene.films[0].start.size(), 5u * 11u);
}

TEST(set_value, refuses_with_key_and_leaves_the_scene) {
    Scene scene = load_scene("bag");
    const std::string text = scene.text;
    const auto expect_refusal = [&](const std::string& key, const std::string& value, const std::string& part) {
        try {
            set_value(scene, key, value);
            ADD_FAILURE() << key << " = " << value << " was accepted";
        } catch (const InputError& e) {
            EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
        }
        EXPECT_EQ(scene.text, text);
    };
    expect_refusal("solver.friction_mu", "-1", "solver.friction_mu is -1");
    expect_refusal("solver.friction_mu", "abc", "the text \"abc\"");
    expect_refusal("solver.friction_mu", "1,5", "the text \"1,5\"");
    expect_refusal("solver.friction_mu", "", "the text \"\"");
    expect_refusal("solver.friction", "1", "did you mean \"friction_mu\"");
    expect_refusal("film.sack.thickness", "1e-5", "there is no film \"sack\"");
    expect_refusal("sphere.radius", "0.01", "sphere.NAME.radius");
    expect_refusal("paper.x", "1", "no [[paper]]");
    expect_refusal("solver", "1", "solver is a table");
    expect_refusal("", "1", "a key is made of words");
    expect_refusal("solver.", "1", "a key is made of words");
    expect_refusal("a\nb", "1", "a key is made of words");
    expect_refusal("duration", "1\nname = 2", "on one line");
    expect_refusal("duration", "1 # \n", "on one line");
}

// One mutation after the other from a fixed seed: characters replaced, lines dropped, doubled or swapped, numbers exchanged.
// Whatever comes, the text is accepted or refused with a message; nothing else is thrown and nothing hangs.
TEST(scene_file, mutated_bag_is_accepted_or_refused) {
    const std::string bag = load_scene("bag").text;
    std::uint64_t seed = 20240607;
    const auto random = [&](std::size_t below) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        return std::size_t(seed >> 33) % below;
    };
    const std::string signs = "[]{}=\"'.,#-+0123456789eEnaif \n\t_xz\xc3\xff\\";
    const std::vector<std::string> values{"nan",  "inf", "-1", "0",    "1e400",  "9223372036854775808",
                                          "\"\"", "[]",  "{}", "true", "1e-300", "[[0, 0]]"};
    int accepted = 0, refused = 0;
    for (int round = 0; round < 600; ++round) {
        std::string text = bag;
        for (std::size_t k = 0, count = 1 + random(3); k < count; ++k) {
            const std::size_t at = random(text.size());
            const std::size_t line = text.rfind('\n', at) == std::string::npos ? 0 : text.rfind('\n', at) + 1;
            const std::size_t end = std::min(text.find('\n', at), text.size());
            switch (random(6)) {
                case 0: text[at] = signs[random(signs.size())]; break;
                case 1: text.erase(at, 1 + random(4)); break;
                case 2: text.insert(at, 1, signs[random(signs.size())]); break;
                case 3: text.erase(line, end - line); break;
                case 4: text.insert(line, text.substr(line, end - line) + "\n"); break;
                case 5:
                    if (const std::size_t equals = text.find('=', line); equals < end)
                        text.replace(equals + 1, end - equals - 1, " " + values[random(values.size())]);
                    break;
            }
        }
        try {
            const Scene scene = parse_scene(text, "mutated.toml");
            build_model(scene);
            ++accepted;
        } catch (const InputError& e) {
            EXPECT_NE(std::string(e.what()).find("mutated.toml"), std::string::npos) << e.what();
            ++refused;
        }
    }
    EXPECT_GT(accepted, 50);
    EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace plica
