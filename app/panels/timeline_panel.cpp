// Transport and timeline: what is computed, phases, gates, edits, halved and failed steps, and the tracks of the supports.
#include <algorithm>
#include <cmath>

#include "app/number_text.h"
#include "app/panels/panels.h"
#include "app/studio/action_state.h"
#include "app/studio/widgets.h"
#include "imgui.h"

namespace plica {

namespace {

constexpr float track_label_width = 150;

struct Axis {
    double t0, t1;
    float x0, x1;
    float x(double t) const { return x0 + float((std::clamp(t, t0, t1) - t0) / (t1 - t0)) * (x1 - x0); }
    double t(float x) const { return t0 + double((x - x0) / (x1 - x0)) * (t1 - t0); }
};

double tick_distance(double span, float width_px, float scale) {
    const double wanted = span * 70 * scale / std::max(width_px, 1.f);
    double step = std::pow(10, std::floor(std::log10(std::max(wanted, 1e-9))));
    for (double factor : {1.0, 2.0, 5.0, 10.0})
        if (step * factor >= wanted) return step * factor;
    return step * 10;
}

const char* speed_label(double speed) {
    static const char* const labels[] = {"1/32 ×", "1/16 ×", "1/8 ×", "1/4 ×", "1/2 ×", "1 ×", "2 ×", "4 ×", "8 ×"};
    return labels[std::clamp(int(std::lround(std::log2(speed))) + 5, 0, 8)];
}

void transport(const Document& doc, UiState& ui, const Fonts& fonts, CommandSink& sink) {
    const auto enabled = [&](Action a) { return action_state(a, &doc, ui).enabled; };
    const Activity now = activity(&doc);
    const bool going = now == Activity::Running || now == Activity::Playing;
    const float size = ImGui::GetFrameHeight();
    action_icon(ui, sink, Action::Reset, Icon::Reset, false, enabled(Action::Reset), size);
    ImGui::SameLine(0, 3 * ui.scale);
    action_icon(ui, sink, Action::RunPause, going ? Icon::Pause : Icon::Run, going, enabled(Action::RunPause), size * 1.0f);
    ImGui::SameLine(0, 3 * ui.scale);
    action_icon(ui, sink, Action::StepSolver, Icon::Step, false, enabled(Action::StepSolver), size);
    ImGui::SameLine(0, 14 * ui.scale);
    action_icon(ui, sink, Action::FirstFrame, Icon::First, false, enabled(Action::FirstFrame), size);
    ImGui::SameLine(0, 3 * ui.scale);
    action_icon(ui, sink, Action::PreviousFrame, Icon::Previous, false, enabled(Action::PreviousFrame), size);
    ImGui::SameLine(0, 3 * ui.scale);
    action_icon(ui, sink, Action::PlayPause, doc.playback.playing ? Icon::Pause : Icon::Play, doc.playback.playing,
                enabled(Action::PlayPause), size);
    ImGui::SameLine(0, 3 * ui.scale);
    action_icon(ui, sink, Action::NextFrame, Icon::Next, false, enabled(Action::NextFrame), size);
    ImGui::SameLine(0, 3 * ui.scale);
    action_icon(ui, sink, Action::LastFrame, Icon::Last, false, enabled(Action::LastFrame), size);
    ImGui::SameLine(0, 3 * ui.scale);
    action_icon(ui, sink, Action::Live, Icon::Live, doc.playback.live, enabled(Action::Live), size);
    ImGui::SameLine(0, 10 * ui.scale);
    ImGui::SetNextItemWidth(74 * ui.scale);
    ImGui::PushID("speed");
    if (ImGui::BeginCombo("##speed", speed_label(doc.playback.speed))) {
        for (int k = -5; k <= 3; ++k) {
            const double speed = std::ldexp(1.0, k);
            if (ImGui::Selectable(speed_label(speed), speed == doc.playback.speed)) sink.set_speed(speed);
        }
        ImGui::EndCombo();
    } else {
        ui.log.item("speed");
    }
    ImGui::PopID();
    tooltip("Speed of playback: simulated seconds per second.");

    const Timeline& line = doc.timeline;
    ImGui::SameLine(0, 14 * ui.scale);
    ImGui::AlignTextToFramePadding();
    ImGui::PushFont(fonts.mono, 0);
    char text[160];
    const int shown = std::clamp(doc.playback.shown, 0, std::max(0, line.size() - 1));
    const double t = line.empty() ? 0 : line.time(shown);
    std::snprintf(text, sizeof text, "frame %d / %d", shown, line.size() - 1);
    ImGui::Text("t = %s s", fixed_reading(t, 4).c_str());
    ImGui::SameLine(0, 14 * ui.scale);
    ImGui::TextDisabled("%s", text);
    ImGui::PopFont();
    if (doc.playback.frozen) {
        ImGui::SameLine(0, 12 * ui.scale);
        ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.settings.theme).warning);
        ImGui::TextUnformatted("view frozen");
        ImGui::PopStyleColor();
    }
    const auto& branches = line.branches();
    const bool behind = shown < line.size() - 1;
    const char* label = "Continue from here";
    const float wide = ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
    const float branch_wide = branches.empty() ? 0 : 120 * ui.scale;
    ImGui::SameLine(std::max(ImGui::GetCursorPosX(), ImGui::GetWindowContentRegionMax().x - wide - branch_wide));
    if (text_button(ui, "continue", label, behind && doc.has_simulation())) sink.act(Action::ContinueHere);
    tooltip("Computes on from the shown frame [Ctrl+Enter]; what follows it now is kept as a branch.");
    if (!branches.empty()) {
        ImGui::SameLine(0, 6 * ui.scale);
        ImGui::SetNextItemWidth(branch_wide - 8 * ui.scale);
        const std::string title = std::to_string(branches.size()) + (branches.size() == 1 ? " branch" : " branches");
        if (ImGui::BeginCombo("##branches", title.c_str())) {
            for (std::size_t b = 0; b < branches.size(); ++b) {
                ImGui::PushID(int(b));
                const std::string name = branches[b].name + ": from frame " + std::to_string(branches[b].from_frame) + ", " +
                                         std::to_string(branches[b].frames.size()) + " frames";
                if (ImGui::Selectable(name.c_str())) sink.go_to_branch(b);
                ImGui::SameLine();
                if (ImGui::SmallButton("discard")) sink.discard_branch(b);
                ImGui::PopID();
            }
            ImGui::EndCombo();
        } else {
            ui.log.item("branches");
        }
    }
    ui.log.value("branches", int(branches.size()));
}

