#include "render/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "render/render_error.h"
#include "render/run_program.h"
#include "render/stb_headers.h"

namespace plica {
namespace {

std::string find_font() {
    for (const char* path :
         {"/usr/share/fonts/opentype/inter/Inter-Medium.otf", "/usr/share/fonts/opentype/inter/Inter-Regular.otf",
          "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf"}) {
        std::error_code ignored;
        if (std::filesystem::exists(path, ignored)) return path;
    }
    try {
        ChildProcess child = start_program({"fc-match", "-f", "%{file}", "Inter,DejaVu Sans,sans-serif"});
        std::string said;
        std::error_code ignored;
        if (wait_for(child, said) == 0 && std::filesystem::exists(said, ignored)) return said;
    } catch (const RenderError&) {
        // fontconfig's program is missing too: the message below says what to install.
    }
    throw RenderError("No font was found for the text in pictures; install fonts-inter or fonts-dejavu-core");
}

// Next code point of UTF-8; what is not UTF-8 counts as one unknown character.
int next_code(const std::string& text, std::size_t& i) {
    const auto byte = [&](std::size_t k) { return k < text.size() ? int(static_cast<unsigned char>(text[k])) : 0; };
    const int b = byte(i++);
    const int length = b >= 0xf0 ? 3 : b >= 0xe0 ? 2 : b >= 0xc0 ? 1 : 0;
    if (b < 0x80) return b;
    int code = b & (0x3f >> length);
    for (int k = 0; k < length; ++k) {
        if ((byte(i) & 0xc0) != 0x80) return 0xfffd;
        code = (code << 6) | (byte(i++) & 0x3f);
    }
    return length == 0 ? 0xfffd : code;
}

void blend_pixel(std::uint8_t* to, const glm::vec3& color, float cover) {
    if (cover <= 0) return;
    const float below = float(to[3]) / 255 * (1 - cover);
    const float alpha = cover + below;
    for (int k = 0; k < 3; ++k)
        to[k] = std::uint8_t(std::lround(std::clamp((255 * color[k] * cover + float(to[k]) * below) / alpha, 0.0f, 255.0f)));
    to[3] = std::uint8_t(std::lround(255 * std::min(alpha, 1.0f)));
}

// A number for a legend: three significant digits, no exponent where a person would not use one. Independent of the locale.
std::string number(double value) {
    if (value == 0) return "0";
    char text[32];
    const double size = std::abs(value);
    const int digits = size >= 0.01 && size < 1e5 ? std::max(0, 2 - int(std::floor(std::log10(size)))) : -1;
    std::snprintf(text, sizeof text, digits >= 0 ? "%.*f" : "%.*e", digits >= 0 ? digits : 1, value);
    std::string s = text;
    std::replace(s.begin(), s.end(), ',', '.');
    if (digits > 0 && s.find('.') != std::string::npos) {
        while (s.back() == '0') s.pop_back();
        if (s.back() == '.') s.pop_back();
    }
    if (!s.empty() && s[0] == '-') s.replace(0, 1, "−");
    return s;
}

}  // namespace

struct TextPainter::Impl {
    std::vector<unsigned char> file;
    stbtt_fontinfo font{};

