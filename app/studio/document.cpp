#include "app/studio/document.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>

#include "app/number_text.h"
#include "app/studio/setting_rows.h"
#include "engine/core/error.h"
#include "engine/scene/setting_table.h"
#include "engine/solver/solver.h"

namespace plica {

namespace fs = std::filesystem;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Command setting_command(const std::string& key, double value) {
    Command c;
    c.kind = Command::Kind::SetSetting;
    c.key = key;
    c.value = value;
    return c;
}

Command mode_command(ContactMode mode) {
    Command c;
    c.kind = Command::Kind::SetSwitch;
    c.key = "contact";
    c.value = double(mode);
    return c;
}

Command switch_command(const std::string& key, bool on) {
    Command c;
    c.kind = Command::Kind::SetSwitch;
    c.key = key;
    c.value = on ? 1 : 0;
    return c;
}

Command vertices_command(Command::Kind kind, std::vector<int> vertices, double stiffness = 0) {
    Command c;
    c.kind = kind;
    c.vertices = std::move(vertices);
    c.value = stiffness;
    return c;
}

Command grip_command(const GripHandle& handle) {
    Command c;
    c.kind = Command::Kind::Grip;
    c.vertices = {handle.vertex};
    c.value = handle.stiffness;
    c.limit = handle.limit;
    c.target = handle.target;
    return c;
}

double stored_setting(const SolverSettings& settings, const std::string& key) {
    const SettingSpec* spec = find_setting(key);
    return spec ? setting_value(settings, *spec) : 0;
}

std::string count_text(std::size_t n, const char* one, const char* many) {
    return std::to_string(n) + " " + (n == 1 ? one : many);
}

// name.h5 → name-2.h5, name-2.h5 → name-3.h5
std::string next_serial_path(const std::string& path, int serial) {
    const fs::path p(path);
    return (p.parent_path() / (p.stem().string() + "-" + std::to_string(serial) + p.extension().string())).string();
}

}  // namespace

Document::Document(Loaded loaded, std::function<void()> wake)
    : path_(std::move(loaded.path)),
      scene_(std::move(loaded.scene)),
      reader_(std::move(loaded.reader)),
      why_no_simulation_(std::move(loaded.why_no_simulation)) {
    for (const Film& film : scene_.films) {
        film_vertices_ += int(film.start.size());
        film_triangles_ += int(film.triangles.size());
    }
    settings_ = scene_.solver;
    switches_ = scene_.switches;
    if (loaded.simulation) {
        model_ = std::make_unique<const Model>(loaded.simulation->model());
        triangles_ = model_->triangles;
        if (scene_.press) press_.emplace(scene_, *model_);
        settings_ = loaded.simulation->settings();
        switches_ = loaded.simulation->switches();
    }
    if (reader_) {
        std::lock_guard lock(recording_mutex());
        if (!model_) triangles_ = reader_->info().triangles;
        film_vertices_ = reader_->info().film_vertex_count;
        timeline = Timeline(reader_->info().gauges);
        auto reader = reader_;
        timeline.set_stored(std::move(loaded.times), std::move(loaded.gauges), [reader](int index) {
            std::lock_guard read_lock(recording_mutex());
            return reader->frame(index);
        });
        for (const auto& logged : reader_->commands()) timeline.log(logged.step, logged.command);
        recording_now_ = path_;
        playback.live = false;
    } else if (loaded.simulation) {
        timeline = Timeline(loaded.simulation->gauges());
        timeline.push(loaded.simulation->frame());
        if (loaded.simulation->start_error()) {
            const StepError& error = *loaded.simulation->start_error();
            Banner banner;
            banner.kind = Banner::Kind::Error;
            banner.title = "The scene cannot start: surfaces overlap";
            banner.text = error.message;
            banner.pairs = error.pairs;
            banner.triangle_pairs = error.triangle_pairs;
            banner.pair_count = error.pair_count;
            banners.push_back(std::move(banner));
        }
    }
    if (!loaded.note.empty()) {
        Banner banner;
        banner.title = "Note";
        banner.text = loaded.note;
        banners.push_back(std::move(banner));
    }
    if (loaded.simulation) {
        thread_ = std::make_unique<SimThread>(std::move(*loaded.simulation), std::move(wake));
        if (reader_ && loaded.last_frame) {
            expected_restores_ = 1;
            thread_->restore(loaded.last_frame, loaded.last_frame->controller, timeline.commands());
        }
    }
}