struct Bar {
    ImDrawList* list;
    const Palette* colors;
    float scale, small;
};

void draw_ruler(const Bar& bar, const Axis& axis, float y, float height) {
    const double step = tick_distance(axis.t1 - axis.t0, axis.x1 - axis.x0, bar.scale);
    for (double t = std::ceil(axis.t0 / step) * step; t <= axis.t1 + 1e-9; t += step) {
        const float x = axis.x(t);
        bar.list->AddLine({x, y + height - 4 * bar.scale}, {x, y + height}, bar.colors->muted);
        const std::string label = format_number(std::fabs(t) < 1e-9 ? 0 : t, 4) + " s";
        bar.list->AddText(nullptr, bar.small, {x + 3 * bar.scale, y}, bar.colors->muted, label.c_str());
    }
}

void draw_phases(const Bar& bar, const Axis& axis, const Scene& scene, float y, float height) {
    static constexpr ImU32 tints[] = {IM_COL32(76, 157, 255, 90),  IM_COL32(92, 196, 138, 90),  IM_COL32(240, 180, 76, 90),
                                      IM_COL32(190, 120, 220, 90), IM_COL32(242, 109, 109, 90), IM_COL32(100, 200, 210, 90)};
    int k = 0;
    for (const Phase& phase : scene.phases) {
        const float a = axis.x(phase.from), b = axis.x(phase.until);
        if (b - a < 1) continue;
        bar.list->AddRectFilled({a, y}, {b - 1, y + height}, tints[std::size_t(k++) % 6], 3 * bar.scale);
        bar.list->PushClipRect({a, y}, {b - 2, y + height}, true);
        bar.list->AddText(nullptr, bar.small, {a + 4 * bar.scale, y + (height - bar.small) / 2}, bar.colors->text,
                          phase.name.c_str());
        bar.list->PopClipRect();
    }
}

