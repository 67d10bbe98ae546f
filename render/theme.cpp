#include "render/theme.h"

namespace plica {
namespace {

constexpr glm::vec3 rgb(unsigned hex) {
    return {float((hex >> 16) & 255) / 255.0f, float((hex >> 8) & 255) / 255.0f, float(hex & 255) / 255.0f};
}
constexpr glm::vec4 rgba(unsigned hex, float alpha) {
    const glm::vec3 c = rgb(hex);
    return {c.x, c.y, c.z, alpha};
}

const Theme dark{
    .background_top = rgba(0x2a3038, 1),
    .background_bottom = rgba(0x14171b, 1),
    .film_front = rgb(0x98d2f5),
    .film_back = rgb(0xeebd98),
    .obstacle = rgb(0xaab4c0),
    .floor = rgb(0x343b44),
    .floor_line = rgb(0x566270),
    .edge = rgba(0xf4f8fb, 0.80f),
    .undefined = rgb(0x6b7179),
    .text = rgb(0xe8ecf0),
    .text_shadow = rgb(0x101216),
    .shadow = 0.62f,
    .ambient = 1.1f,
};

const Theme light{
    .background_top = rgba(0xf5f7f9, 1),
    .background_bottom = rgba(0xd5dbe1, 1),
    .film_front = rgb(0x7cc0ee),
    .film_back = rgb(0xf2b98c),
    .obstacle = rgb(0x7f8b98),
    .floor = rgb(0xe9edf0),
    .floor_line = rgb(0xbfc8d0),
    .edge = rgba(0x1c3a52, 0.75f),
    .undefined = rgb(0x9aa1a8),
    .text = rgb(0x1d242b),
    .text_shadow = rgb(0xf5f7f9),
    .shadow = 0.36f,
    .ambient = 1.35f,
};

const Theme print{
    .background_top = rgba(0xffffff, 1),
    .background_bottom = rgba(0xffffff, 1),
    .film_front = rgb(0x74bcec),
    .film_back = rgb(0xf0b283),
    .obstacle = rgb(0x78838f),
    .floor = rgb(0xfafafa),
    .floor_line = rgb(0xd6dadd),
    .edge = rgba(0x10273a, 0.90f),
    .undefined = rgb(0xa3a8ad),
    .text = rgb(0x111111),
    .text_shadow = rgb(0xffffff),
    .shadow = 0.28f,
    .ambient = 1.45f,
};

}  // namespace

const Theme& theme(ThemeKind kind) { return kind == ThemeKind::Dark ? dark : kind == ThemeKind::Light ? light : print; }

const char* theme_name(ThemeKind kind) {
    return kind == ThemeKind::Dark ? "dark" : kind == ThemeKind::Light ? "light" : "print";
}

bool theme_from_name(const std::string& name, ThemeKind& kind) {
    for (const ThemeKind k : {ThemeKind::Dark, ThemeKind::Light, ThemeKind::Print}) {
        if (name == theme_name(k)) {
            kind = k;
            return true;
        }
    }
    return false;
}

glm::vec4 sphere_color(int k) {
    static constexpr glm::vec4 colors[] = {rgba(0xf08a4b, 1), rgba(0x5bb98c, 1), rgba(0xe5c454, 1), rgba(0x6c8fe0, 1),
                                           rgba(0xd9679a, 1), rgba(0x57b9c7, 1), rgba(0xa58be0, 1), rgba(0xb8c46a, 1)};
    return colors[((k % 8) + 8) % 8];
}

}  // namespace plica
