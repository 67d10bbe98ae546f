// What is open: a scene or a recording, its simulation on a thread of its own, all frames, edits, and what went wrong.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/playback.h"
#include "app/sim_thread.h"
#include "app/studio/undo.h"
#include "app/timeline.h"
#include "engine/recording/recording.h"
#include "engine/scenario/fold_press.h"
#include "engine/scene/mesh_import.h"
#include "engine/scene/scene.h"

namespace plica {

// Result of opening a file, made on a background thread.
struct Loaded {
    std::string path;
    Scene scene;
    std::optional<Simulation> simulation;  // none: see why_no_simulation
    std::string why_no_simulation;
    std::shared_ptr<RecordingReader> reader;  // set for recordings
    std::string note;                         // what was odd but tolerable, import report
    std::vector<double> times;                // of the recording's frames
    std::vector<std::vector<double>> gauges;  // per GaugeSpec of the recording
    FramePtr last_frame;                      // of the recording
    std::optional<ImportReport> question;     // a mesh that was only looked at; no scene was made
};

// Opens a scene (.toml), a recording (.h5) or a mesh (.obj); throws InputError. No window needed.
struct LoadOptions {
    std::string unit;          // of a mesh: "mm", …; "": what the file says
    double thickness = 30e-6;  // m, of a mesh's film
    bool ask = false;          // look at a mesh only, with the unit that is likely where none is given or said
};
bool is_mesh_file(const std::string& path);
Loaded load_document(const std::string& path, const LoadOptions& options = {});

// The frames before a recording begins: the first ones from another recording, the others from memory.
struct PastFrames {
    std::shared_ptr<RecordingReader> reader;
    int stored = 0;
    std::vector<FramePtr> frames;
    std::vector<Simulation::LoggedCommand> commands;
    int count() const { return stored + int(frames.size()); }
    FramePtr frame(int index) const;  // takes the lock for those on disk
};

// A message over the view that stays until it is dealt with.
struct Banner {
    enum class Kind { Info, Warning, Error } kind = Kind::Info;
    std::string title, text;
    std::vector<ContactPair> pairs;
    std::vector<Int2> triangle_pairs;
    int pair_count = 0;
    int particle = -1;
    int frame = -1;  // the last good frame, for "continue from"
    bool offer_continue = false;
};

// A grip that pulls a film point, as the window keeps it.
struct GripHandle {
    int vertex = -1;
    Vec3 target;
    double stiffness = 0, limit = 0;
};

class Document {
public:
    Document(Loaded loaded, std::function<void()> wake);
    ~Document();

    const Scene& scene() const { return scene_; }
    const Model* model() const { return model_.get(); }
    const FoldPress* press() const { return press_ ? &*press_ : nullptr; }  // its layout only; none for other scenes
    const std::string& path() const { return path_; }
    bool is_recording() const { return reader_ != nullptr; }
    bool has_simulation() const { return thread_ != nullptr; }
    const std::string& why_no_simulation() const { return why_no_simulation_; }
    std::string title() const;

    int film_vertex_count() const { return film_vertices_; }
    const std::vector<Int3>& triangles() const { return triangles_; }  // all surfaces, particle indices
    int film_triangle_count() const { return film_triangles_; }
    std::string body_name(int particle) const;

    Timeline timeline;
    Playback playback;
    UndoStack undo_stack;
    bool scene_undo = false;  // the scene was changed in the window; undo can take that back
    std::vector<Banner> banners;

    // As they are after the last event from the solving thread.
    const SolverSettings& settings() const { return settings_; }
    const ContactSwitches& switches() const { return switches_; }
    // Shown value of a setting: what was asked for and waits for the next step, else the one in force.
    double setting(const std::string& key) const;
    bool setting_pending(const std::string& key) const { return pending_.count(key) > 0; }
    bool switch_on(const std::string& key) const;
    ContactMode contact_mode() const;
    // The settings that were in force at a frame.
    void settings_at(int frame, SolverSettings& settings, ContactSwitches& switches) const;
    // Names of what differs now from a frame of the past: "friction µ 0.35 → 0.2".
    std::vector<Command> differences_to(int frame) const;

