// Where scene files are looked for.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "engine/core/error.h"
#include "engine/scene/scene_file.h"
#include "engine/scene/setting_table.h"

#ifndef PLICA_ASSETS_DIR
#define PLICA_ASSETS_DIR ""
#endif

namespace plica {
namespace {

namespace fs = std::filesystem;
constexpr const char* scene_ending = ".plica.toml";

bool ends_with(const std::string& text, const std::string& ending) {
    return text.size() >= ending.size() && text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

// A shipped scene is meant by a bare word: neither folder nor ending.
bool is_bare_name(const std::string& name) { return !name.empty() && name.find_first_of("/.") == std::string::npos; }

std::string find_scene(const std::string& name) {
    std::error_code none;
    if (fs::is_regular_file(name, none)) return name;
    if (fs::is_directory(name, none) && !is_bare_name(name)) throw InputError(name, 0, "is a folder; give a scene file");
    for (const std::string& folder : scene_folders())
        for (const std::string& ending : {std::string(scene_ending), std::string()}) {
            const fs::path candidate = fs::path(folder) / (name + ending);
            if (name.find('/') == std::string::npos && fs::is_regular_file(candidate, none)) return candidate.string();
        }
    const std::vector<std::string> names = shipped_scenes();
    std::string list;
    for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
    if (!is_bare_name(name))
        throw InputError(name, 0, "no such file; give a scene file, or the name of a shipped scene: " + list);
    throw InputError(
        "there is no scene \"" + name + "\"" + suggestion(name, names) + "; " +
        (names.empty() ? "no shipped scenes were found (set PLICA_ASSETS to the assets folder)" : "shipped scenes: " + list));
}

}  // namespace

std::vector<std::string> scene_folders() {
    std::vector<std::string> folders;
    const auto add = [&](const fs::path& assets) {
        std::error_code none;
        const fs::path scenes = assets / "scenes";
        if (fs::is_directory(scenes, none)) folders.push_back(scenes.string());
    };
    if (const char* assets = std::getenv("PLICA_ASSETS"); assets && *assets) add(assets);
    if (*PLICA_ASSETS_DIR) add(PLICA_ASSETS_DIR);
    std::error_code none;
    const fs::path program = fs::read_symlink("/proc/self/exe", none);
    if (none) return folders;
    // Beside the program, and above it: a build folder lies inside of the sources.
    fs::path folder = program.parent_path();
    for (int level = 0; level < 5 && folder != folder.root_path(); ++level, folder = folder.parent_path()) {
        add(folder / "assets");
        add(folder / "share" / "plica" / "assets");
    }
    return folders;
}

std::vector<std::string> shipped_scenes() {
    std::vector<std::string> names;
    for (const std::string& folder : scene_folders()) {
        std::error_code none;
        for (fs::directory_iterator entry(folder, none), end; !none && entry != end; entry.increment(none)) {
            const std::string file = entry->path().filename().string();
            if (ends_with(file, scene_ending)) names.push_back(file.substr(0, file.size() - std::string(scene_ending).size()));
        }
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

Scene load_scene(const std::string& name) {
    const std::string path = find_scene(name);
    std::ifstream in(path, std::ios::binary);
    if (!in) throw InputError(path, 0, "cannot be opened for reading");
    std::error_code none;
    if (const auto size = fs::file_size(path, none); !none && size > 64u * 1024 * 1024)
        throw InputError(path, 0, "is " + std::to_string(size >> 20) + " MB; a scene file is text of at most 64 MB");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (in.bad()) throw InputError(path, 0, "cannot be read");
    Scene scene = parse_scene(text, path, fs::path(path).parent_path().string());
    scene.path = path;
    return scene;
}

}  // namespace plica
