#include "app/studio/window.h"

#include <algorithm>
#include <cstdlib>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "render/gl_context.h"
#include "render/render_error.h"

namespace plica {

namespace {

std::string glfw_error;

void remember_error(int, const char* text) { glfw_error = text ? text : ""; }

std::vector<ScreenRect> screens() {
    std::vector<ScreenRect> out;
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {
        ScreenRect r{};
        glfwGetMonitorWorkarea(monitors[i], &r.x, &r.y, &r.width, &r.height);
        if (r.width > 0 && r.height > 0) out.push_back(r);
    }
    return out;
}

bool over_a_network() {
    for (const char* name : {"SSH_CONNECTION", "SSH_CLIENT", "VNCDESKTOP", "XRDP_SESSION"})
        if (std::getenv(name)) return true;
    const char* display = std::getenv("DISPLAY");
    return display && *display != ':' && *display != '\0';
}

}  // namespace

std::string no_window_message(const std::string& reason) {
    std::string text = "No window can be opened: " + reason + ". Plica needs a display with OpenGL 3.3.";
    text += over_a_network() ? " This looks like a remote desktop or a forwarded display, which often offers an older OpenGL: "
                             : " Over a remote desktop the offered OpenGL is often older: ";
    text +=
        "try LIBGL_ALWAYS_SOFTWARE=1 (software rendering, package libgl1-mesa-dri), or work without a window: plica run, "
        "check, info "
        "and export need no display.";
    return text;
}

Window::Window(const std::string& title, int width, int height, const Settings& settings) : title_(title) {
    glfwSetErrorCallback(remember_error);
    if (!glfwInit()) {
        const char* display = std::getenv("DISPLAY");
        throw WindowError(no_window_message(!display || !*display
                                                ? "there is no display (DISPLAY is not set)"
                                                : "the display \"" + std::string(display) + "\" cannot be reached"));
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_TRUE);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "plica");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "plica");

    const std::vector<ScreenRect> found = screens();
    const bool placed = width <= 0 && place_is_visible(settings, found);
    int w = width, h = height;
    if (w <= 0 || h <= 0) {
        w = placed ? settings.window_width : 1440;
        h = placed ? settings.window_height : 900;
        if (!found.empty() && !placed) {
            w = std::min(w, found.front().width - 40);
            h = std::min(h, found.front().height - 80);
        }
    }
    w = std::max(w, 320);
    h = std::max(h, 240);
    window_ = glfwCreateWindow(w, h, title.c_str(), nullptr, nullptr);
    if (!window_) {
        // Which OpenGL is there at all? A context of any version tells.
        std::string version;
        glfwDefaultWindowHints();
        glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
        const std::string why = glfw_error;
        if (GLFWwindow* probe = glfwCreateWindow(64, 64, "", nullptr, nullptr)) {
            version = std::to_string(glfwGetWindowAttrib(probe, GLFW_CONTEXT_VERSION_MAJOR)) + "." +
                      std::to_string(glfwGetWindowAttrib(probe, GLFW_CONTEXT_VERSION_MINOR));
            glfwDestroyWindow(probe);
        }
        glfwTerminate();
        throw WindowError(no_window_message(version.empty() ? "this display offers no OpenGL (" + why + ")"
                                                            : "OpenGL " + version + " was found, 3.3 is needed (" + why + ")"));
    }
    glfwMakeContextCurrent(window_);
    try {
        load_gl(reinterpret_cast<GlLoader>(glfwGetProcAddress));
    } catch (const RenderError& e) {
        glfwDestroyWindow(window_);
        glfwTerminate();
        throw WindowError(no_window_message(e.what()));
    }
    glfwSwapInterval(1);
    if (placed) glfwSetWindowPos(window_, settings.window_x, settings.window_y);
    if (placed && settings.maximized) glfwMaximizeWindow(window_);
    glfwSetWindowSizeLimits(window_, 320, 240, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwGetFramebufferSize(window_, &width_px_, &height_px_);
    install_callbacks();
    glfwShowWindow(window_);
}

Window::~Window() {
    if (window_) glfwDestroyWindow(window_);
    glfwTerminate();
}

void Window::install_callbacks() {
    glfwSetWindowUserPointer(window_, this);
    static const auto self = [](GLFWwindow* w) { return static_cast<Window*>(glfwGetWindowUserPointer(w)); };
    static const auto mark = [](GLFWwindow* w) {
        if (Window* window = self(w)) window->activity_ = true;
    };
    // ImGui's callbacks are chained behind these.
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int, int, int, int) { mark(w); });
    glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned) { mark(w); });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int, int, int) { mark(w); });
    glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double, double) { mark(w); });
    glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int) { mark(w); });
    glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double) { mark(w); });
    glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int) { mark(w); });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { mark(w); });
    glfwSetWindowIconifyCallback(window_, [](GLFWwindow* w, int) { mark(w); });
    glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* w, float, float) { mark(w); });
    glfwSetWindowCloseCallback(window_, [](GLFWwindow* w) { mark(w); });
    glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int width, int height) {
        if (Window* window = self(w)) {
            window->width_px_ = width;
            window->height_px_ = height;
            window->activity_ = true;
        }
    });
    glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
        if (Window* window = self(w)) {
            window->dropped_.assign(paths, paths + count);
            window->activity_ = true;
        }
    });
}

void Window::set_title(const std::string& title) {
    if (title == title_) return;
    title_ = title;
    glfwSetWindowTitle(window_, title.c_str());
}

bool Window::close_asked() const { return glfwWindowShouldClose(window_); }
void Window::dismiss_close() { glfwSetWindowShouldClose(window_, GLFW_FALSE); }

bool Window::hidden() const { return width_px_ <= 0 || height_px_ <= 0 || glfwGetWindowAttrib(window_, GLFW_ICONIFIED); }

float Window::content_scale() const {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return std::clamp(std::max(x, y), 0.75f, 3.0f);
}

void Window::wait(double seconds) { glfwWaitEventsTimeout(std::max(seconds, 1e-3)); }
void Window::poll() { glfwPollEvents(); }
void Window::swap() { glfwSwapBuffers(window_); }
void Window::wake() { glfwPostEmptyEvent(); }

bool Window::take_activity() {
    const bool was = activity_;
    activity_ = false;
    return was;
}

std::vector<std::string> Window::take_dropped() {
    std::vector<std::string> out;
    out.swap(dropped_);
    return out;
}

void Window::store_place(Settings& settings) const {
    settings.maximized = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED);
    if (settings.maximized || glfwGetWindowAttrib(window_, GLFW_ICONIFIED)) return;
    glfwGetWindowPos(window_, &settings.window_x, &settings.window_y);
    glfwGetWindowSize(window_, &settings.window_width, &settings.window_height);
}

}  // namespace plica
