// Colour maps with even steps of lightness, built in Oklab from a few anchors.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <glm/vec3.hpp>

namespace plica {

enum class ColorMap {
    Lagoon,   // dark blue, teal, pale yellow: for amounts from nothing up (strain, bending, height)
    Ember,    // near black, violet, orange, pale: for amounts from nothing up on a light theme too
    Balance,  // blue, grey, red: signed values around zero
    Alarm,    // red at the low end, pale in the middle, calm blue at the high end: gaps
};

// s in 0..1, clamped; NaN gives the colour of 0. sRGB, 0..1.
glm::vec3 color_at(ColorMap map, float s);
std::array<std::uint8_t, 4 * 256> color_table(ColorMap map);  // RGBA
// Lightness of Oklab, 0..1.
float lightness(const glm::vec3& srgb);

// How values become colours, and what the legend says. Values are as given to the view (SI); shown = value * show_scale.
struct ColorScale {
    ColorMap map = ColorMap::Lagoon;
    float low = 0, high = 1;
    bool logarithmic = false;  // low > 0 then
    std::string title;         // "gap"
    std::string unit;          // "mm", as shown
    float show_scale = 1;
    float fraction(float value) const;  // 0..1, clamped; NaN stays NaN
};

}  // namespace plica
