#include "app/settings.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <nlohmann/json.hpp>

namespace plica {

namespace fs = std::filesystem;

namespace {

std::string xdg_folder(const char* variable, const char* fallback) {
    if (const char* v = std::getenv(variable); v && *v == '/') return (fs::path(v) / "plica").string();
    if (const char* home = std::getenv("HOME"); home && *home) return (fs::path(home) / fallback / "plica").string();
    return {};
}

double within(double value, double low, double high, double fallback) {
    return std::isfinite(value) ? std::clamp(value, low, high) : fallback;
}

}  // namespace

std::string config_folder() { return xdg_folder("XDG_CONFIG_HOME", ".config"); }
std::string data_folder() { return xdg_folder("XDG_DATA_HOME", ".local/share"); }
std::string settings_path() {
    const std::string folder = config_folder();
    return folder.empty() ? std::string() : (fs::path(folder) / "settings.json").string();
}

Settings load_settings(const std::string& path, std::string& note) {
    Settings s;
    note.clear();
    std::error_code ec;
    if (path.empty() || !fs::exists(path, ec)) return s;
    try {
        std::ifstream in(path);
        const nlohmann::json j = nlohmann::json::parse(in);
        const Settings d;
        s.window_x = j.value("window_x", d.window_x);
        s.window_y = j.value("window_y", d.window_y);
        s.window_width = std::clamp(j.value("window_width", 0), 0, 20000);
        s.window_height = std::clamp(j.value("window_height", 0), 0, 20000);
        s.maximized = j.value("maximized", d.maximized);
        s.ui_scale = j.value("ui_scale", d.ui_scale);
        s.ui_scale = s.ui_scale == 0 ? 0 : within(s.ui_scale, 0.75, 3, 0);
        theme_from_name(j.value("theme", std::string("dark")), s.theme);
        s.multisampling = j.value("multisampling", d.multisampling);
        s.stop_live_on_scrub = j.value("stop_live_on_scrub", d.stop_live_on_scrub);
        s.keep_grip = j.value("keep_grip", d.keep_grip);
        s.grip_stiffness = within(j.value("grip_stiffness", d.grip_stiffness), 1e-3, 1e5, d.grip_stiffness);
        s.grip_limit = within(j.value("grip_limit", d.grip_limit), 1e-4, 1e3, d.grip_limit);
        s.pin_stiffness = within(j.value("pin_stiffness", d.pin_stiffness), 1e-3, 1e5, d.pin_stiffness);
        s.color_mode = std::clamp(j.value("color_mode", d.color_mode), 0, 16);
        s.wireframe = j.value("wireframe", d.wireframe);
        s.show_contacts = j.value("show_contacts", d.show_contacts);
        s.show_intersections = j.value("show_intersections", d.show_intersections);
        s.show_grips = j.value("show_grips", d.show_grips);
        if (const auto lab = j.find("lab"); lab != j.end()) {
            for (const LabParameter& p : lab_parameters()) {
                const double value = lab->value(p.id, s.lab.*p.member);
                if (lab_refusal(s.lab, p, value).empty()) s.lab.*p.member = value;
            }
            s.lab.follow = lab->value("follow", d.lab.follow);
        }
        s.keep_recordings = j.value("keep_recordings", d.keep_recordings);
        s.plots = j.value("plots", d.plots);
        s.recent = j.value("recent", d.recent);
        if (s.recent.size() > 10) s.recent.resize(10);
    } catch (const std::exception&) {
        s = Settings();
        const std::string aside = path + ".broken";
        fs::rename(path, aside, ec);
        note = "The settings file could not be read and was set aside as " + aside + "; default settings are used.";
        if (ec) note = "The settings file " + path + " could not be read; default settings are used.";
    }
    return s;
}

std::string save_settings(const std::string& path, const Settings& s) {
    if (path.empty()) return "there is no folder for settings: neither XDG_CONFIG_HOME nor HOME is set";
    nlohmann::json lab = {{"follow", s.lab.follow}};
    for (const LabParameter& p : lab_parameters()) lab[p.id] = s.lab.*p.member;
    const nlohmann::json j = {{"window_x", s.window_x},
                              {"window_y", s.window_y},
                              {"window_width", s.window_width},
                              {"window_height", s.window_height},
                              {"maximized", s.maximized},
                              {"ui_scale", s.ui_scale},
                              {"theme", theme_name(s.theme)},
                              {"multisampling", s.multisampling},
                              {"stop_live_on_scrub", s.stop_live_on_scrub},
                              {"keep_grip", s.keep_grip},
                              {"grip_stiffness", s.grip_stiffness},
                              {"grip_limit", s.grip_limit},
                              {"pin_stiffness", s.pin_stiffness},
                              {"color_mode", s.color_mode},
                              {"wireframe", s.wireframe},
                              {"show_contacts", s.show_contacts},
                              {"show_intersections", s.show_intersections},
                              {"show_grips", s.show_grips},
                              {"lab", lab},
                              {"keep_recordings", s.keep_recordings},
                              {"plots", s.plots},
                              {"recent", s.recent}};
    std::error_code ec;
    fs::create_directories(fs::path(path).parent_path(), ec);
    const std::string temporary = path + ".part";
    {
        std::ofstream out(temporary, std::ios::trunc);
        // A file name that is not UTF-8 is kept readable, not a reason to lose all settings.
        out << j.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
        out.flush();
        if (!out) {
            fs::remove(temporary, ec);
            return "the settings could not be written to " + path;
        }
    }
    fs::rename(temporary, path, ec);
    return ec ? "the settings could not be written to " + path + ": " + ec.message() : std::string();
}

bool place_is_visible(const Settings& s, const std::vector<ScreenRect>& screens) {
    if (s.window_width < 200 || s.window_height < 150) return false;
    for (const ScreenRect& screen : screens) {
        const int left = std::max(s.window_x, screen.x), right = std::min(s.window_x + s.window_width, screen.x + screen.width);
        const bool title = s.window_y >= screen.y - 8 && s.window_y <= screen.y + screen.height - 64;
        if (right - left >= 160 && title) return true;
    }
    return false;
}

void remember_recent(Settings& settings, const std::string& path) {
    std::erase(settings.recent, path);
    settings.recent.insert(settings.recent.begin(), path);
    if (settings.recent.size() > 10) settings.recent.resize(10);
}

}  // namespace plica
