#include "render/gl_context.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glad/gl.h>

#include "render/render_error.h"

namespace plica {
namespace {

std::string text_of(GLenum name) {
    const GLubyte* text = glGetString(name);
    return text ? reinterpret_cast<const char*>(text) : "unknown";
}

// One display per process and platform. It is never terminated: eglTerminate would take the contexts of other threads along.
EGLDisplay open_display(std::string& tried) {
    static std::mutex mutex;
    static EGLDisplay opened = EGL_NO_DISPLAY;
    const std::lock_guard lock(mutex);
    if (opened != EGL_NO_DISPLAY) return opened;

    const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    const auto has = [&](const char* name) { return client && std::strstr(client, name); };
    const auto get_platform = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    const auto attempt = [&](EGLDisplay display, const char* name) {
        if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr)) {
            opened = display;
            return true;
        }
        char code[32];
        std::snprintf(code, sizeof code, " (EGL error 0x%x)", unsigned(eglGetError()));
        tried += (tried.empty() ? "" : ", ") + std::string(name) + code;
        return false;
    };
    if (get_platform && has("EGL_MESA_platform_surfaceless") &&
        attempt(get_platform(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr), "surfaceless"))
        return opened;
    if (get_platform && has("EGL_EXT_platform_device") && has("EGL_EXT_device_enumeration")) {
        const auto query = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
        EGLDeviceEXT devices[8];
        EGLint count = 0;
        if (query && query(8, devices, &count)) {
            for (EGLint i = 0; i < count; ++i)
                if (attempt(get_platform(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr), "device")) return opened;
        }
    }
    attempt(eglGetDisplay(EGL_DEFAULT_DISPLAY), "default");
    return opened;
}

[[noreturn]] void no_context(const std::string& why) {
    throw RenderError("Pictures cannot be drawn without a display here: " + why +
                      ". OpenGL 3.3 through EGL is needed; in software it comes with the packages libegl1 and libgl1-mesa-dri");
}

}  // namespace

void load_gl(GlLoader loader) {
    static std::mutex mutex;
    static bool loaded = false;
    const std::lock_guard lock(mutex);
    if (!loaded) {
        const int version = gladLoadGL(loader);
        if (version == 0) throw RenderError("OpenGL functions could not be loaded: no current context or a broken driver");
        if (version < GLAD_MAKE_VERSION(3, 3))
            throw RenderError("OpenGL 3.3 is needed, this context has " + text_of(GL_VERSION) + " (" + text_of(GL_RENDERER) +
                              "). Over a remote desktop or with an old driver LIBGL_ALWAYS_SOFTWARE=1 may help");
        loaded = true;
    }
}

GlInfo gl_info() {
    GlInfo info;
    info.version = text_of(GL_VERSION);
    info.renderer = text_of(GL_RENDERER);
    info.vendor = text_of(GL_VENDOR);
    GLint texture = 0, renderbuffer = 0, viewport[2] = {0, 0}, samples = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &texture);
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &renderbuffer);
    glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
    glGetIntegerv(GL_MAX_SAMPLES, &samples);
    info.max_size_px = std::min(std::min(texture, renderbuffer), std::min(viewport[0], viewport[1]));
    info.max_samples = samples;
    for (const char* name : {"llvmpipe", "softpipe", "swrast", "Software"})
        info.software = info.software || info.renderer.find(name) != std::string::npos;
    return info;
}

struct HeadlessContext::Impl {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
};

HeadlessContext::HeadlessContext() : impl_(std::make_unique<Impl>()) {
    std::string tried;
    impl_->display = open_display(tried);
    if (impl_->display == EGL_NO_DISPLAY) no_context("EGL opens no display, tried " + tried);
    if (!eglBindAPI(EGL_OPENGL_API)) no_context("EGL offers no desktop OpenGL");

    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(impl_->display, wanted, &config, 1, &count) || count < 1)
        no_context("EGL has no configuration for OpenGL");
    const EGLint attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    impl_->context = eglCreateContext(impl_->display, config, EGL_NO_CONTEXT, attributes);
    if (impl_->context == EGL_NO_CONTEXT) no_context("OpenGL 3.3 is not offered");
    if (!eglMakeCurrent(impl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, impl_->context)) {
        eglDestroyContext(impl_->display, impl_->context);
        no_context("the context cannot be used without a surface");
    }
    try {
        load_gl(reinterpret_cast<GlLoader>(eglGetProcAddress));
    } catch (...) {
        eglMakeCurrent(impl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(impl_->display, impl_->context);
        throw;
    }
}

HeadlessContext::~HeadlessContext() {
    eglMakeCurrent(impl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(impl_->display, impl_->context);
    eglReleaseThread();
}

}  // namespace plica
