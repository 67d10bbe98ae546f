// The keyframes of a support: their times, stiffness and targets. What is applied changes the scene's text, and the run starts
// anew.
#include <algorithm>
#include <cmath>

#include "app/number_text.h"
#include "app/panels/panels.h"
#include "app/studio/widgets.h"
#include "engine/core/number_text.h"
#include "imgui.h"

namespace plica {

namespace {

constexpr double forever = 1e20;  // s, from here on a support has no end

std::string key_text(const ScalarKey& key) { return "[" + shortest_text(key.time) + ", " + shortest_text(key.value) + "]"; }
std::string key_text(const VectorKey& key) {
    return "[" + shortest_text(key.time) + ", " + shortest_text(key.value.x) + ", " + shortest_text(key.value.y) + ", " +
           shortest_text(key.value.z) + "]";
}

// The track as it stands in a scene file.
template <class Track>
std::string track_text(const Track& track) {
    std::string keys;
    for (const auto& key : track.keys) keys += (keys.empty() ? "" : ", ") + key_text(key);
    keys = "[" + keys + "]";
    if (track.ease == Ease::Smooth) return keys;
    return "{ keys = " + keys + ", ease = \"" + (track.ease == Ease::Linear ? "linear" : "step") + "\" }";
}

template <class Track>
bool same(const Track& a, const Track& b) {
    return track_text(a) == track_text(b);
}

bool numbers(UiState& ui, const std::string& id, ScalarKey& key, const char* unit, float width) {
    const auto value = number_field(ui, id.c_str(), key.value, unit, width);
    if (value) key.value = *value;
    return value.has_value();
}
bool numbers(UiState& ui, const std::string& id, VectorKey& key, const char* unit, float width) {
    bool changed = false;
    double* const parts[] = {&key.value.x, &key.value.y, &key.value.z};
    for (int k = 0; k < 3; ++k) {
        if (k) ImGui::SameLine();
        if (const auto value = number_field(ui, (id + "." + "xyz"[k]).c_str(), *parts[k], unit, width)) {
            *parts[k] = *value;
            changed = true;
        }
    }
    return changed;
}

// A line per key: time, values, and buttons that add a key behind it or take it away.
template <class Track>
void keys_table(UiState& ui, const std::string& name, const char* label, Track& track, const char* unit) {
    if (track.keys.empty()) return;
    ImGui::PushID(name.c_str());
    ImGui::SeparatorText(label);
    const float field = 92 * ui.scale;
    int add = -1, remove = -1;
    for (int k = 0; k < int(track.keys.size()); ++k) {
        const std::string id = "track." + name + std::to_string(k);
        if (const auto t = number_field(ui, (id + ".time").c_str(), track.keys[std::size_t(k)].time, "s", field))
            track.keys[std::size_t(k)].time = *t;
        ImGui::SameLine();
        numbers(ui, id, track.keys[std::size_t(k)], unit, field);
        ImGui::SameLine();
        if (text_button(ui, (id + ".add").c_str(), "+")) add = k;
        tooltip("Adds a key between this one and the next.");
        ImGui::SameLine();
        if (text_button(ui, (id + ".remove").c_str(), "−", track.keys.size() > 1)) remove = k;
        tooltip("Takes this key away.");
    }
    if (add >= 0) {
        auto key = track.keys[std::size_t(add)];
        const bool last = add + 1 == int(track.keys.size());
        key.time = last ? key.time + 0.1 : (key.time + track.keys[std::size_t(add + 1)].time) / 2;
        key.value = track.at(key.time);
        track.keys.insert(track.keys.begin() + add + 1, key);
    }
    if (remove >= 0) track.keys.erase(track.keys.begin() + remove);
    ImGui::PopID();
}

}  // namespace

void track_dialog(const Document* doc, UiState& ui, CommandSink& sink) {
    TrackDialog& d = ui.track_dialog;
    if (!d.open || !doc || d.support < 0 || std::size_t(d.support) >= doc->scene().supports.size()) {
        d.open = false;
        return;
    }
    SupportTrack& s = d.edited;
    ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
    ImGui::SetNextWindowSizeConstraints(
        {0, 0}, {ImGui::GetMainViewport()->WorkSize.x, ImGui::GetMainViewport()->WorkSize.y - 40 * ui.scale});
    if (ImGui::Begin("Edit track", &d.open,
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_AlwaysAutoResize)) {
        ImGui::Text("%s: %zu vertices (%s)", s.name.c_str(), s.vertices.size(), s.selection.c_str());
        ImGui::AlignTextToFramePadding();
        muted_text("holds from");
        ImGui::SameLine();
        if (const auto t = number_field(ui, "track.from", s.from, "s", 92 * ui.scale)) s.from = *t;
        ImGui::SameLine();
        muted_text("until");
        ImGui::SameLine();
        if (s.until < forever) {
            if (const auto t = number_field(ui, "track.until", s.until, "s", 92 * ui.scale)) s.until = *t;
        } else {
            ImGui::TextUnformatted("the end");
        }
        keys_table(ui, "stiffness", "stiffness per vertex", s.stiffness, "N/m");
        if (s.kind == SupportTrack::Kind::Offset) keys_table(ui, "offset", "offset of the target, x y z", s.offset, "m");
        if (s.kind == SupportTrack::Kind::Turn) keys_table(ui, "angle", "angle of the turn", s.angle, "rad");
        if (s.kind == SupportTrack::Kind::Cylinder || s.kind == SupportTrack::Kind::Drawstring)
            keys_table(ui, "radius", "radius of the target", s.radius, "m");
        if (s.kind == SupportTrack::Kind::Cylinder) keys_table(ui, "height", "height of the target", s.height, "m");
        ImGui::Spacing();
        ImGui::PushTextWrapPos(440 * ui.scale);
        if (!d.error.empty()) {
            ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.settings.theme).bad);
            ImGui::TextUnformatted(d.error.c_str());
            ImGui::PopStyleColor();
        } else {
            muted_text(
                "The run starts anew with the changed scene; what was computed stays in its recording. Ctrl+Z takes the change "
                "back.");
        }
        ImGui::PopTextWrapPos();
        const SupportTrack& now = doc->scene().supports[std::size_t(d.support)];
        const std::string key = "support." + s.name + ".";
        std::vector<std::pair<std::string, std::string>> changes;
        if (s.from != now.from) changes.emplace_back(key + "from", shortest_text(s.from));
        if (s.until != now.until) changes.emplace_back(key + "until", shortest_text(s.until));
        if (!same(s.stiffness, now.stiffness)) changes.emplace_back(key + "stiffness", track_text(s.stiffness));
        if (!same(s.offset, now.offset)) changes.emplace_back(key + "offset", track_text(s.offset));
        if (!same(s.radius, now.radius)) changes.emplace_back(key + "radius", track_text(s.radius));
        if (!same(s.angle, now.angle)) changes.emplace_back(key + "angle", track_text(s.angle));
        if (!same(s.height, now.height)) changes.emplace_back(key + "height", track_text(s.height));
        if (text_button(ui, "track.apply", "Apply and start anew", !changes.empty(), true)) {
            d.error = sink.change_scene(changes);
            d.open = !d.error.empty();
        }
        ImGui::SameLine();
        if (text_button(ui, "track.cancel", "Cancel")) d.open = false;
        ui.log.value("track_dialog", s.name);
        ui.log.value("track_error", d.error);
    }
    ImGui::End();
}

}  // namespace plica
