#include "app/studio/view3d.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/number_text.h"
#include "app/studio/command_sink.h"
#include "app/studio/theme.h"
#include "app/studio/widgets.h"

#include <glad/gl.h>

namespace plica {

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Vec3 to_vec3(const glm::dvec3& p) { return {p.x, p.y, p.z}; }
glm::vec3 to_glm(const Vec3& p) { return {float(p.x), float(p.y), float(p.z)}; }

std::size_t mix(std::size_t seed, std::size_t value) {
    return seed ^ (value + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2));
}

// Pins and grips are those of now: their lines would mislead in a frame of the past.
bool playback_is_newest(const Document& document) { return document.playback.shown >= document.timeline.size() - 1; }

std::string millimetres(const Vec3& p) {
    std::string text = "(";
    text.append(fixed_reading(p.x * 1e3, 2))
        .append(", ")
        .append(fixed_reading(p.y * 1e3, 2))
        .append(", ")
        .append(fixed_reading(p.z * 1e3, 2));
    return text.append(") mm");
}

}  // namespace

View3d::View3d() = default;

View3d::~View3d() {
    if (copy_) glDeleteFramebuffers(1, &copy_);
}

void View3d::present(int window_height_px) {
    if (!visible_) return;
    if (!copy_) glGenFramebuffers(1, &copy_);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, copy_);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, view_.texture(), 0);
    const int w = viewport_.width_px, h = viewport_.height_px, x = int(origin_.x), y = window_height_px - int(origin_.y) - h;
    glBlitFramebuffer(0, 0, w, h, x, y, x + w, y + h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
}

void View3d::set_document(const Document* document, bool fresh) {
    document_ = document;
    picture_.reset();
    shown_.reset();
    drag_ = Drag::None;
    hit_.reset();
    dirty_ = true;
    if (!document || document->timeline.empty()) return;
    const bool same_scene = !fresh && document->path() == path_ && document->film_vertex_count() == film_vertices_;
    path_ = document->path();
    film_vertices_ = document->film_vertex_count();
    picture_ = std::make_unique<ScenePicture>(picture_source(document->scene(), document->model()));
    picture_->update(*document->timeline.frame(0), {});
    bounds_ = bounds(picture_->frame());
    if (!same_scene) {
        camera_ = Camera();
        camera_.look_from(StandardView::Oblique);
        camera_.frame(bounds_, viewport_.width_px > 0 ? viewport_ : Viewport{720, 520});
        move_left_ = 0;
    }
}

void View3d::go_to(const Camera& camera, double seconds) {
    from_ = camera_;
    to_ = camera;
    move_time_ = move_left_ = seconds;
    if (seconds <= 0) camera_ = camera;
    dirty_ = true;
}

void View3d::frame_all(double seconds) {
    if (!picture_) return;
    Camera c = camera_;
    c.frame(bounds(picture_->frame()), viewport_);
    go_to(c, seconds);
}

void View3d::frame_particles(const std::vector<int>& particles) {
    if (!picture_ || !shown_ || particles.empty()) return;
    Bounds b;
    for (int p : particles) {
        if (p < 0 || std::size_t(p) >= shown_->state.x.size()) continue;
        const Vec3f& x = shown_->state.x[std::size_t(p)];
        const int sphere = p - picture_->source().film_vertices;
        const double r =
            sphere >= 0 && sphere < picture_->source().sphere_count ? picture_->source().sphere_radius[std::size_t(sphere)] : 0;
        b.add({x.x - r, x.y - r, x.z - r});
        b.add({x.x + r, x.y + r, x.z + r});
    }
    if (b.empty) return;
    // A single vertex is looked at with its surroundings.
    const double least = 0.01;
    if (b.radius() < least) {
        const glm::dvec3 c = b.centre();
        b.add(c - glm::dvec3(least));
        b.add(c + glm::dvec3(least));
    }
    Camera c = camera_;
    c.frame(b, viewport_);
    go_to(c, 0.25);
}

void View3d::look_from(StandardView view) {
    Camera c = camera_;
    c.look_from(view);
    go_to(c, 0.25);
}

