// Colours, spacing and fonts of the window.
#pragma once

#include "app/settings.h"
#include "imgui.h"

namespace plica {

struct Palette {
    ImU32 accent, accent_soft, text, muted, good, warning, bad, grip, panel, canvas, line, track;
};

const Palette& palette(ThemeKind theme);

// Sets all of ImGui's and ImPlot's style for a theme and scale. To be called outside of a frame.
void apply_theme(ThemeKind theme, float scale);

// Loads Inter, or DejaVu where Inter is missing, and a fixed-width font for numbers. Never fails: the built-in font is the last
// resort.
struct Fonts {
    ImFont* text = nullptr;
    ImFont* strong = nullptr;
    ImFont* mono = nullptr;
};
Fonts load_fonts();

}  // namespace plica
