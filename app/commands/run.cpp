// plica run: a scene or mesh from its start, recorded.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "app/commands/commands.h"
#include "app/commands/load.h"
#include "app/commands/run_loop.h"
#include "engine/core/error.h"
#include "engine/core/number_text.h"
#include "engine/scene/setting_table.h"

namespace plica {
namespace {

namespace fs = std::filesystem;

// <scene>.h5 in the present folder, or the next free <scene>-2.h5: a forgotten -o must not cost an older run.
std::string free_name(const std::string& scene_name) {
    std::string stem;
    for (const char c : scene_name) stem += c == '/' || c == '\0' || c == '\\' ? '-' : c;
    if (stem.empty() || stem[0] == '.' || stem[0] == '-') stem = "run" + stem;
    std::error_code ignored;
    std::string name = stem + ".h5";
    for (int i = 2; fs::exists(name, ignored); ++i) name = stem + "-" + std::to_string(i) + ".h5";
    return name;
}

// That of a recording, as it was: another one would be another run.
Scene replayed_scene(const RecordingReader& recording, const SceneChoice& choice) {
    if (!choice.settings.empty() || !choice.contact.empty() || !choice.pins.empty() || !choice.unit.empty())
        throw InputError(
            "--set, --contact, --pin and --unit change a scene that is named; name it: plica run SCENE --commands " +
            recording.path());
    check_backend(choice.backend);
    return scene_of(recording, thread_count(choice.threads));
}

}  // namespace

int command_run(const RunOptions& options) {
    std::optional<RecordingReader> edits;
    if (!options.commands.empty()) edits.emplace(options.commands);
    if (options.scene.source.empty() && !edits)
        throw InputError("SCENE is missing: a scene file, the name of a shipped scene, or a mesh; `plica --help` lists them");
    Scene scene = options.scene.source.empty() ? replayed_scene(*edits, options.scene) : load_choice(options.scene);
    // Edits made after the scene's end, and a session that was closed before it, are replayed as far as they went.
    const bool replay = options.scene.source.empty();
    const double until = options.until.value_or(replay ? edits->time(edits->frame_count() - 1) : scene.duration);
    if (!(std::isfinite(until) && until > 0)) throw InputError("--until is " + number_text(until) + "; give seconds above 0");
    Simulation simulation(std::move(scene));
    if (simulation.start_error()) {
        std::fprintf(stderr, "plica: %s: %s\nnothing was computed\n", (replay ? edits->path() : options.scene.source).c_str(),
                     error_text(*simulation.start_error(), simulation.model()).c_str());
        return status_bad_input;
    }
    Verdict verdict(simulation);
    const std::string output = options.output.empty() ? free_name(simulation.scene().name) : options.output;
    std::error_code ignored;
    if (edits && fs::equivalent(output, edits->path(), ignored))
        throw InputError(output, 0, "holds the edits; give another file with -o");
    RecordingWriter recording(output, simulation, simulation.settings().threads);
    if (!options.quiet)
        std::fprintf(stderr, "%s: %d particles, %d threads, CPU FP64; recording to %s\n", simulation.scene().name.c_str(),
                     simulation.model().particle_count(), simulation.settings().threads, output.c_str());
    verdict.add(*simulation.frame());
    RunPlan plan{until, {}, options.quiet};
    if (edits) plan.commands = edits->commands();
    return run_and_record(simulation, recording, verdict, plan);
}

}  // namespace plica