ViewStyle View3d::style(const UiState& ui) const {
    ViewStyle s;
    s.theme = ui.settings.theme;
    s.edges = ui.settings.wireframe ? EdgeStyle::Mesh : EdgeStyle::Folds;
    s.samples = ui.settings.multisampling ? 4 : 0;
    s.pixel_scale = ui.scale;
    if (picture_) s.scale = picture_->scale();
    return s;
}

glm::dvec2 View3d::cursor() const {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    return {mouse.x - origin_.x, mouse.y - origin_.y};
}

int View3d::nearest_corner(const Hit& hit) const {
    return hit.kind == Hit::Kind::Film ? picture_->particle(hit.surface, hit.vertex) : -1;
}

void View3d::begin_grip(Document& document, UiState& ui, int vertex, const glm::dvec3& at) {
    drag_ = Drag::Grip;
    grip_was_there_ = document.grips().count(vertex) > 0;
    grip_ = {vertex, to_vec3(at), ui.settings.grip_stiffness, ui.settings.grip_limit};
    const glm::dvec3 on_screen = camera_.project(at, viewport_);
    grip_depth_ = on_screen.z;
    grip_sent_ = 0;
    // The grabbed vertex is not exactly under the cursor: keep that distance while dragging.
    const Ray ray = camera_.ray(cursor(), viewport_);
    const double along = grip_depth_ / std::max(1e-9, glm::dot(ray.direction, -camera_.backward()));
    grip_shift_ = at - (ray.origin + along * ray.direction);
    document.grip(grip_, false);
}

void View3d::move_grip(Document& document, UiState& ui) {
    const Ray ray = camera_.ray(cursor(), viewport_);
    const double along = grip_depth_ / std::max(1e-9, glm::dot(ray.direction, -camera_.backward()));
    const Vec3 target = to_vec3(ray.origin + along * ray.direction + grip_shift_);
    // At most some sixty moves a second: each is a command in the recording.
    if (target == grip_.target || ui.time - grip_sent_ < 1.0 / 60) return;
    grip_sent_ = ui.time;
    grip_.target = target;
    document.grip(grip_, true);
    dirty_ = true;
}

void View3d::click(UiState& ui, CommandSink& sink, bool add) {
    if (!hit_) {
        if (!add) ui.selection.clear();
        dirty_ = true;
        return;
    }
    switch (hit_->kind) {
        case Hit::Kind::Film: {
            const int v = nearest_corner(*hit_);
            if (add && ui.selection.vertices.count(v))
                ui.selection.vertices.erase(v);
            else
                sink.select({v}, add);
            break;
        }
        case Hit::Kind::Sphere: sink.select_body(int(document_->scene().films.size()) + hit_->sphere); break;
        case Hit::Kind::Obstacle:
        case Hit::Kind::Floor:
            sink.select_body(int(document_->scene().films.size() + document_->scene().spheres.size()) +
                             picture_->obstacle_of(hit_->surface));
            break;
    }
    dirty_ = true;
}

// Adds all film vertices within the drawn box, those behind others too.
void View3d::select_box(CommandSink& sink) {
    if (!shown_) return;
    const glm::dvec2 low = glm::min(press_, cursor()), high = glm::max(press_, cursor());
    std::vector<int> inside;
    for (int v = 0; v < picture_->source().film_vertices; ++v) {
        const glm::dvec3 p = camera_.project(to_glm(to_double(shown_->state.x[std::size_t(v)])), viewport_);
        if (p.z > 0 && p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y) inside.push_back(v);
    }
    if (!inside.empty()) sink.select(inside, true);
    dirty_ = true;
}

