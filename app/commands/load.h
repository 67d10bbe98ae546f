// From what a user names to scenes and simulations.
#pragma once

#include <string>

#include "app/commands/commands.h"
#include "engine/recording/recording.h"
#include "engine/scene/scene.h"
#include "engine/simulation/simulation.h"

namespace plica {

enum class SourceKind { Scene, Mesh, Recording };
// By content for HDF5, else by ending; a missing file counts as a scene name.
SourceKind source_kind(const std::string& source);

// The scene with its settings, threads included. Throws InputError.
Scene load_choice(const SceneChoice& choice);

// The scene of a recording; throws InputError where it cannot be built again or has become another one.
Scene scene_of(const RecordingReader& recording, int threads);

// Throws InputError for a backend that this build or machine does not have.
void check_backend(const std::string& backend);

// 1 … all cores; 0: as many as pay on this machine.
int thread_count(int wanted);

// "key=value" in two. Throws InputError.
std::pair<std::string, std::string> split_setting(const std::string& text);

// Reason, pairs at fault and what to do, several lines, for a start or step that failed.
std::string error_text(const StepError& error, const Model& model);

}  // namespace plica
