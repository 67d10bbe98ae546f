// What the window itself remembers while it is open and is not part of the document: selection, dialogs, text being typed.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/settings.h"
#include "app/studio/lab_export.h"
#include "app/studio/ui_log.h"
#include "app/studio/wall_experiment.h"
#include "engine/core/types.h"
#include "engine/scene/mesh_import.h"
#include "engine/scene/scene.h"

namespace plica {

struct Selection {
    std::set<int> vertices;  // film vertices, particle indices
    int body = -1;           // sphere or obstacle, index into the model's bodies; -1 none
    int support = -1;        // of the scene's supports; -1 none
    bool empty() const { return vertices.empty() && body < 0; }
    void clear() { *this = Selection(); }
};

struct HoverInfo {
    int vertex = -1, triangle = -1, body = -1;
    Vec3 position;
    double gap = 0;  // m, to the nearest other part; NaN unknown
};

// A file dialog inside the window.
struct FileDialog {
    enum class Use { None, Open, Save, Export } use = Use::None;
    std::string folder, name, message;
    struct Entry {
        std::string name;
        bool folder = false;
        double size = 0;  // bytes
    };
    std::vector<Entry> entries;
    bool just_opened = false;
};

struct ExportDialog {
    bool open = false;
    int kind = 0;  // see export_job.h
    std::string path;
    int width = 1280, height = 720, fps = 60;
    double speed = 0.5, from = 0, to = 0;
    int every = 1;
    int mesh_format = 0;  // OBJ, PLY, PC2
    std::string message;
};

// What a mesh is taken for, before it is imported.
struct ImportDialog {
    bool open = false;
    bool reading = false;  // looks at the mesh again, with another unit or thickness
    std::string path, unit;
    double thickness = 30e-6;  // m
    ImportReport report;       // with `unit` and `thickness`
};

// A support's tracks under edit.
struct TrackDialog {
    bool open = false;
    int support = -1;  // of the scene
    SupportTrack edited;
    std::string error;  // why the change was refused
};

struct ContinueDialog {
    bool open = false;
    int frame = 0;
    bool start = false;
};

// The view of the 1-D lab. Its values are remembered in the settings.
struct LabState {
    bool open = false;  // shown in place of the scene
    WallExperiment experiment;
    LandscapeRange range;    // of the landscape as shown
    bool zoomed = false;     // its range was chosen by hand
    bool near_wall = false;  // the lanes show the landscape's range
    int listed = -1;         // iterates in the list: it scrolls when they change
    LabExportDialog export_dialog;
    float x = 0, y = 0, width = 0, height = 0;  // of the view in the window
    float plot_left = 0, plot_right = 1;        // of the landscape's range in the window
};

// The cut across a fold.
struct SectionState {
    double at = 0.5;               // part of the crease's length
    bool whole = true;             // else only what is near the crease
    const void* fitted = nullptr;  // document for which the range was chosen
};

struct UiState {
    Settings settings;
    UiLog log;

    Selection selection;
    HoverInfo hover;
    bool grab_tool = false;
    bool help_open = false;
    bool preferences_open = false;
    bool reset_layout = false;
    FileDialog file_dialog;
    ExportDialog export_dialog;
    ContinueDialog continue_dialog;
    TrackDialog track_dialog;
    ImportDialog import_dialog;
    LabState lab;
    SectionState section;
    std::string open_error;   // why nothing is open
    int shown_pair = -1;      // of the newest banner with pairs: the one gone to; -1 all are listed
    std::string about_close;  // asked to close: why the window waits

    // Text being typed.
    unsigned edit_id = 0;
    std::string edit_text;
    unsigned error_id = 0;  // field whose text was refused
    std::string error_text;
    double error_until = 0;  // s, window time

    // Range of the plots, s; follows the run while `plot_follow`.
    bool plot_follow = true;
    double plot_begin = 0, plot_end = 0;
    bool scrubbing = false;
    std::string search;  // filter of the scene tree

    double fps = 0;   // frames drawn in the last second
    double time = 0;  // s since the window opened
    float scale = 1;  // of the whole user interface
};

}  // namespace plica