void View3d::hover(const Document& document, UiState& ui) {
    const glm::dvec2 at = cursor();
    // Picking looks at all triangles: not more often than people can read.
    if ((at == hover_at_ && ui.time - hover_tested_ < 0.15) || ui.time - hover_tested_ < 0.03) return;
    hover_at_ = at;
    hover_tested_ = ui.time;
    PickFilter filter;
    filter.obstacles = false;
    const Ray ray = camera_.ray(at, viewport_);
    hit_ = pick(picture_->frame(), ray, filter);
    if (!hit_) {
        filter = {false, false, true, true};
        hit_ = pick(picture_->frame(), ray, filter);
    }
    ui.hover = HoverInfo();
    if (!hit_ || !shown_) return;
    ui.hover.position = to_vec3(hit_->position);
    if (hit_->kind == Hit::Kind::Film) {
        const int v = nearest_corner(*hit_);
        ui.hover.vertex = v;
        ui.hover.triangle = hit_->triangle;
        ui.hover.position = to_double(shown_->state.x[std::size_t(v)]);
        ui.hover.gap = std::nan("");
        if (picture_->gaps().size() > std::size_t(v)) {
            ui.hover.gap = picture_->gaps()[std::size_t(v)];
        } else if (document.run_state() == RunState::Paused) {
            const auto gaps =
                vertex_gaps(picture_->source(), shown_->state, document.settings().min_gap, document.settings().dhat * 4);
            ui.hover.gap = gaps[std::size_t(v)];
        }
    }
}

void View3d::mouse(Document& document, UiState& ui, CommandSink& sink, bool hovered, bool active) {
    ImGuiIO& io = ImGui::GetIO();
    if (hovered && io.MouseWheel != 0) {
        const glm::dvec3 under = hit_ ? hit_->position : glm::dvec3(0);
        camera_.zoom(std::pow(1.15, io.MouseWheel), cursor(), viewport_, hit_ ? &under : nullptr);
        move_left_ = 0;
        dirty_ = true;
    }
    if (ImGui::IsItemActivated()) {
        press_ = cursor();
        drag_ = Drag::None;
        hover_tested_ = 0;
        hover(document, ui);
    }
    if (active && drag_ == Drag::None) {
        const glm::dvec2 moved = cursor() - press_;
        if (std::abs(moved.x) + std::abs(moved.y) > 3 * ui.scale) {
            const bool left = ImGui::IsMouseDown(ImGuiMouseButton_Left);
            const int vertex = hit_ ? nearest_corner(*hit_) : -1;
            if (left && io.KeyShift && io.KeyCtrl)
                drag_ = Drag::Box;
            else if (ImGui::IsMouseDown(ImGuiMouseButton_Middle) || ImGui::IsMouseDown(ImGuiMouseButton_Right) ||
                     (left && io.KeyShift))
                drag_ = Drag::Pan;
            else if (left && (io.KeyCtrl || ui.grab_tool) && vertex >= 0 && document.has_simulation() &&
                     !document.pins().count(vertex))
                begin_grip(document, ui, vertex,
                           hit_->kind == Hit::Kind::Film && shown_
                               ? glm::dvec3(shown_->state.x[std::size_t(vertex)].x, shown_->state.x[std::size_t(vertex)].y,
                                            shown_->state.x[std::size_t(vertex)].z)
                               : hit_->position);
            else if (left && !io.KeyCtrl)
                drag_ = Drag::Orbit;
        }
    }
    if (active && drag_ != Drag::None && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
        move_left_ = 0;
        if (drag_ == Drag::Orbit) camera_.orbit(io.MouseDelta.x, io.MouseDelta.y);
        if (drag_ == Drag::Pan) camera_.pan(io.MouseDelta.x, io.MouseDelta.y, viewport_);
        dirty_ = true;
    }
    if (drag_ == Drag::Grip && active) move_grip(document, ui);
    if (ImGui::IsItemDeactivated()) {
        if (drag_ == Drag::Grip) {
            document.end_drag();
            if (document.run_state() == RunState::Running && !ui.settings.keep_grip && !grip_was_there_)
                document.release({grip_.vertex});
        } else if (drag_ == Drag::Box) {
            select_box(sink);
        } else if (drag_ == Drag::None) {
            click(ui, sink, io.KeyCtrl || io.KeyShift);
        }
        drag_ = Drag::None;
    }
    if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && hit_) {
        Camera c = camera_;
        c.target = hit_->position;
        go_to(c, 0.2);
    }
    if (hovered && drag_ == Drag::None) hover(document, ui);
    if (!hovered && !active) {
        ui.hover = HoverInfo();
        hit_.reset();
    }
}