void draw_line(const Bar& bar, const Axis& axis, const Document& doc, float y, float height) {
    const Timeline& line = doc.timeline;
    bar.list->AddRectFilled({axis.x0, y}, {axis.x1, y + height}, bar.colors->track, 3 * bar.scale);
    bar.list->AddRectFilled({axis.x0, y}, {axis.x(line.time(line.size() - 1)), y + height}, bar.colors->accent_soft,
                            3 * bar.scale);
    // No more than one mark per pixel, whatever the length of the run.
    float last = -10;
    for (int i : line.halved()) {
        const float x = axis.x(line.time(i));
        if (x - last < 1) continue;
        last = x;
        bar.list->AddLine({x, y + height * 0.5f}, {x, y + height}, bar.colors->warning, 1.2f);
    }
    last = -10;
    for (const auto& logged : line.commands()) {
        const int i = std::clamp(logged.step, 0, line.size() - 1);
        const float x = axis.x(line.time(i)), c = y + height * 0.3f, r = 3.4f * bar.scale;
        if (x - last < 3) continue;
        last = x;
        bar.list->AddQuadFilled({x, c - r}, {x + r, c}, {x, c + r}, {x - r, c}, bar.colors->text);
    }
    for (const auto& failure : line.failures()) {
        const float x = axis.x(line.time(std::min(failure.frame, line.size() - 1)));
        bar.list->AddRectFilled({x - 1.2f * bar.scale, y}, {x + 1.2f * bar.scale, y + height}, bar.colors->bad);
    }
    for (const Gate& gate : doc.scene().gates) {
        const float x = axis.x(gate.time), h = 6 * bar.scale;
        bar.list->AddLine({x, y - 1}, {x, y + height}, bar.colors->good, 1.5f);
        bar.list->AddTriangleFilled({x, y - 1}, {x + h, y - 1 + h * 0.5f}, {x, y - 1 + h}, bar.colors->good);
    }
}

void line_tooltip(const Document& doc, const Axis& axis, float mouse_x, float scale) {
    const Timeline& line = doc.timeline;
    const double t = axis.t(mouse_x), near = 5 * scale * (axis.t1 - axis.t0) / double(axis.x1 - axis.x0);
    const int i = std::clamp(line.index_at_time(t), 0, line.size() - 1);
    ImGui::BeginTooltip();
    if (t <= line.time(line.size() - 1) + near)
        ImGui::Text("frame %d, t = %s s, %d iterations", i, format_number(line.time(i), 6).c_str(), line.mark(i).iterations);
    else
        ImGui::Text("t = %s s, not computed yet", format_number(t, 4).c_str());
    if (line.mark(i).halvings > 0 && t <= line.time(line.size() - 1)) ImGui::Text("halved %d times", line.mark(i).halvings);
    for (const Gate& gate : doc.scene().gates)
        if (std::fabs(gate.time - t) < near)
            ImGui::Text("gate \"%s\": %s at %s s", gate.name.c_str(), gate.check.c_str(), format_number(gate.time, 4).c_str());
    int told = 0;
    for (const auto& logged : line.commands()) {
        const int at = std::clamp(logged.step, 0, line.size() - 1);
        if (std::fabs(line.time(at) - t) < near && ++told <= 6) ImGui::Text("edit: %s", logged.command.describe().c_str());
    }
    if (told > 6) ImGui::Text("and %d more edits", told - 6);
    for (const auto& failure : line.failures())
        if (std::fabs(line.time(std::min(failure.frame, line.size() - 1)) - t) < near)
            ImGui::TextUnformatted(failure.reason.c_str());
    ImGui::EndTooltip();
}