Document::~Document() = default;

std::string Document::title() const {
    std::string name = path_.empty() ? scene_.name : fs::path(path_).filename().string();
    if (name.empty()) name = "untitled";
    return name;
}

std::string Document::body_name(int particle) const {
    if (!model_ || particle < 0 || particle >= model_->particle_count()) return {};
    return model_->bodies[std::size_t(model_->body[std::size_t(particle)])].name;
}

double Document::setting(const std::string& key) const {
    if (const auto it = pending_.find(key); it != pending_.end()) return it->second;
    return stored_setting(settings_, key);
}

bool Document::switch_on(const std::string& key) const {
    if (const auto it = pending_.find(key); it != pending_.end()) return it->second != 0;
    for (const SwitchRow& row : switch_rows())
        if (key == row.key) return switches_.*row.member;
    if (key.rfind("body:", 0) == 0 && model_)
        for (std::size_t b = 0; b < model_->bodies.size(); ++b)
            if (key.compare(5, std::string::npos, model_->bodies[b].name) == 0)
                return b >= switches_.body_off.size() || !switches_.body_off[b];
    return true;
}

ContactMode Document::contact_mode() const {
    const auto it = pending_.find("contact");
    return it != pending_.end() ? ContactMode(int(it->second)) : switches_.mode;
}

void Document::settings_at(int frame, SolverSettings& settings, ContactSwitches& switches) const {
    settings = scene_.solver;
    switches = scene_.switches;
    const double time = timeline.time(frame);
    const int step = timeline.step(frame);
    for (const SettingChange& change : scene_.changes)
        if (change.time <= time) plica::set_setting(settings, change.key, change.value);
    for (const auto& logged : timeline.commands()) {
        if (logged.step > step) continue;
        const Command& c = logged.command;
        if (c.kind == Command::Kind::SetSetting) plica::set_setting(settings, c.key, c.value);
        if (c.kind != Command::Kind::SetSwitch) continue;
        if (c.key == "contact") switches.mode = ContactMode(int(c.value));
        for (const SwitchRow& row : switch_rows())
            if (c.key == row.key) switches.*row.member = c.value != 0;
        if (c.key.rfind("body:", 0) == 0 && model_) {
            switches.body_off.resize(model_->bodies.size());
            for (std::size_t b = 0; b < model_->bodies.size(); ++b)
                if (c.key.compare(5, std::string::npos, model_->bodies[b].name) == 0) switches.body_off[b] = c.value == 0;
        }
    }
}

std::vector<Command> Document::differences_to(int frame) const {
    std::vector<Command> out;
    SolverSettings then;
    ContactSwitches switches_then;
    settings_at(frame, then, switches_then);
    // Only what people changed counts: a change that the scene makes by itself comes again.
    std::set<std::string> edited;
    for (const auto& logged : timeline.commands()) edited.insert(logged.command.key);
    for (const SettingRow& row : setting_rows())
        if (edited.count(row.key) && setting(row.key) != stored_setting(then, row.key))
            out.push_back(setting_command(row.key, setting(row.key)));
    if (contact_mode() != switches_then.mode) out.push_back(mode_command(contact_mode()));
    for (const SwitchRow& row : switch_rows())
        if (switch_on(row.key) != switches_then.*row.member) out.push_back(switch_command(row.key, switch_on(row.key)));
    if (model_)
        for (std::size_t b = 0; b < model_->bodies.size(); ++b) {
            const bool on_then = b >= switches_then.body_off.size() || !switches_then.body_off[b];
            const std::string key = "body:" + model_->bodies[b].name;
            if (switch_on(key) != on_then) out.push_back(switch_command(key, switch_on(key)));
        }
    return out;
}

void Document::post(const std::vector<Command>& commands) {
    if (!thread_) return;
    for (const Command& c : commands) {
        if (c.kind == Command::Kind::SetSetting || c.kind == Command::Kind::SetSwitch) pending_[c.key] = c.value;
        expect_handles(c);
        ++unanswered_;
        thread_->post(c);
    }
}

