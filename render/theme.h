// Colours of a view. All are sRGB with straight alpha, 0..1.
#pragma once

#include <span>
#include <string>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace plica {

enum class ThemeKind { Dark, Light, Print };  // Print: white, or clear where the picture format can

struct Theme {
    glm::vec4 background_top, background_bottom;
    glm::vec3 film_front, film_back;  // outside and inside tint
    glm::vec3 obstacle;
    glm::vec3 floor, floor_line;
    glm::vec4 edge;       // fold and mesh edges; alpha: strongest
    glm::vec3 undefined;  // surface without a value while coloured by one
    glm::vec3 text, text_shadow;
    float shadow = 0.5f;  // darkest darkening of the floor
    float ambient = 1;    // scales the light from all around
};

const Theme& theme(ThemeKind kind);
const char* theme_name(ThemeKind kind);  // "dark", "light", "print"
bool theme_from_name(const std::string& name, ThemeKind& kind);

// Marks mean the same in every theme.
namespace colors {
inline constexpr glm::vec4 selection{1.0f, 0.66f, 0.16f, 1};
inline constexpr glm::vec4 hover{1.0f, 0.86f, 0.55f, 1};
inline constexpr glm::vec4 alarm{1.0f, 0.20f, 0.28f, 1};  // intersecting, gap <= 0
inline constexpr glm::vec4 contact{0.20f, 0.86f, 0.78f, 1};
inline constexpr glm::vec4 pin{0.98f, 0.80f, 0.25f, 1};
inline constexpr glm::vec4 grip{0.46f, 0.78f, 1.0f, 1};
inline constexpr glm::vec4 force{1.0f, 0.45f, 0.25f, 1};
}  // namespace colors

// Colour of the k-th sphere: told apart by hue and by lightness.
glm::vec4 sphere_color(int k);

}  // namespace plica