void View3d::add_handles(const Document& document, const UiState& ui, const Frame& frame) {
    if (!ui.settings.show_grips) return;
    ViewFrame& view = picture_->frame();
    const auto at = [&](int v) { return to_glm(to_double(frame.state.x[std::size_t(v)])); };
    for (const auto& [vertex, stiffness] : document.pins()) {
        view.points.push_back({at(vertex), colors::pin, 8, PointShape::Diamond, true});
        const auto target = document.pin_targets().find(vertex);
        if (target != document.pin_targets().end() && playback_is_newest(document))
            view.strokes.push_back({at(vertex), to_glm(target->second), colors::pin, 1.5f, false, true});
    }
    std::size_t k = 0;
    for (const auto& [vertex, grip] : document.grips()) {
        view.points.push_back({at(vertex), colors::grip, 9, PointShape::Disc, true});
        view.points.push_back({to_glm(grip.target), colors::grip, 11, PointShape::Ring, true});
        view.strokes.push_back({at(vertex), to_glm(grip.target), colors::grip, 2, false, true});
        if (k < frame.report.grip_force.size()) {
            // 1 N is drawn as long as a tenth of the scene.
            const Vec3 f = frame.report.grip_force[k];
            const double length = 0.1 * std::max(bounds_.radius(), 1e-3);
            if (norm(f) > 1e-6)
                view.strokes.push_back({at(vertex), at(vertex) + to_glm(length * f), colors::force, 3, true, true});
        }
        ++k;
    }
}

void View3d::legend(const UiState& ui) const {
    if (!picture_ || ui.settings.color_mode == 0) return;
    const ColorScale& scale = picture_->scale();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float w = 12 * ui.scale, h = 110 * ui.scale;
    const float x = origin_.x + size_.x - w - 14 * ui.scale, y = origin_.y + size_.y - h - 26 * ui.scale;
    for (int i = 0; i < 32; ++i) {
        const glm::vec3 c = color_at(scale.map, 1 - (float(i) + 0.5f) / 32);
        const ImU32 ink = IM_COL32(int(c.x * 255), int(c.y * 255), int(c.z * 255), 255);
        list->AddRectFilled({x, y + h * float(i) / 32}, {x + w, y + h * float(i + 1) / 32 + 0.5f}, ink);
    }
    const Palette& colors = palette(ui.settings.theme);
    const auto label = [&](double value, float at_y) {
        const std::string text = format_reading(value * scale.show_scale) + " " + scale.unit;
        list->AddText({x - ImGui::CalcTextSize(text.c_str()).x - 5 * ui.scale, at_y}, colors.text, text.c_str());
    };
    label(scale.high, y - 4 * ui.scale);
    label(scale.low, y + h - ImGui::GetFontSize() + 3 * ui.scale);
    list->AddText({x + w - ImGui::CalcTextSize(scale.title.c_str()).x, y + h + 5 * ui.scale}, colors.muted,
                  scale.title.c_str());
}