void tracks(const Document& doc, UiState& ui, const Axis& axis, CommandSink& sink) {
    const Scene& scene = doc.scene();
    const Palette& colors = palette(ui.settings.theme);
    const float height = 15 * ui.scale, small = ImGui::GetFontSize() * 0.82f;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const double now = doc.timeline.time(std::clamp(doc.playback.shown, 0, doc.timeline.size() - 1));
    const auto keys = [&](const auto& track, float y, ImU32 color) {
        for (const auto& key : track.keys) {
            if (key.time < axis.t0 || key.time > axis.t1) continue;
            const float x = axis.x(key.time), r = 2.6f * ui.scale, c = y + height / 2;
            list->AddQuadFilled({x, c - r}, {x + r, c}, {x, c + r}, {x - r, c}, color);
        }
    };
    for (std::size_t i = 0; i < scene.supports.size(); ++i) {
        const SupportTrack& s = scene.supports[i];
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::PushID(int(i));
        if (ImGui::InvisibleButton("##track", {axis.x1 - at.x, height})) {
            int first = 0;
            for (const Film& film : scene.films) {
                if (film.name == s.film) break;
                first += int(film.start.size());
            }
            std::vector<int> members;
            for (int v : s.vertices) members.push_back(first + v);
            sink.select(members, false);
            ui.selection.support = int(i);
        }
        ui.log.item(("track." + s.name).c_str());
        if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) sink.edit_track(int(i));
        const bool hot = ImGui::IsItemHovered();
        const bool active = now >= s.from && now < s.until;
        list->PushClipRect({at.x, at.y}, {at.x + (track_label_width - 8) * ui.scale, at.y + height}, true);
        list->AddText(nullptr, small, {at.x, at.y + (height - small) / 2}, active ? colors.text : colors.muted, s.name.c_str());
        list->PopClipRect();
        const float a = axis.x(s.from), b = axis.x(std::min(s.until, axis.t1));
        list->AddRectFilled({axis.x0, at.y + height * 0.5f - 0.5f}, {axis.x1, at.y + height * 0.5f + 0.5f}, colors.track);
        list->AddRectFilled({a, at.y + 2.5f * ui.scale}, {std::max(b, a + 2), at.y + height - 2.5f * ui.scale},
                            active ? colors.accent_soft
                            : hot  ? colors.line
                                   : colors.track,
                            2.5f * ui.scale);
        list->AddRect({a, at.y + 2.5f * ui.scale}, {std::max(b, a + 2), at.y + height - 2.5f * ui.scale},
                      ui.selection.support == int(i) ? colors.accent : colors.line, 2.5f * ui.scale);
        const ImU32 key_color = active ? colors.accent : colors.muted;
        keys(s.stiffness, at.y, key_color);
        keys(s.offset, at.y, key_color);
        keys(s.radius, at.y, key_color);
        keys(s.height, at.y, key_color);
        if (hot) {
            ImGui::BeginTooltip();
            ImGui::Text("%s: %zu vertices, %s to %s s", s.name.c_str(), s.vertices.size(), format_number(s.from, 4).c_str(),
                        s.until > 1e20 ? "the end" : format_number(s.until, 4).c_str());
            if (!s.stiffness.keys.empty()) ImGui::Text("stiffness now %s N/m", format_number(s.stiffness.at(now), 4).c_str());
            muted_text("Double click: edit its keyframes");
            ImGui::EndTooltip();
        }
        ImGui::PopID();
    }
}

}  // namespace

