// Text and legends drawn into a picture on the CPU, for exported pictures and videos.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

#include "render/color_map.h"
#include "render/image.h"
#include "render/theme.h"

namespace plica {

class TextPainter {
public:
    // Finds Inter, else DejaVu Sans or what fontconfig names. Throws RenderError naming the package when there is no font.
    TextPainter();
    explicit TextPainter(const std::string& font_file);
    ~TextPainter();

    double width(const std::string& utf8, double size_px) const;  // px
    // (x, y) is the left end of the base line, from the top left corner. A faint halo keeps it readable on anything.
    void draw(Image& image, double x, double y, const std::string& utf8, double size_px, const glm::vec3& color,
              const glm::vec3& halo) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// What an exported picture says besides what it shows.
struct Caption {
    std::vector<std::string> lines;  // bottom left, the last one lowest: clock, gauges
    std::string title;               // top left
    bool legend = false;             // of the colour scale, bottom right
};
void draw_caption(Image& image, const TextPainter& painter, const Caption& caption, const ColorScale& scale,
                  const Theme& theme);

}  // namespace plica