void View3d::overlay(const Document& document, UiState& ui, CommandSink& sink) {
    if (drag_ == Drag::Box) {
        const Palette& colors = palette(ui.settings.theme);
        const ImVec2 from{origin_.x + float(press_.x), origin_.y + float(press_.y)}, to = ImGui::GetIO().MousePos;
        ImGui::GetWindowDrawList()->AddRectFilled(from, to, (colors.accent & 0x00FFFFFF) | 0x30000000);
        ImGui::GetWindowDrawList()->AddRect(from, to, colors.accent);
    }
    ImGui::SetCursorScreenPos({origin_.x + 10 * ui.scale, origin_.y + 8 * ui.scale});
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {7 * ui.scale, 3 * ui.scale});
    int mode = ui.settings.color_mode;
    if (choice(ui, "view.color", mode, color_mode_names, color_mode_count, 92 * ui.scale)) {
        ui.settings.color_mode = mode;
        sink.view_changed();
    }
    tooltip("Colour of the film  [V]");
    const auto chip = [&](const char* id, const char* label, bool& value, const char* tip) {
        ImGui::SameLine(0, 5 * ui.scale);
        const bool on = value;
        if (on) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::ColorConvertU32ToFloat4(palette(ui.settings.theme).accent_soft));
        if (text_button(ui, id, label)) {
            value = !value;
            sink.view_changed();
        }
        if (on) ImGui::PopStyleColor();
        tooltip(tip);
    };
    chip("view.wireframe", "mesh", ui.settings.wireframe, "Edges of all triangles  [W]; off: folds only");
    chip("view.contacts", "contacts", ui.settings.show_contacts, "Vertices whose gap is below dhat  [C]");
    chip("view.intersections", "cuts", ui.settings.show_intersections, "Triangles that cut each other  [I]");
    ImGui::PopStyleVar();

    const Palette& colors = palette(ui.settings.theme);
    ImDrawList* list = ImGui::GetWindowDrawList();
    std::string text;
    if (drag_ == Drag::Grip) {
        text = "vertex " + std::to_string(grip_.vertex) + " pulled, at most " + format_number(grip_.limit, 3) + " N";
    } else if (ui.hover.vertex >= 0) {
        const int v = ui.hover.vertex;
        text = "vertex " + std::to_string(v) + ", triangle " + std::to_string(ui.hover.triangle) + "   " +
               millimetres(ui.hover.position);
        if (std::isfinite(ui.hover.gap)) text += "   gap " + format_reading(ui.hover.gap * 1e3) + " mm";
        if (std::isinf(ui.hover.gap)) text += "   gap > " + format_reading(document.settings().dhat * 4e3) + " mm";
        if (document.pins().count(v))
            text += "   pinned: does not move until released [Delete]";
        else if (document.has_simulation())
            text += ui.grab_tool ? "   drag to pull" : "   Ctrl+drag to pull";
    } else if (hit_ && hit_->kind == Hit::Kind::Sphere && std::size_t(hit_->sphere) < document.scene().spheres.size()) {
        text = document.scene().spheres[std::size_t(hit_->sphere)].name + ", R " +
               format_number(document.scene().spheres[std::size_t(hit_->sphere)].radius * 1e3, 3) + " mm   " +
               millimetres(ui.hover.position);
    } else if (hit_ && hit_->surface > 0 && std::size_t(hit_->surface - 1) < document.scene().obstacles.size()) {
        text = document.scene().obstacles[std::size_t(hit_->surface - 1)].name + ", fixed   " + millimetres(ui.hover.position);
    }
    if (!text.empty()) {
        const ImVec2 extent = ImGui::CalcTextSize(text.c_str());
        const ImVec2 at{origin_.x + 12 * ui.scale, origin_.y + size_.y - extent.y - 10 * ui.scale};
        list->AddRectFilled({at.x - 6 * ui.scale, at.y - 3 * ui.scale},
                            {at.x + extent.x + 6 * ui.scale, at.y + extent.y + 3 * ui.scale},
                            (colors.panel & 0x00FFFFFF) | 0xC8000000, 4 * ui.scale);
        list->AddText(at, colors.text, text.c_str());
    }
    ui.log.value("hover", text);
    ui.log.value("hover_vertex", ui.hover.vertex);
    legend(ui);
}