    const std::map<int, double>& pins() const { return pins_; }  // vertex → stiffness
    const std::map<int, Vec3>& pin_targets() const { return pin_targets_; }
    const std::map<int, GripHandle>& grips() const { return grips_; }

    // Edits: commands to the simulation with their way back.
    void set_setting(const std::string& key, double stored);
    void set_switch(const std::string& key, bool on);
    void set_contact_mode(ContactMode mode);
    void pin(const std::vector<int>& vertices, double stiffness);
    void release(const std::vector<int>& vertices);
    void grip(const GripHandle& handle, bool same_drag);
    void end_drag() { undo_stack.end_merge(); }
    void undo();
    void redo();

    // The run.
    RunState run_state() const { return thread_ ? thread_->state() : RunState::Paused; }
    LiveProgress progress() const { return thread_ ? thread_->progress() : LiveProgress(); }
    void run();
    void pause();
    void step_once();
    void give_up_step();
    // Computes on from `frame`; the old future becomes a branch. With `keep_present` the settings of now are given again there.
    void continue_from(int frame, bool keep_present, bool start);
    void go_to_branch(std::size_t branch);

    // Where frames are recorded; "" = nowhere. Recording begins with the first step.
    void record_to(std::string path) { record_path_ = std::move(path); }
    bool records() const { return !record_path_.empty(); }
    PastFrames past_frames(int count) const;
    const std::string& recording_path() const { return recording_now_; }
    bool unsaved() const { return timeline.size() > 1 && recording_now_.empty() && !is_recording(); }
    void mark_saved(const std::string& path) { saved_path_ = path; }

    // Takes in what the solver has to tell; true when something changed.
    bool poll();
    int unseen_errors() const { return int(banners.size()); }
    // Steps accepted per second of wall time, over the last second.
    double steps_per_second() const { return steps_per_second_; }
    double real_time_factor() const { return real_time_factor_; }

private:
    void handle(FrameEvent& event);
    void handle(CommandEvent& event);
    void handle(StepErrorEvent& event);
    void handle(GateEvent& event);
    void handle(RestoredEvent& event);
    void handle(EndEvent& event);
    void handle(RecordingErrorEvent& event);
    void post(const std::vector<Command>& commands);
    void expect_handles(const Command& command);
    void take(SimSnapshot& now);
    void start_recording();
    void measure_rate();

    std::string path_;
    Scene scene_;
    std::unique_ptr<const Model> model_;
    std::optional<FoldPress> press_;
    std::vector<Int3> triangles_;
    int film_triangles_ = 0, film_vertices_ = 0;
    std::shared_ptr<RecordingReader> reader_;
    std::string why_no_simulation_;
    std::string record_path_, recording_now_, saved_path_;
    int recording_serial_ = 0;
    bool want_new_recording_ = false;

    SolverSettings settings_;
    ContactSwitches switches_;
    std::map<std::string, double> pending_;
    std::map<int, double> pins_;
    std::map<int, GripHandle> grips_;
    int unanswered_ = 0;  // commands given that have not come back yet
    int last_clean_step_ = -1;
    std::map<int, Vec3> pin_targets_;
    int expected_restores_ = 0;  // frames that come before the last restore took place are of a dropped future

    double rate_began_ = 0;
    int rate_steps_ = 0;
    double rate_time_ = 0;
    double steps_per_second_ = 0, real_time_factor_ = 0;

    std::unique_ptr<SimThread> thread_;
};

// One lock around all uses of readers: window and exports share them.
std::mutex& recording_mutex();

// A recording as a sink: writes `past` first, then what comes.
std::unique_ptr<FrameSink> open_recording_sink(const std::string& path, const Simulation& simulation, const PastFrames& past);

}  // namespace plica
