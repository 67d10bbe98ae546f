// What panels may ask for. The studio carries it out after all panels were drawn.
#pragma once

#include <string>
#include <vector>

#include "app/shortcuts.h"
#include "engine/solver/settings.h"

namespace plica {

struct ExportDialog;
struct LabExportDialog;

class CommandSink {
public:
    virtual ~CommandSink() = default;
    virtual void act(Action action) = 0;
    virtual void set_setting(const std::string& key, double stored) = 0;
    virtual void set_switch(const std::string& key, bool on) = 0;
    virtual void set_contact_mode(ContactMode mode) = 0;
    virtual void show_frame(int frame) = 0;
    virtual void set_speed(double speed) = 0;
    virtual void continue_from(int frame, bool keep_present, bool start) = 0;
    virtual void ask_continue_from(int frame, bool start) = 0;  // lists differences first where there are any
    virtual void go_to_branch(std::size_t branch) = 0;
    virtual void discard_branch(std::size_t branch) = 0;
    virtual void edit_track(int support) = 0;
    // Values of the scene file by key, as `plica run --set` takes them; the run starts anew. "" or why they were refused.
    virtual std::string change_scene(const std::vector<std::pair<std::string, std::string>>& values) = 0;
    virtual void open(const std::string& path) = 0;
    // Looks at a mesh and asks how to take it; unit "" is what the file says or its size makes likely.
    virtual void ask_import(const std::string& path, const std::string& unit, double thickness) = 0;
    virtual void import_mesh(const std::string& path, const std::string& unit, double thickness) = 0;
    virtual void save(const std::string& path) = 0;
    virtual void start_export(const ExportDialog& what) = 0;
    virtual void export_lab(const LabExportDialog& what) = 0;
    virtual void cancel_export(int job) = 0;
    virtual void dismiss_banner(std::size_t banner) = 0;
    virtual void select(const std::vector<int>& vertices, bool add) = 0;
    virtual void select_body(int body) = 0;
    virtual void go_to(const std::vector<int>& particles) = 0;  // selects what can be and brings it into view
    virtual void view_changed() = 0;                            // colours, overlays: draw the view anew
    virtual void settings_changed() = 0;                        // preferences: scale, theme
};

}  // namespace plica