void View3d::panel(Document* document, UiState& ui, CommandSink& sink) {
    visible_ = false;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    const bool open = ImGui::Begin("View", nullptr, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    if (!open) {
        ImGui::End();
        return;
    }
    origin_ = ImGui::GetCursorScreenPos();
    size_ = ImGui::GetContentRegionAvail();
    const Viewport now_viewport{std::max(0, int(size_.x)), std::max(0, int(size_.y))};
    if (now_viewport.width_px != viewport_.width_px || now_viewport.height_px != viewport_.height_px) {
        const bool first = viewport_.width_px == 0;
        viewport_ = now_viewport;
        if (first && picture_) camera_.frame(bounds_, viewport_);
        dirty_ = true;
    }
    if (viewport_.width_px < 8 || viewport_.height_px < 8 || !document || !picture_ || document->timeline.empty()) {
        const char* text = "Drop a scene, a recording or a mesh here, or open one with Ctrl+O";
        if (!document && size_.x > 300) {
            if (!ui.open_error.empty()) text = ui.open_error.c_str();
            const ImVec2 extent = ImGui::CalcTextSize(text, nullptr, false, size_.x - 20 * ui.scale);
            ImGui::SetCursorScreenPos({origin_.x + (size_.x - extent.x) / 2, origin_.y + size_.y / 2});
            ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + extent.x + 1);
            muted_text(text);
            ImGui::PopTextWrapPos();
        }
        ImGui::End();
        return;
    }
    if (move_left_ > 0) {
        move_left_ = std::max(0.0, move_left_ - double(ImGui::GetIO().DeltaTime));
        const double s = 1 - move_left_ / move_time_;
        camera_ = move_left_ > 0 ? blend(from_, to_, s * s * (3 - 2 * s)) : to_;
        dirty_ = true;
    }
    ImGui::SetNextItemAllowOverlap();
    ImGui::InvisibleButton(
        "##view", size_,
        ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle | ImGuiButtonFlags_MouseButtonRight);
    ui.log.item("view");
    const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
    mouse(*document, ui, sink, hovered, active);

    // All that the picture depends on besides the camera, as one number.
    const int shown = std::clamp(document->playback.shown, 0, document->timeline.size() - 1);
    const FramePtr frame = document->timeline.frame(shown);
    std::size_t key = mix(std::size_t(ui.settings.color_mode), std::size_t(frame.get()));
    key = mix(key, std::size_t(ui.settings.wireframe) | std::size_t(ui.settings.show_contacts) << 1 |
                       std::size_t(ui.settings.show_intersections) << 2 | std::size_t(ui.settings.multisampling) << 3 |
                       std::size_t(ui.settings.theme) << 4);
    key = mix(key, ui.selection.vertices.size() * 31 + std::size_t(ui.selection.body + 1));
    for (int v : ui.selection.vertices) key = mix(key, std::size_t(v));
    // The pairs of the newest message glow in the frame that it is about.
    const bool at_fault = !document->banners.empty() && !document->banners.back().pairs.empty() &&
                          std::max(0, document->banners.back().frame) == shown;
    key = mix(key, at_fault ? document->banners.back().pairs.size() : 0);
    for (const auto& [v, stiffness] : document->pins()) key = mix(key, std::size_t(v) + 7);
    for (const auto& [v, grip] : document->grips())
        key = mix(key, std::size_t(v) + std::hash<double>()(grip.target.x + 3 * grip.target.y + 7 * grip.target.z));
    if (dirty_ || key != drawn_key_ || !(camera_ == drawn_camera_)) {
        const double began = now();
        if (key != drawn_key_ || shown_ != frame || dirty_) {
            PictureOptions options;
            options.color = ColorMode(ui.settings.color_mode);
            options.contacts = ui.settings.show_contacts;
            options.intersections = ui.settings.show_intersections;
            if (at_fault) options.close_pairs = &document->banners.back().pairs;
            options.dhat = document->settings().dhat;
            options.min_gap = document->settings().min_gap;
            if (options.color == ColorMode::Memory) options.controller = document->timeline.controller(shown);
            options.switches = document->switches();
            options.selected = &ui.selection.vertices;
            options.selected_body = ui.selection.body;
            picture_->update(*frame, options);
            add_handles(*document, ui, *frame);
        }
        shown_ = frame;
        view_.draw(picture_->frame(), camera_, style(ui), viewport_);
        drawn_key_ = key;
        drawn_camera_ = camera_;
        dirty_ = false;
        draw_ms_ = (now() - began) * 1e3;
    }
    visible_ = true;
    overlay(*document, ui, sink);
    ImGui::End();
}

}  // namespace plica
