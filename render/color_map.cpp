#include "render/color_map.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>

namespace plica {
namespace {

// Oklab (B. Ottosson, "A perceptual color space for image processing", 2020): L lightness, a green-red, b blue-yellow.
float to_linear(float c) { return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f); }
float to_srgb(float c) { return c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f; }

glm::vec3 srgb_from_oklab(const glm::vec3& lab) {
    const float l = lab.x + 0.3963377774f * lab.y + 0.2158037573f * lab.z;
    const float m = lab.x - 0.1055613458f * lab.y - 0.0638541728f * lab.z;
    const float s = lab.x - 0.0894841775f * lab.y - 1.2914855480f * lab.z;
    const float l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
    const glm::vec3 linear{4.0767416621f * l3 - 3.3077115913f * m3 + 0.2309699292f * s3,
                           -1.2684380046f * l3 + 2.6097574011f * m3 - 0.3413193965f * s3,
                           -0.0041960863f * l3 - 0.7034186147f * m3 + 1.7076147010f * s3};
    const glm::vec3 c = glm::clamp(linear, 0.0f, 1.0f);
    return {to_srgb(c.x), to_srgb(c.y), to_srgb(c.z)};
}

// Anchors as lightness, chroma and hue [degrees], evenly spaced in s.
struct Anchor {
    float lightness, chroma, hue;
};
glm::vec3 lab_of(const Anchor& a) {
    const float h = a.hue * 0.01745329252f;
    return {a.lightness, a.chroma * std::cos(h), a.chroma * std::sin(h)};
}

constexpr Anchor lagoon[] = {{0.24f, 0.10f, 282}, {0.39f, 0.11f, 255}, {0.54f, 0.10f, 220},
                             {0.69f, 0.12f, 175}, {0.84f, 0.14f, 125}, {0.97f, 0.10f, 105}};
constexpr Anchor ember[] = {{0.20f, 0.05f, 300}, {0.34f, 0.14f, 310}, {0.48f, 0.18f, 355},
                            {0.63f, 0.18f, 35},  {0.79f, 0.15f, 70},  {0.94f, 0.08f, 95}};
constexpr Anchor balance[] = {
    {0.46f, 0.15f, 260}, {0.69f, 0.09f, 250}, {0.92f, 0.005f, 250}, {0.70f, 0.11f, 30}, {0.48f, 0.17f, 25}};
constexpr Anchor alarm[] = {
    {0.55f, 0.21f, 25}, {0.71f, 0.16f, 50}, {0.88f, 0.08f, 95}, {0.74f, 0.07f, 220}, {0.55f, 0.10f, 250}};

template <std::size_t N>
glm::vec3 interpolate(const Anchor (&anchors)[N], float s) {
    const float place = s * float(N - 1);
    const std::size_t i = std::min(std::size_t(place), N - 2);
    return srgb_from_oklab(glm::mix(lab_of(anchors[i]), lab_of(anchors[i + 1]), place - float(i)));
}

}  // namespace

glm::vec3 color_at(ColorMap map, float s) {
    s = std::isnan(s) ? 0.0f : std::clamp(s, 0.0f, 1.0f);
    switch (map) {
        case ColorMap::Lagoon: return interpolate(lagoon, s);
        case ColorMap::Ember: return interpolate(ember, s);
        case ColorMap::Balance: return interpolate(balance, s);
        case ColorMap::Alarm: return interpolate(alarm, s);
    }
    return glm::vec3(0);
}

std::array<std::uint8_t, 4 * 256> color_table(ColorMap map) {
    std::array<std::uint8_t, 4 * 256> table;
    for (std::size_t i = 0; i < 256; ++i) {
        const glm::vec3 c = color_at(map, float(i) / 255.0f);
        for (int k = 0; k < 3; ++k) table[4 * i + std::size_t(k)] = std::uint8_t(std::lround(255.0f * c[k]));
        table[4 * i + 3] = 255;
    }
    return table;
}

float lightness(const glm::vec3& srgb) {
    const float r = to_linear(srgb.x), g = to_linear(srgb.y), b = to_linear(srgb.z);
    const float l = std::cbrt(0.4122214708f * r + 0.5363325363f * g + 0.0514459929f * b);
    const float m = std::cbrt(0.2119034982f * r + 0.6806995451f * g + 0.1073969566f * b);
    const float s = std::cbrt(0.0883024619f * r + 0.2817188376f * g + 0.6299787005f * b);
    return 0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s;
}

float ColorScale::fraction(float value) const {
    if (std::isnan(value)) return value;
    if (logarithmic) {
        if (!(value > 0)) return 0;
        if (!(high > low)) return 0.5f;
        return std::clamp((std::log(value) - std::log(low)) / (std::log(high) - std::log(low)), 0.0f, 1.0f);
    }
    if (!(high > low)) return 0.5f;
    return std::clamp((value - low) / (high - low), 0.0f, 1.0f);
}

}  // namespace plica
