#include "app/commands/load.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "engine/core/error.h"
#include "engine/core/number_text.h"
#include "engine/scene/build_model.h"
#include "engine/scene/mesh_import.h"
#include "engine/scene/scene_file.h"
#include "engine/solver/solver.h"

namespace plica {

namespace fs = std::filesystem;

SourceKind source_kind(const std::string& source) {
    std::error_code ignored;
    if (fs::is_regular_file(source, ignored)) {
        char head[4] = {};
        std::ifstream(source, std::ios::binary).read(head, 4);
        if (std::string(head, 4) == "\x89HDF") return SourceKind::Recording;
    }
    std::string ending = fs::path(source).extension().string();
    for (char& c : ending)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    if (ending == ".h5" || ending == ".hdf5") return SourceKind::Recording;
    for (const char* mesh : {".obj", ".ply", ".stl", ".off", ".fbx", ".gltf", ".glb", ".dae", ".3mf"})
        if (ending == mesh) return SourceKind::Mesh;
    return SourceKind::Scene;
}

std::pair<std::string, std::string> split_setting(const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw InputError("--set " + text + ": give key=value, for example --set solver.friction_mu=0.2");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

Scene load_choice(const SceneChoice& choice) {
    check_backend(choice.backend);
    Scene scene;
    switch (source_kind(choice.source)) {
        case SourceKind::Mesh: {
            MeshSceneOptions options;
            options.thickness = choice.thickness;
            options.unit = choice.unit;
            options.pins = choice.pins;
            scene = scene_from_mesh(choice.source, options);
            break;
        }
        case SourceKind::Recording:
            throw InputError(choice.source, 0,
                             "is a recording, not a scene; `plica resume` goes on with it, `plica view` shows it");
        case SourceKind::Scene:
            if (!choice.pins.empty() || !choice.unit.empty())
                throw InputError("--pin, --unit and --thickness belong to meshes (OBJ, PLY); the scene " + choice.source +
                                 " says this itself");
            scene = load_scene(choice.source);
    }
    for (const std::string& setting : choice.settings) {
        const auto [key, value] = split_setting(setting);
        set_value(scene, key, value);
    }
    if (!choice.contact.empty()) set_value(scene, "contact.mode", choice.contact);
    scene.solver.threads = thread_count(choice.threads);
    return scene;
}

Scene scene_of(const RecordingReader& recording, int threads) {
    const RecordingInfo& info = recording.info();
    const std::string folder = info.scene_path.empty() ? fs::path(recording.path()).parent_path().string()
                                                       : fs::path(info.scene_path).parent_path().string();
    Scene scene;
    try {
        scene = parse_scene(info.scene_text, "scene of " + recording.path(), folder);
    } catch (const InputError& e) {
        throw InputError(std::string(e.what()) + "; the recording's scene cannot be built again");
    }
    if (scene.name.empty() || scene.name == "untitled") scene.name = info.scene_name;
    scene.path = info.scene_path;
    scene.solver.threads = threads;
    const ParticleLayout layout = particle_layout(scene);
    std::size_t triangles = 0, obstacle_vertices = 0;
    for (const Film& film : scene.films) triangles += film.triangles.size();
    for (const Obstacle& obstacle : scene.obstacles) obstacle_vertices += obstacle.vertices.size();
    bool same = layout.film_vertex_count == info.film_vertex_count && int(scene.spheres.size()) == info.sphere_count &&
                triangles == info.triangles.size() && obstacle_vertices == info.obstacle_positions.size();
    for (std::size_t f = 0, i = 0; same && f < scene.films.size(); ++f)
        for (const Int3& t : scene.films[f].triangles) {
            const int first = layout.film_first[f];
            same = same && Int3{t.a + first, t.b + first, t.c + first} == info.triangles[i++];
        }
    if (!same)
        throw InputError(recording.path(), 0,
                         "a mesh of its scene has changed since (other vertices or triangles); put the old one back in " +
                             (folder.empty() ? "." : folder));
    return scene;
}

void check_backend(const std::string& backend) {
    if (backend == "cuda")
        throw InputError("--backend cuda: this program has no CUDA solver yet, only the CPU one; use --backend cpu or auto");
}

int thread_count(int wanted) {
    const int cores = std::max(1, int(std::thread::hardware_concurrency()));
    if (wanted == 0) return std::min(cores, 4);
    if (wanted < 0 || wanted > 256)
        throw InputError("--threads is " + std::to_string(wanted) + "; allowed: 1 to 256 (this machine has " +
                         std::to_string(cores) + " cores)");
    return wanted;
}

std::string error_text(const StepError& error, const Model& model) {
    std::string text = std::string(reason_text(error.reason)) + ": " + error.message;
    const int shown = int(error.pairs.size() + error.triangle_pairs.size());
    for (const ContactPair& pair : error.pairs) {
        text += "\n  " + describe(pair, model) + ", needs a distance above " + digits_text(pair.offset, 4) + " m";
    }
    for (const Int2& pair : error.triangle_pairs) {
        const auto corners = [&](int t) {
            const Int3& c = model.triangles[std::size_t(t)];
            return "triangle " + std::to_string(t) + " (" + std::to_string(c.a) + ", " + std::to_string(c.b) + ", " +
                   std::to_string(c.c) + ") of " + model.bodies[std::size_t(model.body[std::size_t(c.a)])].name;
        };
        text += "\n  " + corners(pair.a) + " pierces " + corners(pair.b);
    }
    if (error.pair_count > shown && shown > 0) text += "\n  and " + std::to_string(error.pair_count - shown) + " more";
    return text;
}

}  // namespace plica