    struct Line {
        double width = 0;
        struct Glyph {
            int index;
            double x;
        };
        std::vector<Glyph> glyphs;
    };
    Line lay_out(const std::string& text, double size_px) const {
        const double scale = double(stbtt_ScaleForMappingEmToPixels(&font, float(size_px)));
        Line line;
        int before = 0;
        for (std::size_t i = 0; i < text.size();) {
            const int glyph = stbtt_FindGlyphIndex(&font, next_code(text, i));
            int advance = 0, bearing = 0;
            stbtt_GetGlyphHMetrics(&font, glyph, &advance, &bearing);
            if (before) line.width += scale * stbtt_GetGlyphKernAdvance(&font, before, glyph);
            line.glyphs.push_back({glyph, line.width});
            line.width += scale * advance;
            before = glyph;
        }
        return line;
    }
};

TextPainter::TextPainter() : TextPainter(find_font()) {}

TextPainter::TextPainter(const std::string& font_file) : impl_(std::make_unique<Impl>()) {
    std::ifstream in(font_file, std::ios::binary);
    impl_->file.assign(std::istreambuf_iterator<char>(in), {});
    const int offset = impl_->file.size() > 12 ? stbtt_GetFontOffsetForIndex(impl_->file.data(), 0) : -1;
    if (offset < 0 || !stbtt_InitFont(&impl_->font, impl_->file.data(), offset))
        throw RenderError("The font " + font_file + " cannot be read; install fonts-inter or fonts-dejavu-core");
}

TextPainter::~TextPainter() = default;

double TextPainter::width(const std::string& utf8, double size_px) const { return impl_->lay_out(utf8, size_px).width; }

void TextPainter::draw(Image& image, double x, double y, const std::string& utf8, double size_px, const glm::vec3& color,
                       const glm::vec3& halo) const {
    const Impl::Line line = impl_->lay_out(utf8, size_px);
    const float scale = stbtt_ScaleForMappingEmToPixels(&impl_->font, float(size_px));
    // The text's coverage on a strip of its own, with room for the halo around it.
    const int margin = std::max(2, int(std::lround(size_px / 8)));
    const int w = int(std::ceil(line.width)) + 2 * margin + 2, h = int(std::ceil(1.5 * size_px)) + 2 * margin;
    const int base = margin + int(std::ceil(1.1 * size_px));
    std::vector<float> cover(std::size_t(w) * std::size_t(h), 0.0f);
    for (const auto& glyph : line.glyphs) {
        const double place = margin + glyph.x + (x - std::floor(x));
        const float shift = float(place - std::floor(place));
        int gw = 0, gh = 0, gx = 0, gy = 0;
        unsigned char* bits =
            stbtt_GetGlyphBitmapSubpixel(&impl_->font, scale, scale, shift, 0, glyph.index, &gw, &gh, &gx, &gy);
        for (int j = 0; j < gh; ++j) {
            for (int i = 0; i < gw; ++i) {
                const int px = int(std::floor(place)) + gx + i, py = base + gy + j;
                if (px < 0 || py < 0 || px >= w || py >= h) continue;
                float& c = cover[std::size_t(py) * std::size_t(w) + std::size_t(px)];
                c = std::min(1.0f, c + float(bits[j * gw + i]) / 255);
            }
        }
        stbtt_FreeBitmap(bits, nullptr);
    }
    const int left = int(std::floor(x)) - margin, top = int(std::lround(y)) - base;
    const int r = std::max(1, margin - 1);
    for (int j = 0; j < h; ++j) {
        for (int i = 0; i < w; ++i) {
            if (left + i < 0 || top + j < 0 || left + i >= image.width || top + j >= image.height) continue;
            float around = 0;
            for (int dy = -r; dy <= r; ++dy) {
                for (int dx = -r; dx <= r; ++dx) {
                    const int px = i + dx, py = j + dy;
                    if (px < 0 || py < 0 || px >= w || py >= h || dx * dx + dy * dy > r * r + 1) continue;
                    around = std::max(around, cover[std::size_t(py) * std::size_t(w) + std::size_t(px)] /
                                                  (1.0f + float(dx * dx + dy * dy) / float(r)));
                }
            }
            std::uint8_t* pixel = image.at(left + i, top + j);
            blend_pixel(pixel, halo, 0.65f * around);
            blend_pixel(pixel, color, cover[std::size_t(j) * std::size_t(w) + std::size_t(i)]);
        }
    }
}

void draw_caption(Image& image, const TextPainter& painter, const Caption& caption, const ColorScale& scale,
                  const Theme& theme) {
    const double size = std::clamp(image.height / 40.0, 10.0, 60.0);
    const double margin = 1.2 * size;
    if (!caption.title.empty())
        painter.draw(image, margin, margin + size, caption.title, 1.15 * size, theme.text, theme.text_shadow);
    for (std::size_t i = 0; i < caption.lines.size(); ++i) {
        const double y = image.height - margin - 1.35 * size * double(caption.lines.size() - 1 - i);
        painter.draw(image, margin, y, caption.lines[i], size, theme.text, theme.text_shadow);
    }
    if (!caption.legend) return;

    // A bar with its ends and three values between.
    const int bar_w = std::max(8, int(0.9 * size)), bar_h = int(std::min(12 * size, 0.5 * image.height));
    const int right = int(image.width - margin - 4.2 * size), top = int(image.height - margin - bar_h);
    for (int j = 0; j < bar_h; ++j) {
        const glm::vec3 c = color_at(scale.map, 1 - (float(j) + 0.5f) / float(bar_h));
        for (int i = 0; i < bar_w; ++i) {
            if (right + i < 0 || top + j < 0 || right + i >= image.width || top + j >= image.height) continue;
            blend_pixel(image.at(right + i, top + j), c, 1);
        }
    }
    const std::string title = scale.title + (scale.unit.empty() ? "" : " [" + scale.unit + "]");
    const double title_x = std::min(double(right), image.width - margin - painter.width(title, size));
    painter.draw(image, title_x, top - 0.8 * size, title, size, theme.text, theme.text_shadow);
    for (int k = 0; k <= 4; ++k) {
        const double s = k / 4.0;
        const double value = scale.logarithmic && scale.low > 0 ? scale.low * std::pow(double(scale.high) / scale.low, s)
                                                                : scale.low + s * (double(scale.high) - scale.low);
        painter.draw(image, right + bar_w + 0.5 * size, top + (1 - s) * bar_h + 0.33 * size, number(value * scale.show_scale),
                     0.85 * size, theme.text, theme.text_shadow);
    }
}

}  // namespace plica
