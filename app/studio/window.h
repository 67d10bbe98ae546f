// The GLFW window with its OpenGL context: made, placed, woken, closed. Knows nothing of what is shown in it.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "app/settings.h"

struct GLFWwindow;

namespace plica {

// No window can be shown: what was found, what is needed, what to do. Ends the program with status 2.
class WindowError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class Window {
public:
    // Throws WindowError. Width 0: the stored place, else a size that fits the screen.
    Window(const std::string& title, int width, int height, const Settings& settings);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    GLFWwindow* handle() const { return window_; }
    void set_title(const std::string& title);
    bool close_asked() const;
    void dismiss_close();

    // Pixels; 0 x 0 while minimised.
    int width_px() const { return width_px_; }
    int height_px() const { return height_px_; }
    bool hidden() const;
    float content_scale() const;  // of the screen it is on: 2 for HiDPI

    // Waits until something happens, at most `seconds`.
    void wait(double seconds);
    void poll();
    void swap();
    // Wakes a waiting loop, from any thread.
    static void wake();
    // Since the last call: did the person or the system do anything that asks for a redraw? A wake from a thread counts too.
    bool take_activity();
    std::vector<std::string> take_dropped();

    void store_place(Settings& settings) const;

private:
    void install_callbacks();

    GLFWwindow* window_ = nullptr;
    int width_px_ = 0, height_px_ = 0;
    bool activity_ = true;
    std::string title_;
    std::vector<std::string> dropped_;
};

// What to say when there is no display or its OpenGL is too old.
std::string no_window_message(const std::string& reason);

}  // namespace plica
