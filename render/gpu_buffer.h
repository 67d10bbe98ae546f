// A buffer object that grows, and one read by texelFetch.
#pragma once

#include <cstddef>
#include <span>

#include <glad/gl.h>

namespace plica {

class GpuBuffer {
public:
    explicit GpuBuffer(GLenum target) : target_(target) { glGenBuffers(1, &buffer_); }
    ~GpuBuffer() { glDeleteBuffers(1, &buffer_); }
    GpuBuffer(const GpuBuffer&) = delete;
    GpuBuffer& operator=(const GpuBuffer&) = delete;

    template <class Range>
    void set(const Range& values) {
        const std::span data(values);
        set_bytes(data.data(), data.size_bytes());
    }
    void bind() const { glBindBuffer(target_, buffer_); }
    GLuint name() const { return buffer_; }

private:
    void set_bytes(const void* data, std::size_t bytes) {
        glBindBuffer(target_, buffer_);
        // New storage each time: the driver need not wait until the last frame has read the old one.
        glBufferData(target_, GLsizeiptr(bytes), data, GL_STREAM_DRAW);
    }
    GLenum target_;
    GLuint buffer_ = 0;
};

class TexelBuffer {
public:
    explicit TexelBuffer(GLenum format) : buffer_(GL_TEXTURE_BUFFER), format_(format) { glGenTextures(1, &texture_); }
    ~TexelBuffer() { glDeleteTextures(1, &texture_); }
    TexelBuffer(const TexelBuffer&) = delete;
    TexelBuffer& operator=(const TexelBuffer&) = delete;

    template <class Range>
    void set(const Range& values) {
        buffer_.set(values);
        glBindTexture(GL_TEXTURE_BUFFER, texture_);
        glTexBuffer(GL_TEXTURE_BUFFER, format_, buffer_.name());
    }
    void bind(int unit) const {
        glActiveTexture(GL_TEXTURE0 + GLenum(unit));
        glBindTexture(GL_TEXTURE_BUFFER, texture_);
    }

private:
    GpuBuffer buffer_;
    GLenum format_;
    GLuint texture_ = 0;
};

}  // namespace plica
