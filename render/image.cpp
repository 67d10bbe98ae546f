#include "render/image.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "render/render_error.h"
#include "render/stb_headers.h"

namespace plica {
namespace {

void append(void* context, void* data, int size) {
    auto& bytes = *static_cast<std::vector<unsigned char>*>(context);
    const auto* from = static_cast<const unsigned char*>(data);
    bytes.insert(bytes.end(), from, from + size);
}

}  // namespace

void write_png(const Image& image, const std::string& path, bool opaque) {
    if (image.width <= 0 || image.height <= 0) throw RenderError(path + ": an empty picture is not written");
    std::vector<unsigned char> bytes;
    const std::vector<std::uint8_t>* pixels = &image.pixels;
    std::vector<std::uint8_t> rgb;
    const int channels = opaque ? 3 : 4;
    if (opaque) {
        rgb.reserve(image.pixels.size() / 4 * 3);
        for (std::size_t i = 0; i < image.pixels.size(); i += 4)
            rgb.insert(rgb.end(), {image.pixels[i], image.pixels[i + 1], image.pixels[i + 2]});
        pixels = &rgb;
    }
    if (!stbi_write_png_to_func(append, &bytes, image.width, image.height, channels, pixels->data(), channels * image.width))
        throw RenderError(path + ": the picture could not be encoded (out of memory)");

    const std::string part = path + ".part" + std::to_string(::getpid());
    const auto fail = [&] {
        const std::string why = std::strerror(errno);
        ::unlink(part.c_str());
        throw RenderError(path + ": the picture could not be written: " + why);
    };
    const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) fail();
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t n = ::write(file, bytes.data() + done, bytes.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            const int why = n < 0 ? errno : ENOSPC;
            ::close(file);
            errno = why;
            fail();
        }
        done += std::size_t(n);
    }
    if (::close(file) != 0) fail();
    if (std::rename(part.c_str(), path.c_str()) != 0) fail();
}

}  // namespace plica
