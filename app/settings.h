// What the program remembers from one start to the next. A file that cannot be read is set aside, never fatal.
#pragma once

#include <string>
#include <vector>

#include "app/lab_values.h"
#include "render/theme.h"

namespace plica {

struct Settings {
    // Window, in screen coordinates; width 0: not placed yet.
    int window_x = 0, window_y = 0, window_width = 0, window_height = 0;
    bool maximized = false;

    double ui_scale = 0;  // 0.75–3; 0: from the screen
    ThemeKind theme = ThemeKind::Dark;
    bool multisampling = false;  // dear under software rendering
    bool stop_live_on_scrub = true;
    bool keep_grip = false;      // a grip stays when the mouse button is let go
    double grip_stiffness = 60;  // N/m
    double grip_limit = 0.5;     // N
    double pin_stiffness = 200;  // N/m

    // View
    int color_mode = 0;
    bool wireframe = true;
    bool show_contacts = false;
    bool show_intersections = true;
    bool show_grips = true;

    LabValues lab;  // of the 1-D lab

    bool keep_recordings = true;      // each run of the window is recorded to the data folder
    std::vector<std::string> plots;   // shown gauges, by name; empty: the default ones
    std::vector<std::string> recent;  // newest first
};

// $XDG_CONFIG_HOME/plica, ~/.config/plica; "" when neither is known.
std::string config_folder();
// $XDG_DATA_HOME/plica, ~/.local/share/plica; "" when neither is known.
std::string data_folder();
std::string settings_path();

// Reads the file at `path`. Missing: defaults. Broken: defaults, the file is renamed to *.broken and `note` says so. Values out
// of range are brought back into it.
Settings load_settings(const std::string& path, std::string& note);
// Writes beside the file and renames. Returns "" or why it could not be written.
std::string save_settings(const std::string& path, const Settings& settings);

struct ScreenRect {
    int x, y, width, height;
};
// Keeps the stored window place only where at least a graspable part of its title lies on one of the present screens.
bool place_is_visible(const Settings& settings, const std::vector<ScreenRect>& screens);

void remember_recent(Settings& settings, const std::string& path);

}  // namespace plica
