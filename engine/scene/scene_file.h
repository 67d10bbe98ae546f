// Scenes as TOML files (assets/scenes/bag.plica.toml shows every table). SI units, numbers independent of the locale.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/scene.h"

namespace plica {

// Reads a scene. `name` is a path, or the bare name of a shipped scene ("bag"). Throws InputError: file, line, key, what was
// found, what is allowed.
Scene load_scene(const std::string& name);

// The same for text; meshes are looked for beside `base_folder`.
Scene parse_scene(const std::string& text, const std::string& name_for_messages, const std::string& base_folder = {});

// Changes a value as "--set solver.friction_mu=0.2" does: `key` is "duration", "solver.dt", "contact.friction",
// "film.<name or number>.thickness", "sphere.<name or number>.radius", ... `value` is TOML; bare words are taken as text. The
// scene's text is changed at that place and read again, so that the text alone gives the same scene. Throws InputError; the
// scene is unchanged then.
void set_value(Scene& scene, const std::string& key, const std::string& value);

// Folders where shipped scenes are looked for, and the names found there.
std::vector<std::string> scene_folders();
std::vector<std::string> shipped_scenes();

}  // namespace plica