void Document::set_setting(const std::string& key, double stored) {
    const SettingRow* row = setting_row(key);
    if (!thread_ || !row) return;
    const double before = setting(key);
    if (before == stored) return;
    const std::string unit = *row->unit ? std::string(" ") + row->unit : std::string();
    Edit edit;
    edit.label =
        std::string(row->label) + " " + format_number(before * row->scale) + " → " + format_number(stored * row->scale) + unit;
    edit.redo = {setting_command(key, stored)};
    edit.undo = {setting_command(key, before)};
    post(edit.redo);
    undo_stack.push(std::move(edit));
}

void Document::set_switch(const std::string& key, bool on) {
    if (!thread_ || switch_on(key) == on) return;
    Edit edit;
    std::string name = key;
    for (const SwitchRow& row : switch_rows())
        if (key == row.key) name = row.label;
    if (key.rfind("body:", 0) == 0) name = "Contact with " + key.substr(5);
    edit.label = name + (on ? " on" : " off");
    edit.redo = {switch_command(key, on)};
    edit.undo = {switch_command(key, !on)};
    post(edit.redo);
    undo_stack.push(std::move(edit));
}

void Document::set_contact_mode(ContactMode mode) {
    const ContactMode before = contact_mode();
    if (!thread_ || mode == before) return;
    Edit edit;
    edit.redo = {mode_command(mode)};
    edit.undo = {mode_command(before)};
    edit.label = edit.redo[0].describe();
    post(edit.redo);
    undo_stack.push(std::move(edit));
}

void Document::pin(const std::vector<int>& vertices, double stiffness) {
    std::vector<int> fresh;
    for (int v : vertices)
        if (v >= 0 && v < film_vertices_ && !pins_.count(v)) fresh.push_back(v);
    if (!thread_ || fresh.empty()) return;
    Edit edit;
    edit.label = "Pin " + count_text(fresh.size(), "vertex", "vertices");
    edit.redo = {vertices_command(Command::Kind::Pin, fresh, stiffness)};
    edit.undo = {vertices_command(Command::Kind::Release, fresh)};
    post(edit.redo);
    undo_stack.push(std::move(edit));
}

void Document::release(const std::vector<int>& vertices) {
    std::vector<int> held;
    std::map<double, std::vector<int>> pinned;
    Edit edit;
    for (int v : vertices) {
        const auto pin = pins_.find(v);
        const auto grip = grips_.find(v);
        if (pin == pins_.end() && grip == grips_.end()) continue;
        held.push_back(v);
        if (pin != pins_.end()) pinned[pin->second].push_back(v);
        if (grip != grips_.end()) edit.undo.push_back(grip_command(grip->second));
    }
    if (!thread_ || held.empty()) return;
    for (auto& [stiffness, group] : pinned) edit.undo.push_back(vertices_command(Command::Kind::Pin, group, stiffness));
    edit.label = "Release " + count_text(held.size(), "vertex", "vertices");
    edit.redo = {vertices_command(Command::Kind::Release, held)};
    post(edit.redo);
    undo_stack.push(std::move(edit));
}

void Document::grip(const GripHandle& handle, bool same_drag) {
    if (!thread_ || handle.vertex < 0 || handle.vertex >= film_vertices_) return;
    Edit edit;
    edit.label = "Pull vertex " + std::to_string(handle.vertex);
    edit.merge = "grip " + std::to_string(handle.vertex);
    if (!same_drag) undo_stack.end_merge();
    if (const auto it = grips_.find(handle.vertex); it != grips_.end())
        edit.undo = {grip_command(it->second)};
    else
        edit.undo = {vertices_command(Command::Kind::Release, {handle.vertex})};
    edit.redo = {grip_command(handle)};
    post(edit.redo);
    undo_stack.push(std::move(edit));
}

void Document::undo() {
    if (thread_) post(undo_stack.undo());
}
void Document::redo() {
    if (thread_) post(undo_stack.redo());
}

void Document::expect_handles(const Command& c) {
    switch (c.kind) {
        case Command::Kind::Pin:
            for (int v : c.vertices) pins_[v] = c.value;
            break;
        case Command::Kind::Release:
            for (int v : c.vertices) {
                pins_.erase(v);
                grips_.erase(v);
            }
            break;
        case Command::Kind::Grip:
            if (!c.vertices.empty()) grips_[c.vertices[0]] = {c.vertices[0], c.target, c.value, c.limit};
            break;
        default: break;
    }
}

