// OpenGL 3.3 core: function loading for the window's context, and a context without any display.
#pragma once

#include <memory>
#include <string>

namespace plica {

using GlLoader = void (*(*)(const char* name))();

// Loads the functions of the current context, once per process; later calls return what the first one found.
// Throws RenderError when OpenGL is older than 3.3, with the version found. For GLFW: load_gl(glfwGetProcAddress).
void load_gl(GlLoader loader);

struct GlInfo {
    std::string version, renderer, vendor;
    int max_size_px = 0;  // side of a picture
    int max_samples = 0;
    bool software = false;  // llvmpipe and the like
};
GlInfo gl_info();  // of the current context

// Off-screen context through EGL without a surface; works with Mesa's software rendering and without X. Current on the thread
// that made it until it is destroyed there; another thread may have a context of its own at the same time.
class HeadlessContext {
public:
    HeadlessContext();  // throws RenderError: what is missing and what to install
    ~HeadlessContext();
    HeadlessContext(const HeadlessContext&) = delete;
    HeadlessContext& operator=(const HeadlessContext&) = delete;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace plica
