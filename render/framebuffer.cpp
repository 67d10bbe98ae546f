#include "render/framebuffer.h"

#include <algorithm>
#include <string>
#include <vector>

#include "render/render_error.h"

namespace plica {

void Framebuffer::release() {
    if (drawn_ != resolved_) glDeleteFramebuffers(1, &drawn_);
    glDeleteFramebuffers(1, &resolved_);
    glDeleteRenderbuffers(1, &color_);
    glDeleteRenderbuffers(1, &depth_);
    glDeleteTextures(1, &texture_);
    drawn_ = resolved_ = color_ = depth_ = texture_ = 0;
    width_ = height_ = samples_ = 0;
}

void Framebuffer::resize(int width, int height, int samples) {
    if (width == width_ && height == height_ && samples == samples_) return;
    release();
    glGenTextures(1, &texture_);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glGenFramebuffers(1, &resolved_);
    glBindFramebuffer(GL_FRAMEBUFFER, resolved_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
    drawn_ = resolved_;
    if (samples > 1) {
        glGenFramebuffers(1, &drawn_);
        glBindFramebuffer(GL_FRAMEBUFFER, drawn_);
        glGenRenderbuffers(1, &color_);
        glBindRenderbuffer(GL_RENDERBUFFER, color_);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_);
    }
    glGenRenderbuffers(1, &depth_);
    glBindRenderbuffer(GL_RENDERBUFFER, depth_);
    if (samples > 1)
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, width, height);
    else
        glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_);
    const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    if (status != GL_FRAMEBUFFER_COMPLETE || glGetError() == GL_OUT_OF_MEMORY) {
        release();
        throw RenderError("A picture of " + std::to_string(width) + " x " + std::to_string(height) + " pixels with " +
                          std::to_string(std::max(1, samples)) +
                          " samples is more than this OpenGL can hold; take a smaller one");
    }
    width_ = width;
    height_ = height;
    samples_ = samples;
}

void Framebuffer::bind() const {
    glBindFramebuffer(GL_FRAMEBUFFER, drawn_);
    glViewport(0, 0, width_, height_);
}

void Framebuffer::resolve() const {
    if (drawn_ == resolved_) return;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, drawn_);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved_);
    glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void Framebuffer::read(Image& image) const {
    image.width = width_;
    image.height = height_;
    const std::size_t row = 4 * std::size_t(width_);
    image.pixels.resize(row * std::size_t(height_));
    if (image.pixels.empty()) return;
    GLint before = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &before);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved_);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, image.pixels.data());
    glBindFramebuffer(GL_READ_FRAMEBUFFER, GLuint(before));
    for (int y = 0; y < height_ / 2; ++y) {
        std::uint8_t* upper = image.at(0, y);
        std::swap_ranges(upper, upper + row, image.at(0, height_ - 1 - y));
    }
    for (std::size_t i = 0; i < image.pixels.size(); i += 4) {
        const unsigned alpha = image.pixels[i + 3];
        if (alpha == 255) continue;
        for (std::size_t k = 0; k < 3; ++k)
            image.pixels[i + k] =
                alpha == 0 ? 0 : std::uint8_t(std::min(255u, (image.pixels[i + k] * 255u + alpha / 2) / alpha));
    }
}

DepthLayer::~DepthLayer() {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteTextures(1, &texture_);
}

void DepthLayer::resize(int width, int height) {
    if (width == width_ && height == height_) return;
    if (!framebuffer_) {
        glGenFramebuffers(1, &framebuffer_);
        glGenTextures(1, &texture_);
    }
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, width, height, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, texture_, 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw RenderError("This OpenGL cannot draw into a depth texture");
    width_ = width;
    height_ = height;
}

}  // namespace plica
