// A film with a fold: its two panels, the hinges of the crease, and cuts across it.               spec/paper.md
#pragma once

#include <string>
#include <vector>

#include "engine/scene/scene.h"
#include "engine/solver/model.h"

namespace plica {

struct FoldLayout {
    std::vector<int> fold;            // (n) particles along the crease
    std::vector<int> hinges;          // (n - 1) of the model, along the crease
    std::vector<int> base, flap;      // triangles of the model; the flap is the smaller panel
    std::vector<int> flap_inner;      // triangles of the flap that do not touch the fold
    std::vector<int> flap_particles;  // without the fold
    // Cuts of the flap across the crease at its vertices, from the crease to the free edge; at least three particles each.
    std::vector<std::vector<int>> sections;
    // The same through the whole film near the middle of the crease, from the base's far edge to the flap's free edge.
    std::vector<int> middle_section;
    double length = 0;  // m, of the crease at rest
};

// "" if `fold` (film vertices) is a line of inner edges from border to border that parts the film in two, else what is wrong.
std::string fold_fault(const Film& film, const std::vector<int>& fold);

// For a scene whose press passed fold_fault; `model` is the scene's.
FoldLayout fold_layout(const Scene& scene, const Model& model);

}  // namespace plica
