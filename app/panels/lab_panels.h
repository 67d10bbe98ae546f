// The parts of the 1-D lab's view, and what they share.
#pragma once

#include <string>

#include "app/studio/command_sink.h"
#include "app/studio/theme.h"
#include "app/studio/ui_state.h"
#include "imgui.h"

namespace plica {

// Values, the three numbers, the table of speeds.
void lab_values_panel(UiState& ui, CommandSink& sink);
// The energies over x with a draggable x̃ and their minima.
void lab_landscape(UiState& ui, float height);
// Buttons and the two balls.
void lab_lanes(UiState& ui, CommandSink& sink);
// The Newton iterates of the present time step: gap over iterate, and the list.
void lab_iterates(UiState& ui, const Fonts& fonts, float height);

// As in the source: the penalty red, IPC green, x̃ violet.
struct LabColors {
    ImU32 penalty, ipc, x_tilde, wall, cut;
};
LabColors lab_colors(ThemeKind theme);

// A length in the unit that fits it: "24.0 µm", "3.00 mm", "1.20 m".
std::string lab_length(double metres);
// "24.0 µm in front", "3.20 mm deep in the wall", "27.0 mm behind the wall".
std::string place_text(double x, const WallLab& lab);
void colored_text(ImU32 color, const std::string& text);

}  // namespace plica
