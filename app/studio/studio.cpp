#include "app/studio/studio.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/number_text.h"
#include "app/panels/panels.h"
#include "app/studio/action_state.h"
#include "app/studio/command_sink.h"
#include "app/studio/document.h"
#include "app/studio/export_job.h"
#include "app/studio/load_job.h"
#include "app/studio/theme.h"
#include "app/studio/view3d.h"
#include "app/studio/widgets.h"
#include "app/studio/window.h"
#include "engine/core/error.h"
#include "engine/core/output_file.h"
#include "engine/scene/scene_file.h"
#include "imgui.h"
#include "imgui_impl_glfw.h"
#include "imgui_impl_opengl3.h"
#include "imgui_internal.h"
#include "implot.h"
#include "render/image.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <glad/gl.h>

namespace plica {

namespace fs = std::filesystem;

namespace {

constexpr double busy_rate = 36;  // redraws a second while the solver runs and nobody touches the window
constexpr double active_rate = 60;
constexpr double max_recordings_bytes = 2e9;

double now() {
    static const auto start = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// ImGui, ImPlot and their backends, in the right order of birth and death.
class Gui {
public:
    explicit Gui(GLFWwindow* window, const std::string& layout_file) : layout_file_(layout_file) {
        IMGUI_CHECKVERSION();
        ImGui::CreateContext();
        ImPlot::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = layout_file_.empty() ? nullptr : layout_file_.c_str();
        io.ConfigFlags |= ImGuiConfigFlags_DockingEnable;
        io.ConfigWindowsMoveFromTitleBarOnly = true;
        io.ConfigInputTextCursorBlink = false;  // an idle window is not redrawn
        io.ConfigDockingWithShift = true;
        ImGui_ImplGlfw_InitForOpenGL(window, true);
        ImGui_ImplOpenGL3_Init("#version 330 core");
        fonts = load_fonts();
    }
    ~Gui() {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
        ImPlot::DestroyContext();
        ImGui::DestroyContext();
    }
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;
    Fonts fonts;

private:
    std::string layout_file_;
};

// The oldest recordings go when all of them take more room than they may; the newest three stay.
void tidy_recordings(const fs::path& folder) {
    std::error_code ec;
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    double bytes = 0;
    for (const auto& entry : fs::directory_iterator(folder, ec)) {
        if (entry.path().extension() != ".h5" || !entry.is_regular_file(ec)) continue;
        files.emplace_back(entry.last_write_time(ec), entry.path());
        bytes += double(entry.file_size(ec));
    }
    std::sort(files.begin(), files.end());
    for (std::size_t i = 0; i + 3 < files.size() && bytes > max_recordings_bytes; ++i) {
        bytes -= double(fs::file_size(files[i].second, ec));
        fs::remove(files[i].second, ec);
    }
}

std::string automatic_recording_path(const Document& document) {
    const std::string data = data_folder();
    if (data.empty()) return {};
    const fs::path folder = fs::path(data) / "recordings";
    std::error_code ec;
    fs::create_directories(folder, ec);
    if (ec) return {};
    tidy_recordings(folder);
    char stamp[32];
    const std::time_t t = std::time(nullptr);
    std::tm local{};
    localtime_r(&t, &local);
    std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
    std::string name = fs::path(document.path()).filename().string();
    name = name.substr(0, name.find('.'));
    if (name.empty()) name = "run";
    fs::path path = folder / (name + "-" + stamp + ".h5");
    for (int k = 2; fs::exists(path, ec); ++k) path = folder / (name + "-" + stamp + "-" + std::to_string(k) + ".h5");
    return path.string();
}

class Studio : public CommandSink {
public:
    explicit Studio(const StudioOptions& options);
    ~Studio() override;
    int run();

    // CommandSink
    void act(Action action) override;
    void set_setting(const std::string& key, double stored) override { document_->set_setting(key, stored); }
    void set_switch(const std::string& key, bool on) override { document_->set_switch(key, on); }
    void set_contact_mode(ContactMode mode) override { document_->set_contact_mode(mode); }
    void show_frame(int frame) override { document_->playback.show(frame, document_->timeline); }
    void set_speed(double speed) override {
        document_->playback.speed = std::clamp(speed, Playback::min_speed, Playback::max_speed);
    }
    void continue_from(int frame, bool keep_present, bool start) override {
        prepare_recording();
        document_->continue_from(frame, keep_present, start);
    }
    void ask_continue_from(int frame, bool start) override;
    void go_to_branch(std::size_t branch) override { document_->go_to_branch(branch); }
    void discard_branch(std::size_t branch) override { document_->timeline.discard_branch(branch); }
    void edit_track(int support) override;
    std::string change_scene(const std::vector<std::pair<std::string, std::string>>& values) override;
    void open(const std::string& path) override {
        wanted_file_ = path;
        wanted_options_ = {"", 30e-6, true};
    }
    void ask_import(const std::string& path, const std::string& unit, double thickness) override {
        wanted_file_ = path;
        wanted_options_ = {unit, thickness, true};
        ui_.import_dialog.reading = true;
    }
    void import_mesh(const std::string& path, const std::string& unit, double thickness) override {
        wanted_file_ = path;
        wanted_options_ = {unit, thickness, false};
    }
    void save(const std::string& path) override;
    void start_export(const ExportDialog& what) override;
    void export_lab(const LabExportDialog& what) override;
    void cancel_export(int job) override { exports_.cancel_or_close(job); }
    void dismiss_banner(std::size_t banner) override {
        if (banner < document_->banners.size()) document_->banners.erase(document_->banners.begin() + std::ptrdiff_t(banner));
    }
    void select(const std::vector<int>& vertices, bool add) override;
    void select_body(int body) override;
    void go_to(const std::vector<int>& particles) override;
    void view_changed() override { view_->redraw(); }
    void settings_changed() override { restyle_ = true; }

private:
    void begin_load(const std::string& path, const LoadOptions& how);
    void ask_about(const std::string& path, ImportReport report);
    void take_loaded();
    void adopt(Loaded loaded, bool fresh_view);
    void prepare_scene(Scene scene);
    void prepare_recording();
    void draw();
    void new_frame();
    void draw_over(const Document* shown, const std::vector<JobProgress>& jobs);
    void dock();
    void keys();
    std::vector<ImGuiKeyChord> take_chords();
    void restyle();
    void open_file_dialog(FileDialog::Use use);
    void grow_selection();
    double next_redraw(double t) const;
    void update_title();
    void act_in_lab(Action action);
    void take_lab_picture();
    bool plays_first() const {
        return document_ && document_->is_recording() && document_->timeline.size() == document_->timeline.stored_count();
    }

    StudioOptions options_;
    std::string settings_path_, settings_note_;
    UiState ui_;
    std::unique_ptr<LoadJob> load_;
    std::unique_ptr<Window> window_;
    std::unique_ptr<Gui> gui_;
    std::unique_ptr<View3d> view_;
    std::unique_ptr<Document> document_;
    ExportJobs exports_{&Window::wake};
    std::vector<Scene> earlier_scenes_;    // before each change of the open one
    std::optional<Loaded> changed_scene_;  // to be taken up
    std::string lab_picture_;              // where the next picture of the lab goes; "" nowhere
    std::string wanted_file_;
    LoadOptions wanted_options_, load_options_;
    bool quit_ = false, restyle_ = true;
    bool first_load_ = true;  // what the command line changes is still to be applied
    bool started_ = false;    // the first file was read: later ones may fail without an end of the program
    int redraws_ = 3;         // still to come
    double last_draw_ = -1;   // begin of the last picture
    double last_activity_ = 0, fps_began_ = 0, last_advance_ = 0;
    int fps_count_ = 0;
    int exports_running_ = 0;
    long drawn_ = 0;
    ImGuiKeyChord chord_mods_ = 0;  // modifiers held at the end of the last frame
    double saved_settings_ = 0;
};

Studio::Studio(const StudioOptions& options) : options_(options) {
    now();
    if (!options_.record_to.empty()) check_output_path(options_.record_to, "the recording");
    settings_path_ = options_.settings_file.empty() ? settings_path() : options_.settings_file;
    ui_.settings = load_settings(settings_path_, settings_note_);
    if (!options_.ui_log.empty()) ui_.log.open(options_.ui_log);
    ui_.lab.open = options_.lab;
    begin_load(options_.scene_or_recording, {"", 30e-6, true});
    // Software rendering and the solver share the cores: one thread for drawing is enough for this window.
    setenv("LP_NUM_THREADS", "1", 0);
    window_ = std::make_unique<Window>("Plica", options_.width, options_.height, ui_.settings);
    const std::string config =
        options_.settings_file.empty() ? config_folder() : fs::path(options_.settings_file).parent_path().string();
    gui_ = std::make_unique<Gui>(window_->handle(), config.empty() ? "" : (fs::path(config) / "layout.ini").string());
    view_ = std::make_unique<View3d>();
    if (!config.empty()) {
        std::error_code ec;
        fs::create_directories(config, ec);
    }
}

Studio::~Studio() {
    if (load_ && !load_->done()) load_->wait();
    document_.reset();  // stops the solver and closes the recording
    if (window_) window_->store_place(ui_.settings);
    if (gui_) save_settings(settings_path_, ui_.settings);
    view_.reset();
    gui_.reset();
    window_.reset();
}

void Studio::begin_load(const std::string& path, const LoadOptions& how) {
    load_options_ = how;
    const StudioOptions options = options_;
    const bool first = first_load_;
    load_ = std::make_unique<LoadJob>(
        path,
        [path, options, first, how] {
            Loaded loaded = load_document(path, how);
            // What the command line changes holds for the scene that it names.
            if (first && !loaded.reader && !loaded.question && (!options.set.empty() || options.threads > 0)) {
                for (const auto& [key, value] : options.set) set_value(loaded.scene, key, value);
                if (options.threads > 0) loaded.scene.solver.threads = options.threads;
                loaded.simulation.emplace(loaded.scene);
            }
            return loaded;
        },
        &Window::wake);
}

void Studio::adopt(Loaded loaded, bool fresh_view) {
    view_->set_document(nullptr, false);  // it looks at the one that goes
    document_.reset();
    document_ = std::make_unique<Document>(std::move(loaded), &Window::wake);
    view_->set_document(document_.get(), fresh_view);
    ui_.open_error.clear();
    ui_.shown_pair = -1;
    ui_.selection.clear();
    ui_.hover = HoverInfo();
    ui_.plot_follow = true;
    ui_.export_dialog = ExportDialog();
    ui_.continue_dialog = ContinueDialog();
    ui_.track_dialog.open = false;
    std::error_code ec;
    if (fs::exists(document_->path(), ec)) remember_recent(ui_.settings, fs::absolute(document_->path(), ec).string());
    if (!settings_note_.empty()) {
        Banner banner;
        banner.title = "Settings";
        banner.text = settings_note_;
        document_->banners.push_back(std::move(banner));
        settings_note_.clear();
    }
}

void Studio::take_loaded() {
    if (changed_scene_) {
        adopt(std::move(*changed_scene_), false);
        changed_scene_.reset();
        document_->scene_undo = !earlier_scenes_.empty();
    }
    if (!load_ || !load_->done()) return;
    std::unique_ptr<LoadJob> job = std::move(load_);
    redraws_ = std::max(redraws_, 3);
    if (job->loaded()) {
        started_ = true;
        if (job->loaded()->question) {
            ask_about(job->path(), std::move(*job->loaded()->question));
            return;
        }
        const bool first = first_load_;
        first_load_ = false;
        ui_.import_dialog.open = false;
        // A mesh may have another size now: the view frames it. Its report was seen in the dialog.
        const bool mesh = is_mesh_file(job->path());
        if (mesh) job->loaded()->note.clear();
        earlier_scenes_.clear();
        adopt(std::move(*job->loaded()), mesh);
        if (!first) ui_.lab.open = false;
        if (first && options_.start_running) act(Action::RunPause);
        return;
    }
    ui_.import_dialog.reading = ui_.import_dialog.open = false;
    if (!started_) throw InputError(job->error());
    ui_.open_error = job->error();
    Banner banner;
    banner.kind = Banner::Kind::Error;
    banner.title = "\"" + fs::path(job->path()).filename().string() + "\" was not opened";
    banner.text = job->error();
    if (document_) document_->banners.push_back(std::move(banner));
}

void Studio::ask_about(const std::string& path, ImportReport report) {
    ImportDialog& d = ui_.import_dialog;
    d.open = true;
    d.reading = false;
    d.path = path;
    d.unit = report.used_unit;
    d.thickness = load_options_.thickness;
    d.report = std::move(report);
}

// A run is recorded to where the command line says, else to the data folder if people want that.
void Studio::prepare_recording() {
    if (!document_ || !document_->has_simulation() || document_->records()) return;
    if (!options_.record_to.empty())
        document_->record_to(options_.record_to);
    else if (ui_.settings.keep_recordings)
        document_->record_to(automatic_recording_path(*document_));
    options_.record_to.clear();
}

void Studio::edit_track(int support) {
    if (!document_ || support < 0 || std::size_t(support) >= document_->scene().supports.size()) return;
    ui_.track_dialog = {true, support, document_->scene().supports[std::size_t(support)], ""};
}

std::string Studio::change_scene(const std::vector<std::pair<std::string, std::string>>& values) {
    Scene before = document_->scene(), changed = before;
    try {
        for (const auto& [key, value] : values) set_value(changed, key, value);
        changed.solver.threads = before.solver.threads;
        prepare_scene(std::move(changed));
    } catch (const InputError& e) {
        return e.what();
    }
    earlier_scenes_.push_back(std::move(before));
    return "";
}

// The open scene, changed: a run of its own from the start, taken up before the next picture (this one still shows the old).
void Studio::prepare_scene(Scene scene) {
    Loaded loaded;
    loaded.path = scene.path.empty() ? document_->path() : scene.path;
    loaded.simulation.emplace(scene);
    loaded.scene = std::move(scene);
    changed_scene_ = std::move(loaded);
    redraws_ = std::max(redraws_, 3);
}

void Studio::ask_continue_from(int frame, bool start) {
    if (!document_ || !document_->has_simulation()) return;
    if (document_->differences_to(frame).empty()) {
        continue_from(frame, false, start);
        return;
    }
    ui_.continue_dialog = {true, frame, start};
}

void Studio::save(const std::string& path) {
    if (!document_ || !document_->has_simulation()) return;
    if (fs::path(path).extension() == ".toml") {
        Banner banner;
        try {
            write_file(path, "the scene", [&](std::ostream& out) { out << document_->scene().text; });
            banner.title = "The scene was saved";
            banner.text = path;
        } catch (const InputError& e) {
            banner.kind = Banner::Kind::Error;
            banner.title = "The scene was not saved";
            banner.text = e.what();
        }
        document_->banners.push_back(std::move(banner));
        return;
    }
    exports_.save(document_->past_frames(document_->timeline.size()), document_->scene(), path);
}

void Studio::start_export(const ExportDialog& what) {
    if (!document_) return;
    const Document& doc = *document_;
    ExportSource source;
    source.frames = doc.past_frames(doc.timeline.size());
    source.times = doc.timeline.times();
    source.specs = doc.timeline.specs();
    for (int g = 0; g < int(source.specs.size()); ++g) source.gauges.push_back(doc.timeline.series(g).values());
    source.scene = doc.scene();
    if (doc.model()) source.model = std::make_shared<const Model>(*doc.model());
    source.triangles = doc.triangles();
    source.film_vertices = doc.film_vertex_count();
    source.film_triangles = doc.film_triangle_count();
    source.switches = doc.switches();
    ExportRequest request;
    request.what = what;
    if (request.what.to <= request.what.from) request.what.to = source.times.back();
    request.camera = view_->camera();
    request.style = view_->style(ui_);
    request.style.pixel_scale = std::max(1.0f, float(what.height) / 720);
    request.style.samples = 4;
    request.color_mode = ui_.settings.color_mode;
    exports_.start(std::move(source), std::move(request));
}

void Studio::export_lab(const LabExportDialog& what) {
    if (what.kind == int(LabExportKind::Picture)) {
        lab_picture_ = what.path;
        redraws_ = std::max(redraws_, 3);
        return;
    }
    const std::string title = std::string(lab_export_names[what.kind]) + ": " + fs::path(what.path).filename().string();
    exports_.start(title, [values = ui_.settings.lab, range = ui_.lab.range, what] {
        write_lab_table(values, range, LabExportKind(what.kind), what.path);
        return "written to " + what.path;
    });
}

// The lab as it was just drawn, without dialogs and notes over it.
void Studio::take_lab_picture() {
    const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
    const int x = int(ui_.lab.x * scale.x), top = int(ui_.lab.y * scale.y);
    Image image;
    image.width = std::min(int(ui_.lab.width * scale.x), window_->width_px() - x);
    image.height = std::min(int(ui_.lab.height * scale.y), window_->height_px() - top);
    const std::string path = std::exchange(lab_picture_, {});
    if (image.width <= 0 || image.height <= 0) return;
    const std::size_t row = 4 * std::size_t(image.width);
    std::vector<std::uint8_t> upside_down(row * std::size_t(image.height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(x, window_->height_px() - top - image.height, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE,
                 upside_down.data());
    image.pixels.resize(upside_down.size());
    for (int y = 0; y < image.height; ++y)
        std::copy_n(upside_down.data() + row * std::size_t(image.height - 1 - y), row, image.at(0, y));
    exports_.start("Picture (PNG): " + fs::path(path).filename().string(), [image = std::move(image), path] {
        write_png(image, path, true);
        return std::to_string(image.width) + " × " + std::to_string(image.height) + " px, written to " + path;
    });
}

void Studio::select(const std::vector<int>& vertices, bool add) {
    if (!add) ui_.selection.clear();
    ui_.selection.body = -1;
    ui_.selection.vertices.insert(vertices.begin(), vertices.end());
}

void Studio::select_body(int body) {
    ui_.selection.clear();
    ui_.selection.body = body;
}

void Studio::go_to(const std::vector<int>& particles) {
    std::vector<int> film;
    for (int p : particles)
        if (p >= 0 && p < document_->film_vertex_count()) film.push_back(p);
    select(film, false);
    view_->frame_particles(particles);
}

void Studio::grow_selection() {
    const std::set<int> before = ui_.selection.vertices;
    for (int t = 0; t < document_->film_triangle_count(); ++t) {
        const Int3& tri = document_->triangles()[std::size_t(t)];
        if (before.count(tri.a) || before.count(tri.b) || before.count(tri.c))
            ui_.selection.vertices.insert({tri.a, tri.b, tri.c});
    }
}

void Studio::open_file_dialog(FileDialog::Use use) {
    FileDialog& d = ui_.file_dialog;
    d = FileDialog();
    d.use = use;
    d.just_opened = true;
    std::error_code ec;
    fs::path folder =
        document_ && !document_->path().empty() ? fs::absolute(document_->path(), ec).parent_path() : fs::current_path(ec);
    if (use == FileDialog::Use::Save) {
        folder = fs::current_path(ec);
        std::string name = fs::path(document_->path()).filename().string();
        d.name = name.substr(0, name.find('.')) + ".h5";
    }
    d.folder = folder.string();
    list_folder(d);
}

void Studio::act(Action action) {
    if (!action_state(action, document_.get(), ui_).enabled) return;
    Document* doc = document_.get();
    Settings& s = ui_.settings;
    switch (action) {
        case Action::RunPause:
            if (doc->run_state() != RunState::Paused) {
                doc->pause();
            } else if (doc->playback.playing || plays_first() || !doc->has_simulation()) {
                doc->playback.toggle_play(doc->timeline);
            } else {
                prepare_recording();
                doc->playback.go_live(doc->timeline);
                doc->run();
            }
            break;
        case Action::StepSolver:
            prepare_recording();
            doc->playback.go_live(doc->timeline);
            doc->step_once();
            break;
        case Action::PlayPause: doc->playback.toggle_play(doc->timeline); break;
        case Action::NextFrame: doc->playback.show(doc->playback.shown + 1, doc->timeline); break;
        case Action::PreviousFrame: doc->playback.show(doc->playback.shown - 1, doc->timeline); break;
        case Action::FirstFrame: doc->playback.show(0, doc->timeline); break;
        case Action::LastFrame: doc->playback.show(doc->timeline.size() - 1, doc->timeline); break;
        case Action::Live: doc->playback.go_live(doc->timeline); break;
        case Action::ContinueHere: ask_continue_from(doc->playback.shown, true); break;
        case Action::Reset: ask_continue_from(0, false); break;
        case Action::GiveUpStep: doc->give_up_step(); break;
        case Action::Open: open_file_dialog(FileDialog::Use::Open); break;
        case Action::Save: open_file_dialog(FileDialog::Use::Save); break;
        case Action::Export:
            if (ui_.export_dialog.path.empty()) {
                std::error_code ec;
                std::string name = fs::path(doc->path()).filename().string();
                ui_.export_dialog.path = (fs::current_path(ec) / (name.substr(0, name.find('.')) + ".mp4")).string();
            }
            ui_.export_dialog.open = true;
            break;
        case Action::Quit: quit_ = true; break;
        case Action::Undo:
            if (!doc->undo_stack.can_undo() && !earlier_scenes_.empty()) {
                Scene before = std::move(earlier_scenes_.back());
                earlier_scenes_.pop_back();
                prepare_scene(std::move(before));
                return;
            }
            doc->undo();
            break;
        case Action::Redo: doc->redo(); break;
        case Action::PinSelection:
            doc->pin({ui_.selection.vertices.begin(), ui_.selection.vertices.end()}, s.pin_stiffness);
            break;
        case Action::ReleaseSelection: doc->release({ui_.selection.vertices.begin(), ui_.selection.vertices.end()}); break;
        case Action::ClearSelection: ui_.selection.clear(); break;
        case Action::SelectAll: {
            std::vector<int> all(std::size_t(doc->film_vertex_count()));
            for (std::size_t i = 0; i < all.size(); ++i) all[i] = int(i);
            select(all, false);
            break;
        }
        case Action::GrowSelection: grow_selection(); break;
        case Action::CopyIndices: {
            std::string text;
            for (int v : ui_.selection.vertices) text += (text.empty() ? "" : ", ") + std::to_string(v);
            ImGui::SetClipboardText(text.c_str());
            break;
        }
        case Action::FrameSelection:
            if (!ui_.selection.vertices.empty())
                view_->frame_particles({ui_.selection.vertices.begin(), ui_.selection.vertices.end()});
            else if (const Model* model = doc->model(); model && ui_.selection.body >= 0) {
                std::vector<int> members;
                for (int p = 0; p < model->particle_count(); ++p)
                    if (model->body[std::size_t(p)] == ui_.selection.body) members.push_back(p);
                view_->frame_particles(members);
            } else {
                view_->frame_all();
            }
            break;
        case Action::FrameAll: view_->frame_all(); break;
        case Action::ViewFront: view_->look_from(StandardView::Front); break;
        case Action::ViewSide: view_->look_from(StandardView::Right); break;
        case Action::ViewTop: view_->look_from(StandardView::Top); break;
        case Action::Wireframe: s.wireframe = !s.wireframe; break;
        case Action::Contacts: s.show_contacts = !s.show_contacts; break;
        case Action::Intersections: s.show_intersections = !s.show_intersections; break;
        case Action::CycleColors: s.color_mode = (s.color_mode + 1) % color_mode_count; break;
        case Action::FreezeView: doc->playback.frozen = !doc->playback.frozen; break;
        case Action::GrabTool: ui_.grab_tool = !ui_.grab_tool; break;
        case Action::ResetLayout: ui_.reset_layout = true; break;
        case Action::Preferences: ui_.preferences_open = !ui_.preferences_open; break;
        case Action::Help: ui_.help_open = !ui_.help_open; break;
        case Action::Lab: ui_.lab.open = !ui_.lab.open; break;
        case Action::LabRunPause:
        case Action::LabIterate:
        case Action::LabBack:
        case Action::LabStep:
        case Action::LabImpact:
        case Action::LabReset:
        case Action::LabFollow:
        case Action::LabNearWall:
        case Action::LabExport: act_in_lab(action); break;
    }
    redraws_ = std::max(redraws_, 3);
}

// Dear ImGui looks at the modifiers at the end of a frame's events: a chord whose modifier was let go within the frame of its
// key would be lost in text fields. What follows such a release waits for the next frame.
void Studio::new_frame() {
    ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
    bool pressed = false;
    int end = 0;
    for (; end < queue.Size; ++end) {
        const ImGuiInputEvent& event = queue[end];
        if (event.Type != ImGuiInputEventType_Key) continue;
        const bool modifier =
            (event.Key.Key & ImGuiMod_Mask_) || (event.Key.Key >= ImGuiKey_LeftCtrl && event.Key.Key <= ImGuiKey_RightSuper);
        if (pressed && modifier && !event.Key.Down) break;
        pressed = pressed || (event.Key.Down && !modifier);
    }
    const std::vector<ImGuiInputEvent> later(queue.begin() + end, queue.end());
    queue.resize(end);
    ImGui::NewFrame();
    for (const ImGuiInputEvent& event : later) queue.push_back(event);
    if (!queue.empty()) redraws_ = std::max(redraws_, 2);
}

void Studio::act_in_lab(Action action) {
    LabState& lab = ui_.lab;
    WallExperiment& experiment = lab.experiment;
    if (action != Action::LabRunPause && action != Action::LabFollow && action != Action::LabNearWall &&
        action != Action::LabExport)
        experiment.playing = false;
    switch (action) {
        case Action::LabRunPause:
            if (experiment.done()) experiment.reset();
            experiment.playing = !experiment.playing;
            break;
        case Action::LabIterate: experiment.advance(); break;
        case Action::LabBack: experiment.back(); break;
        case Action::LabStep: experiment.finish_step(); break;
        case Action::LabImpact: experiment.go_to_impact(); break;
        case Action::LabReset: experiment.reset(); break;
        case Action::LabFollow: ui_.settings.lab.follow = !ui_.settings.lab.follow; break;
        case Action::LabNearWall: lab.near_wall = !lab.near_wall; break;
        case Action::LabExport:
            if (lab.export_dialog.path.empty()) {
                std::error_code ec;
                lab.export_dialog.path = (fs::current_path(ec) / "lab.png").string();
            }
            lab.export_dialog.open = true;
            break;
        default: break;
    }
}

// The key chords pressed since the last frame, each with the modifiers of its moment: at a low frame rate a whole chord may
// begin and end between two frames.
std::vector<ImGuiKeyChord> Studio::take_chords() {
    std::vector<ImGuiKeyChord> chords;
    ImVector<ImGuiInputEvent>& trail = ImGui::GetCurrentContext()->InputEventsTrail;
    for (const ImGuiInputEvent& event : trail) {
        if (event.Type != ImGuiInputEventType_Key) continue;
        const ImGuiKey key = event.Key.Key;
        if (key & ImGuiMod_Mask_)
            chord_mods_ = event.Key.Down ? chord_mods_ | key : chord_mods_ & ~key;
        else if (event.Key.Down)
            chords.push_back(chord_mods_ | key);
    }
    trail.resize(0);
    return chords;
}

// No shortcut acts while text is being typed or a dialog waits for an answer.
void Studio::keys() {
    const std::vector<ImGuiKeyChord> chords = take_chords();
    const ImGuiIO& io = ImGui::GetIO();
    if (io.WantTextInput || ImGui::IsAnyItemActive() || ImGui::GetTopMostPopupModal()) return;
    const auto pressed = [&](ImGuiKeyChord chord) { return std::count(chords.begin(), chords.end(), chord); };
    if (pressed(ImGuiKey_Escape) && (ui_.help_open || ui_.preferences_open || ui_.export_dialog.open ||
                                     ui_.continue_dialog.open || ui_.lab.export_dialog.open)) {
        ui_.help_open = ui_.preferences_open = ui_.export_dialog.open = ui_.continue_dialog.open = ui_.lab.export_dialog.open =
            false;
        return;
    }
    if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) return;
    // The lab has keys of its own: those of the scene, which is not in sight, do not act there.
    const auto acts_here = [&](const Shortcut& s) {
        for (const Action both : {Action::Lab, Action::Open, Action::Save, Action::Quit, Action::Preferences, Action::Help})
            if (s.action == both) return true;
        return (s.group == ShortcutGroup::Lab) == ui_.lab.open;
    };
    for (const Shortcut& s : shortcuts()) {
        if (s.chord == 0 || !acts_here(s)) continue;
        for (auto n = pressed(s.chord); n > 0; --n) act(s.action);
        const bool repeats = s.action == Action::NextFrame || s.action == Action::PreviousFrame ||
                             s.action == Action::StepSolver || s.action == Action::Undo || s.action == Action::Redo ||
                             s.action == Action::LabIterate || s.action == Action::LabBack || s.action == Action::LabStep;
        const ImGuiKey key = ImGuiKey(s.chord & ~ImGuiMod_Mask_);
        if (repeats && !ImGui::IsKeyPressed(key, false) &&
            ImGui::IsKeyChordPressed(s.chord, ImGuiInputFlags_Repeat, ImGuiKeyOwner_Any))
            act(s.action);
    }
}

void Studio::restyle() {
    const float wanted = ui_.settings.ui_scale > 0 ? float(ui_.settings.ui_scale) : window_->content_scale();
    if (!restyle_ && wanted == ui_.scale) return;
    restyle_ = false;
    ui_.scale = wanted;
    apply_theme(ui_.settings.theme, ui_.scale);
    view_->redraw();
    redraws_ = std::max(redraws_, 3);
}

// Panels around the view; built anew when there is no layout yet or people want the old one back.
void Studio::dock() {
    const ImGuiViewport* screen = ImGui::GetMainViewport();
    const ImGuiID root = ImGui::GetID("plica_dock");
    const bool fresh = !ImGui::DockBuilderGetNode(root);
    if (fresh || ui_.reset_layout) {
        ui_.reset_layout = false;
        const float w = screen->WorkSize.x, h = screen->WorkSize.y;
        ImGui::DockBuilderRemoveNode(root);
        ImGui::DockBuilderAddNode(root, ImGuiDockNodeFlags_DockSpace);
        ImGui::DockBuilderSetNodeSize(root, screen->WorkSize);
        ImGuiID rest = root, bottom = 0, left = 0, right = 0, right_low = 0;
        ImGui::DockBuilderSplitNode(rest, ImGuiDir_Down, std::clamp(168 * ui_.scale / h, 0.1f, 0.4f), &bottom, &rest);
        ImGui::DockBuilderSplitNode(rest, ImGuiDir_Left, std::clamp(226 * ui_.scale / w, 0.1f, 0.35f), &left, &rest);
        ImGui::DockBuilderSplitNode(rest, ImGuiDir_Right, std::clamp(300 * ui_.scale / (w - 226 * ui_.scale), 0.1f, 0.5f),
                                    &right, &rest);
        const float upper = 326 * ui_.scale / std::max(326.f, h - 168 * ui_.scale);
        ImGui::DockBuilderSplitNode(right, ImGuiDir_Down, std::clamp(1 - upper, 0.3f, 0.8f), &right_low, &right);
        ImGui::DockBuilderDockWindow("Scene", left);
        ImGui::DockBuilderDockWindow("Solver", right);
        ImGui::DockBuilderDockWindow("Gauges", right_low);
        ImGui::DockBuilderDockWindow("Step", right_low);
        ImGui::DockBuilderDockWindow("Section", right_low);
        ImGui::DockBuilderDockWindow("Timeline", bottom);
        ImGui::DockBuilderDockWindow("View", rest);
        for (ImGuiID plain : {rest, bottom})
            if (ImGuiDockNode* node = ImGui::DockBuilderGetNode(plain))
                node->SetLocalFlags(node->LocalFlags | ImGuiDockNodeFlags_NoTabBar);
        ImGui::DockBuilderFinish(root);
    }
    const ImGuiDockNodeFlags hidden = ui_.lab.open ? ImGuiDockNodeFlags_KeepAliveOnly : 0;
    ImGui::DockSpaceOverViewport(
        root, screen,
        hidden | ImGuiDockNodeFlags_NoWindowMenuButton | ImGuiDockNodeFlags_NoCloseButton | ImGuiDockNodeFlags_NoUndocking);
}

void Studio::update_title() {
    std::string title = "Plica";
    if (document_) title = document_->title() + " – " + activity_text(activity(document_.get())) + " – Plica";
    window_->set_title(title);
}

// Messages, dialogs and the progress of exports, over the panels.
void Studio::draw_over(const Document* shown, const std::vector<JobProgress>& jobs) {
    const ImVec2 view_at = ui_.lab.open ? ImVec2(ui_.lab.x, ui_.lab.y) : view_->origin();
    const ImVec2 view_size = ui_.lab.open ? ImVec2(ui_.lab.width, ui_.lab.height) : view_->size();
    banners_overlay(shown, ui_, {view_at.x + 10 * ui_.scale, view_at.y + 44 * ui_.scale},
                    std::max(200.f, view_size.x - 20 * ui_.scale), *this);
    export_progress_overlay(ui_, {view_at.x + view_size.x - 10 * ui_.scale, view_at.y + view_size.y - 10 * ui_.scale}, jobs,
                            *this);
    help_overlay(ui_);
    preferences_dialog(ui_, *this);
    export_dialog(shown, ui_, *this);
    continue_dialog(shown, ui_, *this);
    track_dialog(shown, ui_, *this);
    import_dialog(ui_, *this);
    file_dialog(ui_, *this);
    lab_export_dialog(ui_, *this);
}

void Studio::draw() {
    last_draw_ = now();
    restyle();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    new_frame();
    ui_.time = now();
    ui_.log.begin_frame();
    keys();

    const Document* shown = document_.get();
    const std::vector<JobProgress> jobs = exports_.progress();
    menu_bar(shown, ui_, *this);
    status_bar(shown, ui_, load_ != nullptr, jobs, *this);
    // The panels have no ground of their own: the window is cleared to their colour.
    ImGui::PushStyleColor(ImGuiCol_WindowBg, IM_COL32(0, 0, 0, 0));
    ImGui::PushStyleColor(ImGuiCol_DockingEmptyBg, IM_COL32(0, 0, 0, 0));
    dock();
    const bool lab = ui_.lab.open, picture = lab && !lab_picture_.empty();
    if (lab) {
        lab_view(ui_, gui_->fonts, *this);
    } else {
        scene_panel(shown, ui_, *this);
        solver_panel(shown, ui_, *this);
        gauges_panel(shown, ui_, gui_->fonts, *this);
        step_panel(shown, ui_, *this);
        section_panel(shown, ui_);
        timeline_panel(shown, ui_, gui_->fonts, *this);
        view_->panel(document_.get(), ui_, *this);
    }
    ImGui::PopStyleColor(2);
    if (!picture) draw_over(shown, jobs);

    ImGui::Render();
    glViewport(0, 0, window_->width_px(), window_->height_px());
    const ImVec4 back = ImGui::GetStyleColorVec4(ImGuiCol_WindowBg);
    glClearColor(back.x, back.y, back.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    if (!lab) view_->present(window_->height_px());
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (picture) take_lab_picture();
    window_->swap();

    const double t = now();
    ++fps_count_;
    if (t - fps_began_ >= 1) {
        ui_.fps = fps_count_ / (t - fps_began_);
        fps_count_ = 0;
        fps_began_ = t;
    }
    redraws_ = std::max(0, redraws_ - 1);
    ui_.log.value("lab", ui_.lab.open);
    ui_.log.value("frames", ++drawn_);
    ui_.log.value("draw_ms", view_->draw_ms());
    ui_.log.value("undo", document_ ? int(document_->undo_stack.depth()) : 0);
    ui_.log.value("selected", int(ui_.selection.vertices.size()));
    ui_.log.value("recording", document_ ? document_->recording_path() : "");
    ui_.log.value("grips", document_ ? int(document_->grips().size()) : 0);
    ui_.log.value("pins", document_ ? int(document_->pins().size()) : 0);
    ui_.log.value("typing", ImGui::GetIO().WantTextInput);
    ui_.log.value("title", document_ ? document_->title() : "");
}

// The time at which the next picture is due, if nothing happens before.
double Studio::next_redraw(double t) const {
    if (window_->hidden()) return INFINITY;
    const bool playing = document_ && document_->playback.playing;
    if (redraws_ > 0 || playing || view_->moving() || view_->dragging()) return last_draw_ + 1 / active_rate;
    if (document_ && (document_->run_state() != RunState::Paused || document_->progress().in_step))
        return last_draw_ + 1 / busy_rate;
    // Tool tips come a little after the hand rests.
    if (t - last_activity_ < 0.8) return last_draw_ + 0.05;
    if (load_ || exports_.running() > 0) return last_draw_ + 0.1;
    return INFINITY;
}

int Studio::run() {
    // The scene is usually there within this time: the first picture then shows it.
    for (int i = 0; i < 40 && load_ && !load_->done(); ++i) window_->wait(0.01);
    while (!quit_ && !window_->close_asked()) {
        double t = now();
        const double due = next_redraw(t);
        if (due <= t)
            window_->poll();
        else
            window_->wait(std::min(due - t, 2.0));
        t = now();
        if (window_->take_activity()) {
            redraws_ = 3;
            last_activity_ = t;
        }
        take_loaded();
        if (const auto dropped = window_->take_dropped(); !dropped.empty()) open(dropped.front());
        if (!wanted_file_.empty() && !load_) {
            begin_load(wanted_file_, wanted_options_);
            wanted_file_.clear();
            redraws_ = 3;
        }
        if (document_) {
            const bool was_running = document_->run_state() != RunState::Paused;
            if (document_->poll() && !was_running) redraws_ = std::max(redraws_, 2);
            document_->playback.advance(t - last_advance_, document_->timeline);
        }
        if (ui_.lab.open && ui_.lab.experiment.playing) {
            ui_.lab.experiment.play(t - last_advance_);
            redraws_ = std::max(redraws_, 2);
        }
        last_advance_ = t;
        if (const int running = exports_.running(); running != exports_running_) {
            exports_running_ = running;
            redraws_ = std::max(redraws_, 3);
        }
        update_title();
        if (!window_->hidden() && (redraws_ > 0 || next_redraw(t) <= t) && t - last_draw_ >= 1 / active_rate - 1e-3) draw();
        ui_.log.end_frame(t, redraws_ == 0);
        if (t - saved_settings_ > 30) {
            saved_settings_ = t;
            window_->store_place(ui_.settings);
            save_settings(settings_path_, ui_.settings);
        }
    }
    return 0;
}

}  // namespace

int run_studio(const StudioOptions& options) {
    try {
        Studio studio(options);
        return studio.run();
    } catch (const WindowError& e) {
        std::fprintf(stderr, "plica: %s\n", e.what());
        return 2;
    } catch (const InputError& e) {
        std::fprintf(stderr, "plica: %s\n", e.what());
        return 2;
    }
}

}  // namespace plica