// What the solving thread says is so; while answers to commands are missing, pins and grips are shown as they will be.
void Document::take(SimSnapshot& now) {
    settings_ = now.settings;
    switches_ = std::move(now.switches);
    last_clean_step_ = now.last_clean_step;
    if (unanswered_ > 0) return;
    pins_.clear();
    pin_targets_.clear();
    grips_.clear();
    for (const auto& p : now.pins) {
        pins_[p.vertex] = p.stiffness;
        pin_targets_[p.vertex] = p.target;
    }
    for (const auto& g : now.grips) grips_[g.vertex] = {g.vertex, g.target, g.stiffness, g.limit};
}

PastFrames Document::past_frames(int count) const {
    PastFrames past;
    past.reader = reader_;
    past.stored = std::min(count, timeline.stored_count());
    for (int i = past.stored; i < count; ++i) past.frames.push_back(timeline.frame(i));
    const int last = count > 0 ? timeline.step(count - 1) : 0;
    past.commands = timeline.commands_before(last);
    return past;
}

void Document::start_recording() {
    want_new_recording_ = false;
    if (record_path_.empty()) return;
    const std::string path = recording_serial_ == 0 ? record_path_ : next_serial_path(record_path_, recording_serial_ + 1);
    ++recording_serial_;
    recording_now_ = path;
    PastFrames past = past_frames(timeline.size());
    thread_->set_sink([path, past = std::move(past)](const Simulation& simulation) {
        std::error_code ec;
        if (const fs::path folder = fs::path(path).parent_path(); !folder.empty()) fs::create_directories(folder, ec);
        return open_recording_sink(path, simulation, past);
    });
}

void Document::run() {
    if (!thread_) return;
    if (recording_serial_ == 0 || want_new_recording_) start_recording();
    rate_began_ = now();
    rate_steps_ = 0;
    rate_time_ = 0;
    std::erase_if(banners, [](const Banner& b) { return b.offer_continue; });
    thread_->run();
}

void Document::pause() {
    if (thread_) thread_->pause();
}

void Document::step_once() {
    if (!thread_) return;
    if (recording_serial_ == 0 || want_new_recording_) start_recording();
    thread_->step_once();
}

void Document::give_up_step() {
    if (thread_) thread_->interrupt();
}

void Document::continue_from(int frame, bool keep_present, bool start) {
    if (!thread_ || frame < 0 || frame >= timeline.size()) return;
    const std::vector<Command> again = keep_present ? differences_to(frame) : std::vector<Command>();
    FramePtr from = timeline.frame(frame);
    const std::string controller = timeline.controller(frame);
    timeline.branch_at(frame);
    pending_.clear();
    banners.clear();
    ++expected_restores_;
    thread_->restore(std::move(from), controller, timeline.commands());
    undo_stack.clear();
    if (recording_serial_ > 0 || is_recording()) {
        // The file of the old future stays as it is; the new one gets a file of its own.
        if (recording_serial_ > 0) thread_->set_sink({});
        recording_now_.clear();
        want_new_recording_ = true;
    }
    post(again);
    playback.go_live(timeline);
    if (start) run();
}

void Document::go_to_branch(std::size_t branch) {
    if (!thread_ || branch >= timeline.branches().size()) return;
    timeline.swap_branch(branch);
    const int last = timeline.size() - 1;
    pending_.clear();
    banners.clear();
    ++expected_restores_;
    thread_->restore(timeline.frame(last), timeline.controller(last), timeline.commands());
    undo_stack.clear();
    if (recording_serial_ > 0) {
        thread_->set_sink({});
        recording_now_.clear();
        want_new_recording_ = true;
    }
    playback.show(std::min(playback.shown, last), timeline);
}

bool Document::poll() {
    if (!thread_) return false;
    std::vector<SimEvent> events = thread_->take_events();
    for (SimEvent& event : events) std::visit([&](auto& e) { handle(e); }, event);
    if (rate_began_ > 0 && run_state() == RunState::Running) measure_rate();
    if (run_state() == RunState::Paused) steps_per_second_ = real_time_factor_ = 0;
    return !events.empty();
}

