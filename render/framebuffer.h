// Colour and depth of a size, multisampled or not, with the resolved colour as a texture.
#pragma once

#include <glad/gl.h>

#include "render/image.h"

namespace plica {

class Framebuffer {
public:
    Framebuffer() = default;
    ~Framebuffer() { release(); }
    Framebuffer(const Framebuffer&) = delete;
    Framebuffer& operator=(const Framebuffer&) = delete;

    // Throws RenderError when the driver refuses; nothing happens when all is as asked already.
    void resize(int width, int height, int samples);
    void bind() const;
    void resolve() const;  // multisampled colour into texture()
    GLuint texture() const { return texture_; }
    int width() const { return width_; }
    int height() const { return height_; }
    void read(Image& image) const;  // premultiplied colour -> straight alpha, top row first

private:
    void release();
    GLuint drawn_ = 0, resolved_ = 0;  // framebuffers; the same without multisampling
    GLuint color_ = 0, depth_ = 0;     // renderbuffers
    GLuint texture_ = 0;
    int width_ = 0, height_ = 0, samples_ = 0;
};

// A depth texture to draw into and to read from.
class DepthLayer {
public:
    DepthLayer() = default;
    ~DepthLayer();
    DepthLayer(const DepthLayer&) = delete;
    DepthLayer& operator=(const DepthLayer&) = delete;
    void resize(int width, int height);
    void bind() const { glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_); }
    GLuint texture() const { return texture_; }

private:
    GLuint framebuffer_ = 0, texture_ = 0;
    int width_ = 0, height_ = 0;
};

}  // namespace plica