void timeline_panel(const Document* document, UiState& ui, const Fonts& fonts, CommandSink& sink) {
    if (!ImGui::Begin("Timeline", nullptr, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse)) {
        ImGui::End();
        return;
    }
    if (!document || document->timeline.empty()) {
        ImGui::End();
        return;
    }
    const Document& doc = *document;
    const Timeline& line = doc.timeline;
    transport(doc, ui, fonts, sink);

    const Palette& colors = palette(ui.settings.theme);
    const float label = track_label_width * ui.scale;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float wide = ImGui::GetContentRegionAvail().x;
    const double end = std::max({doc.scene().duration, line.time(line.size() - 1), 1e-3});
    const Axis axis{0, end, at.x + label, at.x + wide - 12 * ui.scale};
    const Bar bar{ImGui::GetWindowDrawList(), &colors, ui.scale, ImGui::GetFontSize() * 0.82f};
    const float ruler = 15 * ui.scale, phase = doc.scene().phases.empty() ? 0 : 15 * ui.scale, main = 16 * ui.scale;
    const float all = ruler + phase + main;

    ImGui::SetCursorScreenPos({axis.x0 - 6 * ui.scale, at.y});
    ImGui::InvisibleButton("##scrub", {axis.x1 - axis.x0 + 12 * ui.scale, all});
    const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
    const float mouse = ImGui::GetIO().MousePos.x;
    ui.scrubbing = active;
    if (active) sink.show_frame(line.index_at_time(std::max(0.0, axis.t(mouse)) + 0.5 * doc.settings().dt));
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) {
        sink.show_frame(line.index_at_time(axis.t(mouse)));
        ImGui::OpenPopup("timeline_menu");
    }
    if (ImGui::BeginPopup("timeline_menu")) {
        if (ImGui::MenuItem("Continue from the shown frame", "Ctrl+Enter", false, doc.has_simulation()))
            sink.act(Action::ContinueHere);
        if (ImGui::MenuItem("Play from here", "P")) sink.act(Action::PlayPause);
        if (ImGui::MenuItem("Follow the solver", "L")) sink.act(Action::Live);
        ImGui::EndPopup();
    }
    draw_ruler(bar, axis, at.y, ruler);
    if (phase > 0) draw_phases(bar, axis, doc.scene(), at.y + ruler, phase - 2 * ui.scale);
    const float main_y = at.y + ruler + phase;
    draw_line(bar, axis, doc, main_y, main - 3 * ui.scale);
    bar.list->AddText(nullptr, bar.small, {at.x, main_y}, colors.muted, "computed");
    if (phase > 0) bar.list->AddText(nullptr, bar.small, {at.x, at.y + ruler}, colors.muted, "phases");
    ui.log.rect("timeline", axis.x0, main_y, axis.x1, main_y + main);
    ui.log.rect("timeline.computed", axis.x0, main_y, axis.x(line.time(line.size() - 1)), main_y + main);

    // The playing head: here over ruler and phases, below over the tracks.
    const float x = axis.x(line.time(std::clamp(doc.playback.shown, 0, line.size() - 1)));
    const ImU32 head = doc.playback.live ? colors.good : colors.accent;
    bar.list->AddLine({x, at.y + ruler * 0.5f}, {x, at.y + all}, head, 1.5f * ui.scale);
    bar.list->AddTriangleFilled({x - 5 * ui.scale, at.y + ruler * 0.35f}, {x + 5 * ui.scale, at.y + ruler * 0.35f},
                                {x, at.y + ruler}, head);

    ImGui::SetCursorScreenPos({at.x, at.y + all});
    ImGui::BeginChild("tracks", {0, 0}, 0, ImGuiWindowFlags_None);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    tracks(doc, ui, axis, sink);
    ImGui::PopStyleVar();
    const float top = ImGui::GetWindowPos().y;
    ImGui::GetWindowDrawList()->AddLine({x, top}, {x, top + ImGui::GetWindowHeight()}, head, 1.5f * ui.scale);
    ImGui::EndChild();

    if (hovered && !active) line_tooltip(doc, axis, mouse, ui.scale);
    ImGui::End();
}

}  // namespace plica
