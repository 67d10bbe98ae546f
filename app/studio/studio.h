// The window in which scenes are authored, run and looked at.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace plica {

struct StudioOptions {
    std::string scene_or_recording = "bag";  // path or the name of a shipped scene
    int width = 0, height = 0;               // screen units; 0: as last time
    bool lab = false;                        // opens with the 1-D lab
    bool start_running = false;
    std::string record_to;                                 // "": the data folder, if the settings say so
    int threads = 0;                                       // of the solver; 0: as the scene says
    std::vector<std::pair<std::string, std::string>> set;  // as --set key=value
    std::string ui_log;                                    // for tests: see ui_log.h
    std::string settings_file;                             // "": that of the user
};

// Opens the window and returns the exit status when it is closed: 0 done, 2 no window possible or the first file cannot be
// opened (message on stderr). Throws InputError for options that cannot be.
int run_studio(const StudioOptions& options);

}  // namespace plica
