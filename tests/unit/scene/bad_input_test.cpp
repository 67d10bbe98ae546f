// engine/scene/scene_file.h: every bad input is refused with file, line, key, what was found and what is allowed.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/scene/scene_file.h"

namespace plica {
namespace {

// The message of the refusal, or "" if the text is accepted.
std::string refusal(const std::string& text, const std::string& folder = {}) {
    try {
        parse_scene(text, "scene.toml", folder);
    } catch (const InputError& e) {
        return e.what();
    }
    return {};
}

void expect_refusal(const std::string& text, const std::vector<std::string>& parts) {
    const std::string message = refusal(text);
    for (const std::string& part : parts)
        EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is not in: " << message;
}

// Line 1 is "[[film]]", `lines` begin at line 6.
std::string film(const std::string& lines) {
    return "[[film]]\nname = \"sheet\"\ngenerator = \"sheet\"\nnx = 2\nny = 2\n" + lines + "\n";
}

TEST(bad_input, malformed_toml_is_told_by_line) {
    expect_refusal("duration = 1\nname = \"open\nx = 1\n", {"scene.toml:2: ", "not valid TOML"});
    expect_refusal("duration = \n", {"scene.toml:1: ", "not valid TOML"});
    expect_refusal("duration = 1,5\n", {"scene.toml:1: ", "not valid TOML"});
    expect_refusal("duration = 1\nduration = 2\n", {"scene.toml:2: "});
    expect_refusal(std::string("name = \"\xff\xfe\"\n"), {"scene.toml:1: ", "not valid TOML"});
}

TEST(bad_input, unknown_keys_are_told_with_the_nearest) {
    expect_refusal(film("thicknes = 3e-5"), {"scene.toml:6: ", "film.thicknes", "did you mean \"thickness\""});
    expect_refusal("[solver]\nfriction = 0.2\n" + film(""),
                   {"scene.toml:2: ", "solver.friction", "did you mean \"friction_mu\""});
    expect_refusal("durration = 1\n" + film(""), {"scene.toml:1: ", "durration", "did you mean \"duration\""});
    expect_refusal(film("[[spheer]]\nradius = 1"), {"scene.toml:6: ", "spheer", "did you mean \"sphere\""});
    expect_refusal(film("[contact]\nbarier = true"), {"scene.toml:7: ", "did you mean \"barrier\""});
}

TEST(bad_input, wrong_types_are_told) {
    expect_refusal(film("thickness = \"30 um\""), {"scene.toml:6: ", "film.thickness", "the text \"30 um\"", "above 0 m"});
    expect_refusal("solver = 3\n" + film(""), {"scene.toml:1: ", "solver is 3", "[solver]"});
    expect_refusal("film = 3\n", {"scene.toml:1: ", "film is 3", "[[film]]"});
    expect_refusal("[film]\nname = \"x\"\n", {"film is a table", "[[film]]"});
    expect_refusal("film = [1, 2]\n", {"scene.toml:1: ", "[[film]]"});
    expect_refusal(film("position = [0, 1]"), {"scene.toml:6: ", "film.position", "a list of 2", "[x, y, z]"});
    expect_refusal(film("position = [0, 1, true]"), {"scene.toml:6: ", "film.position[2] is true"});
    expect_refusal("[contact]\nfriction = 1\n" + film(""), {"scene.toml:2: ", "contact.friction is 1", "true or false"});
    expect_refusal("[solver]\nmax_iterations = 1.5\n" + film(""), {"scene.toml:2: ", "max_iterations is 1.5", "whole numbers"});
    expect_refusal("name = 1\n" + film(""), {"scene.toml:1: ", "name is 1", "text in quotes"});
    expect_refusal(film("density = 1979-05-27"), {"scene.toml:6: ", "a date or time"});
}

TEST(bad_input, numbers_out_of_range_are_told) {
    expect_refusal(film("thickness = 0"), {"scene.toml:6: ", "film.thickness is 0", "above 0 m", "3e-5 (30 µm)"});
    expect_refusal(film("thickness = -3e-5"), {"scene.toml:6: ", "film.thickness is -3e-05"});
    expect_refusal(film("thickness = nan"), {"scene.toml:6: ", "film.thickness is nan"});
    expect_refusal(film("young = inf"), {"scene.toml:6: ", "film.young is inf"});
    expect_refusal(film("poisson = 0.5"), {"scene.toml:6: ", "film.poisson is 0.5", "below 0.5"});
    expect_refusal(film("poisson = -0.1"), {"scene.toml:6: ", "film.poisson is -0.1", "at least 0"});
    expect_refusal(film("density = 0"), {"scene.toml:6: ", "film.density is 0"});
    expect_refusal("[solver]\ndhat = 0\n" + film(""), {"scene.toml:2: ", "solver.dhat is 0", "above 0 m"});
    expect_refusal("[solver]\ndhat = -1e-3\n" + film(""), {"scene.toml:2: ", "solver.dhat is -0.001"});
    expect_refusal("[solver]\ndt = nan\n" + film(""), {"scene.toml:2: ", "solver.dt is nan"});
    expect_refusal("[solver]\ngravity = [0, 0, nan]\n" + film(""), {"scene.toml:2: ", "solver.gravity[2] is nan"});
    expect_refusal("duration = 0\n" + film(""), {"scene.toml:1: ", "duration is 0"});
    expect_refusal("[[sphere]]\nradius = -1\nposition = [0,0,0]\n", {"scene.toml:2: ", "sphere.radius is -1"});
    expect_refusal("[[film]]\ngenerator = \"sheet\"\nnx = 0\n", {"scene.toml:3: ", "film.nx is 0", "from 1 to"});
    expect_refusal("[[film]]\ngenerator = \"sheet\"\nnx = 1000000000\n", {"scene.toml:3: ", "film.nx is 1000000000"});
    expect_refusal("[[film]]\ngenerator = \"sheet\"\nspacing = 0\n", {"scene.toml:3: ", "film.spacing is 0"});
}

TEST(bad_input, missing_things_are_told) {
    expect_refusal("", {"scene.toml: ", "nothing that moves"});
    expect_refusal("[[sphere]]\nposition = [0,0,0]\n", {"scene.toml:1: ", "sphere.radius is missing"});
    expect_refusal("[[sphere]]\nradius = 0.1\n", {"scene.toml:1: ", "sphere.position is missing"});
    expect_refusal("[[film]]\nname = \"x\"\n", {"scene.toml:1: ", "mesh = ", "generator = "});
    expect_refusal("[[film]]\nmesh = \"a.obj\"\ngenerator = \"bag\"\n", {"scene.toml:1: ", "not both"});
    expect_refusal("[[film]]\nmesh = \"nowhere.obj\"\n", {"scene.toml:2: ", "film.mesh", "nowhere.obj", "no such file"});
    expect_refusal("[[film]]\ngenerator = \"bagg\"\n",
                   {"scene.toml:2: ", "film.generator is \"bagg\"", "did you mean \"bag\""});
    expect_refusal("[[obstacle]]\nname = \"x\"\n" + film(""), {"scene.toml:1: ", "obstacle \"x\" needs"});
    expect_refusal(film("[[gate]]\ncheck = \"columns_up\""), {"scene.toml:6: ", "gate.time is missing"});
    expect_refusal(film("[[tie]]\nlength = 1"), {"scene.toml:6: ", "tie.pairs is missing"});
}

TEST(bad_input, generator_numbers_that_do_not_fit_are_told) {
    const std::string bag = "[[film]]\ngenerator = \"bag\"\n";
    expect_refusal(bag + "profile = [[0, 0]]\n", {"scene.toml:3: ", "film.profile", "two points"});
    expect_refusal(bag + "profile = [[0.1, 0], [0.2, 0]]\n", {"scene.toml:3: ", "profile[0] r is 0.1", "centre"});
    expect_refusal(bag + "profile = [[0, 0],\n [0.1, 0],\n [0.1, 0]]\n", {"scene.toml:5: ", "profile[2]", "same point"});
    expect_refusal(bag + "profile = [[0, 0], [0.1, 0], { r = 0.2, edge = 0.05 }]\n",
                   {"scene.toml:3: ", "profile[2].edge is 0.05", "step in radius"});
    expect_refusal(bag + "profile = [[0, 0], [0.1]]\n", {"scene.toml:3: ", "profile[1] is a list of 1"});
    expect_refusal(bag + "neck_ring = 16\n", {"scene.toml:3: ", "film.neck_ring is 16", "1 to 15"});
    expect_refusal(film("u = [0, 0, 0]"), {"scene.toml:6: ", "film.u", "no direction"});
    expect_refusal(film("v = [1, 0, 0]"), {"scene.toml:6: ", "film.v is parallel to u"});
    expect_refusal(film("size = [1]"), {"scene.toml:6: ", "film.size has 1"});
}

TEST(bad_input, selections_that_do_not_exist_are_told) {
    const std::string support = film("[[support]]");
    expect_refusal(support, {"scene.toml:6: ", "support.vertices is missing"});
    expect_refusal(support + "vertices = 9\n", {"scene.toml:7: ", "vertex 9", "0 to 8"});
    expect_refusal(support + "vertices = -1\n", {"scene.toml:7: ", "vertex -1"});
    expect_refusal(support + "vertices = []\n", {"scene.toml:7: ", "selects no vertex"});
    expect_refusal(support + "vertices = \"lefft\"\n", {"scene.toml:7: ", "lefft", "did you mean \"left\""});
    expect_refusal(support + "vertices = \"3..12\"\n", {"scene.toml:7: ", "vertex 9"});
    expect_refusal(support + "vertices = \"5..3\"\n", {"scene.toml:7: ", "does not rise"});
    expect_refusal(support + "vertices = \"row 1..7\"\n", {"scene.toml:7: ", "row 3"});
    expect_refusal(support + "vertices = [\"left\", 0]\n", {"scene.toml:7: ", "vertex 0 twice"});
    expect_refusal(support + "vertices = \"\"\n", {"scene.toml:7: ", "empty selection"});
    expect_refusal(support + "vertices = 1.5\n", {"scene.toml:7: ", "support.vertices"});
    expect_refusal(support + "film = \"sheat\"\nvertices = 1\n",
                   {"scene.toml:7: ", "support.film is \"sheat\"", "did you mean \"sheet\""});
    expect_refusal(film("[[tie]]\npairs = [[0, 9]]\nlength = 1"), {"scene.toml:7: ", "tie.pairs[0]", "0 to 8"});
    expect_refusal(film("[[tie]]\npairs = [[3, 3]]\nlength = 1"), {"scene.toml:7: ", "two different vertices"});
    expect_refusal(film("[contact]\noff = [\"flor\"]"), {"scene.toml:7: ", "contact.off", "flor"});
}

TEST(bad_input, tracks_without_order_are_told) {
    const std::string support = film("[[support]]\nvertices = 0");
    expect_refusal(support + "stiffness = []\n", {"scene.toml:8: ", "support.stiffness is an empty track"});
    expect_refusal(support + "stiffness = [[0, 1],\n [0, 2]]\n",
                   {"scene.toml:9: ", "support.stiffness[1] has time 0", "order of time"});
    expect_refusal(support + "stiffness = [[1, 1], [0.5, 2]]\n", {"scene.toml:8: ", "time 0.5, not after", "1"});
    expect_refusal(support + "stiffness = [[0, -1]]\n", {"scene.toml:8: ", "stiffness[0] value is -1"});
    expect_refusal(support + "stiffness = [[nan, 1]]\n", {"scene.toml:8: ", "stiffness[0] time is nan"});
    expect_refusal(support + "stiffness = [[0, 1, 2]]\n", {"scene.toml:8: ", "[time, value]"});
    expect_refusal(support + "stiffness = { keys = [[0, 1]], ease = \"smoth\" }\n",
                   {"scene.toml:8: ", "did you mean \"smooth\""});
    expect_refusal(support + "stiffness = { ease = \"linear\" }\n", {"scene.toml:8: ", "keys is missing"});
    expect_refusal(support + "offset = [[0, 0, 0]]\n", {"scene.toml:8: ", "[time, x, y, z]"});
    expect_refusal(support + "from = 1\nuntil = 1\n", {"scene.toml:9: ", "support.until is 1", "after from"});
    expect_refusal(support + "kind = \"cylinder\"\n", {"scene.toml:6: ", "axis"});
    expect_refusal(support + "kind = \"cylinder\"\naxis = [0,0,0]\nradius = 1\n", {"height is missing"});
    expect_refusal(support + "radius = 1\n", {"scene.toml:8: ", "unknown key support.radius"});
    expect_refusal(film("[[change]]\ntime = 0\nkey = \"tolerence\"\nvalue = 1"),
                   {"scene.toml:8: ", "tolerence", "did you mean \"tolerance\""});
    expect_refusal(film("[[change]]\ntime = 0\nkey = \"tolerance\"\nvalue = -1"), {"scene.toml:9: ", "tolerance is -1"});
    expect_refusal(film("[[phase]]\nname = \"x\"\nfrom = 1\nuntil = 0.5"), {"scene.toml:9: ", "phase.until is 0.5"});
    expect_refusal(film("[[gate]]\ntime = 1\ncheck = \"columns_up\""), {"scene.toml:8: ", "\"neck\""});
}

TEST(bad_input, names_are_taken_once) {
    expect_refusal(film("[[sphere]]\nname = \"sheet\"\nradius = 1\nposition = [0,0,0]"),
                   {"scene.toml:7: ", "\"sheet\" is taken"});
    expect_refusal(film("[[group]]\nname = \"left\"\nvertices = 1"), {"scene.toml:7: ", "\"left\" is already a group"});
}

TEST(bad_input, keys_beyond_the_duration_are_allowed) {
    EXPECT_EQ(refusal("duration = 0.1\n" + film("[[support]]\nvertices = 0\nstiffness = [[0, 1], [5, 2]]")), "");
}

TEST(bad_input, unknown_scene_is_told_with_those_that_exist) {
    try {
        load_scene("bga");
        FAIL();
    } catch (const InputError& e) {
        const std::string message = e.what();
        EXPECT_NE(message.find("did you mean \"bag\""), std::string::npos) << message;
        EXPECT_NE(message.find("ball_drop"), std::string::npos) << message;
    }
    EXPECT_THROW(load_scene("no/such/file.toml"), InputError);
    EXPECT_THROW(load_scene("."), InputError);
    EXPECT_THROW(load_scene(""), InputError);
}

// The message of a scene names the mesh, its line and the element.
TEST(bad_input, triangle_without_area_is_told_by_line_of_the_mesh) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "plica ö 袋 scene";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "flat.obj") << "v 0 0 0\nv 0.1 0 0\nv 0.2 0 0\nv 0 0.1 0\nf 1 2 4\nf 1 2 3\n";
    const std::string message = refusal("[[film]]\nmesh = \"flat.obj\"\n", folder.string());
    EXPECT_NE(message.find("flat.obj:6: "), std::string::npos) << message;
    EXPECT_NE(message.find("vertices 1 2 3"), std::string::npos) << message;
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace plica