void Document::measure_rate() {
    const double elapsed = now() - rate_began_;
    if (elapsed < 1) return;
    steps_per_second_ = rate_steps_ / elapsed;
    real_time_factor_ = rate_time_ / elapsed;
    rate_began_ = now();
    rate_steps_ = 0;
    rate_time_ = 0;
}

void Document::handle(FrameEvent& event) {
    if (expected_restores_ > 0) return;
    ++rate_steps_;
    if (!timeline.empty()) rate_time_ += event.frame->time - timeline.time(timeline.size() - 1);
    timeline.push(std::move(event.frame));
    take(event.now);
}

void Document::handle(CommandEvent& event) {
    unanswered_ = std::max(0, unanswered_ - 1);
    if (expected_restores_ > 0) return;
    pending_.erase(event.command.key);
    take(event.now);
    if (event.refused.empty()) {
        timeline.log(event.step, std::move(event.command));
        return;
    }
    undo_stack.refused(event.command);
    Banner banner;
    banner.kind = Banner::Kind::Warning;
    banner.title = "Refused: " + event.command.describe();
    banner.text = event.refused;
    // Switched on in a tangle: the last frame without intersections is the one to go back to.
    if (event.command.kind == Command::Kind::SetSwitch && last_clean_step_ >= 0) {
        int clean = timeline.size() - 1;
        while (clean > 0 && timeline.step(clean) > last_clean_step_) --clean;
        if (clean < timeline.size() - 1) {
            banner.frame = clean;
            banner.offer_continue = true;
        }
    }
    banners.push_back(std::move(banner));
}

void Document::handle(StepErrorEvent& event) {
    if (expected_restores_ > 0) return;
    std::erase_if(banners, [](const Banner& b) { return b.kind == Banner::Kind::Error; });
    Banner banner;
    banner.kind = Banner::Kind::Error;
    banner.title = "Step " + std::to_string(event.step) + " failed: " + reason_text(event.error.reason) +
                   " (after t = " + format_number(event.time, 6) + " s)";
    banner.text = event.error.message;
    banner.pairs = event.error.pairs;
    banner.triangle_pairs = event.error.triangle_pairs;
    banner.pair_count = event.error.pair_count;
    banner.particle = event.error.particle;
    banner.frame = timeline.size() - 1;
    banner.offer_continue = true;
    timeline.note_failure(timeline.size() - 1, banner.title);
    banners.push_back(std::move(banner));
}

void Document::handle(GateEvent& event) {
    if (expected_restores_ > 0) return;
    Banner banner;
    banner.kind = Banner::Kind::Error;
    banner.title = "A gate of the scene does not hold at step " + std::to_string(event.step) +
                   ", t = " + format_number(event.time, 6) + " s";
    banner.text = event.message;
    banner.frame = timeline.size() - 1;
    banner.offer_continue = true;
    timeline.note_failure(timeline.size() - 1, event.message);
    banners.push_back(std::move(banner));
}

void Document::handle(RestoredEvent& event) {
    expected_restores_ = std::max(0, expected_restores_ - 1);
    take(event.now);
    if (event.refused.empty()) return;
    Banner banner;
    banner.kind = Banner::Kind::Error;
    banner.title = "The run cannot be continued from this frame";
    banner.text = event.refused;
    banners.push_back(std::move(banner));
}

void Document::handle(EndEvent& event) {
    if (expected_restores_ > 0 || !event.scene_end) return;
    Banner banner;
    banner.title = "The scene has come to its end";
    banner.text = std::to_string(timeline.size() - 1) + " steps, t = " + format_number(timeline.time(timeline.size() - 1), 6) +
                  " s. Space computes on beyond the end.";
    banners.push_back(std::move(banner));
}

void Document::handle(RecordingErrorEvent& event) {
    std::erase_if(banners, [](const Banner& b) { return b.title.rfind("Recording", 0) == 0; });
    Banner banner;
    banner.kind = Banner::Kind::Error;
    if (event.goes_on) {
        banner.title = "Recording: no room, the run is paused";
        banner.text = event.message + " Nothing is lost: make room and run on.";
    } else {
        banner.title = "Recording ended, the run is paused";
        banner.text = event.message + ". All frames are still in memory: save them elsewhere, or run on without a recording.";
        recording_now_.clear();
    }
    banners.push_back(std::move(banner));
}

}  // namespace plica
