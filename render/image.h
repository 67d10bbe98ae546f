// A picture in memory and on disk.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace plica {

// Rows from top to bottom, RGBA, straight alpha.
struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> pixels;  // (4 width height)

    std::uint8_t* at(int x, int y) { return pixels.data() + 4 * (std::size_t(y) * std::size_t(width) + std::size_t(x)); }
    const std::uint8_t* at(int x, int y) const { return const_cast<Image*>(this)->at(x, y); }
};

// Writes a PNG, whole or not at all (a temporary name beside it, then renamed). `opaque` leaves the alpha out.
// Throws RenderError with the path and the system's reason.
void write_png(const Image& image, const std::string& path, bool opaque = false);

}  // namespace plica
