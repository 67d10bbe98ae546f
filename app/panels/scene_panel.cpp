#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/number_text.h"
#include "app/panels/panels.h"
#include "app/studio/action_state.h"
#include "app/studio/widgets.h"
#include "imgui.h"

namespace plica {

namespace {

bool matches(const std::string& name, const std::string& filter) {
    if (filter.empty()) return true;
    const auto lower = [](std::string text) {
        std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
        return text;
    };
    return lower(name).find(lower(filter)) != std::string::npos;
}

// A row with a name to select on the left and a short muted text on the right.
bool row(UiState& ui, const std::string& id, const std::string& name, const std::string& detail, bool selected, ImU32 dot = 0,
         float reserve = 0) {
    ImGui::PushID(id.c_str());
    const float width = ImGui::GetContentRegionAvail().x - reserve;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::Selectable("##row", selected, ImGuiSelectableFlags_AllowOverlap, {width, 0});
    ui.log.item(id.c_str());
    ImDrawList* list = ImGui::GetWindowDrawList();
    float x = at.x + 2 * ui.scale;
    const float h = ImGui::GetFontSize();
    if (dot) {
        list->AddCircleFilled({x + 4 * ui.scale, at.y + h / 2}, 3.5f * ui.scale, dot);
        x += 13 * ui.scale;
    }
    const float detail_width = ImGui::CalcTextSize(detail.c_str()).x;
    const float room = at.x + width - detail_width - 8 * ui.scale;
    list->PushClipRect({x, at.y}, {std::max(x, room), at.y + h + 4}, true);
    list->AddText({x, at.y}, ImGui::GetColorU32(ImGuiCol_Text), name.c_str());
    list->PopClipRect();
    list->AddText({at.x + width - detail_width - 2 * ui.scale, at.y}, ImGui::GetColorU32(ImGuiCol_TextDisabled),
                  detail.c_str());
    ImGui::PopID();
    return pressed;
}

std::string mass_text(double kilograms) {
    return kilograms < 1 ? format_number(kilograms * 1e3, 3) + " g" : format_number(kilograms, 3) + " kg";
}

bool tree(UiState& ui, const char* id, const std::string& label, bool open) {
    ImGui::SetNextItemOpen(open, ImGuiCond_FirstUseEver);
    const bool is_open = ImGui::TreeNodeEx(
        id, ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_FramePadding | ImGuiTreeNodeFlags_NoTreePushOnOpen, "%s",
        label.c_str());
    ui.log.item(id);
    return is_open;
}

// Contact with one body as a small switch at the row's end.
void body_switch(const Document& doc, UiState& ui, CommandSink& sink, const std::string& name) {
    const std::string key = "body:" + name;
    const float size = ImGui::GetTextLineHeight();
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - size);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0});
    const bool on = doc.switch_on(key);
    if (toggle(ui, key.c_str(), ("##" + key).c_str(), on, doc.has_simulation())) sink.set_switch(key, !on);
    ImGui::PopStyleVar();
    tooltip(on ? "Contact with it is on. Click to let everything pass through it."
               : "Contact with it is off: everything passes through it.");
}

void films(const Document& doc, UiState& ui, CommandSink& sink) {
    int first = 0;
    for (const Film& film : doc.scene().films) {
        const int count = int(film.start.size());
        const Material& m = film.material;
        if (matches(film.name, ui.search)) {
            if (row(ui, "film." + film.name, film.name, std::to_string(count) + " v", false,
                    palette(ui.settings.theme).accent)) {
                std::vector<int> all(static_cast<std::size_t>(count));
                for (int i = 0; i < count; ++i) all[std::size_t(i)] = first + i;
                sink.select(all, false);
            }
            const std::string about = film.name + ": " + std::to_string(count) + " vertices, " +
                                      std::to_string(film.triangles.size()) + " triangles\n" +
                                      (m.model == Material::Model::NeoHookean ? "Neo-Hookean" : "StVK") + ", E " +
                                      format_number(m.young / 1e6) + " MPa, ν " + format_number(m.poisson) + "\nthickness " +
                                      format_number(m.thickness * 1e6) + " µm (mass, stiffness); contact has min_gap\n" +
                                      format_number(m.density) + " kg/m³";
            tooltip(about.c_str());
        }
        if (ui.search.empty() && is_mesh_file(doc.path()) && !doc.is_recording()) {
            const std::string taken = "taken in " + doc.scene().length_unit + ", " + format_number(m.thickness * 1e6) + " µm…";
            if (row(ui, "film.import", "  " + taken, "", false))
                sink.ask_import(doc.path(), doc.scene().length_unit, m.thickness);
            tooltip("Unit and thickness of the imported mesh; a change imports it again.");
        }
        const bool groups_open =
            !film.groups.empty() &&
            (!ui.search.empty() || tree(ui, ("tree.groups." + film.name).c_str(),
                                        "Vertex groups  (" + std::to_string(film.groups.size()) + ")", false));
        for (const VertexGroup& group : film.groups) {
            if (!groups_open || (!ui.search.empty() && !matches(group.name, ui.search))) continue;
            if (row(ui, "group." + group.name, "  " + group.name, std::to_string(group.vertices.size()) + " v", false)) {
                std::vector<int> members;
                for (int v : group.vertices) members.push_back(first + v);
                sink.select(members, false);
            }
        }
        first += count;
    }
}

}  // namespace

void scene_panel(const Document* document, UiState& ui, CommandSink& sink) {
    if (!ImGui::Begin("Scene")) {
        ImGui::End();
        return;
    }
    if (!document) {
        muted_text("Nothing is open.");
        ImGui::End();
        return;
    }
    const Document& doc = *document;
    const Scene& scene = doc.scene();
    const Palette& colors = palette(ui.settings.theme);
    const double time = doc.timeline.empty() ? 0 : doc.timeline.time(std::min(doc.playback.shown, doc.timeline.size() - 1));

    text_field(ui, "scene.search", ui.search, ImGui::GetContentRegionAvail().x, "Find a part or vertex group");

    const float tools_height = ImGui::GetFrameHeightWithSpacing() * 6.2f;
    ImGui::BeginChild("tree", {0, std::max(80.f, ImGui::GetContentRegionAvail().y - tools_height)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {4 * ui.scale, 3 * ui.scale});
    if (tree(ui, "tree.films", "Film", true)) films(doc, ui, sink);

    const float reserve = ImGui::GetTextLineHeight() + 8 * ui.scale;
    if (!scene.spheres.empty() && tree(ui, "tree.spheres", "Spheres  (" + std::to_string(scene.spheres.size()) + ")", true)) {
        for (std::size_t i = 0; i < scene.spheres.size(); ++i) {
            const Sphere& s = scene.spheres[i];
            if (!matches(s.name, ui.search)) continue;
            const double mass = 4.0 / 3 * 3.14159265358979 * s.radius * s.radius * s.radius * s.density;
            const int body = int(scene.films.size() + i);
            if (row(ui, "sphere." + s.name, s.name, "R " + format_number(s.radius * 1e3, 3) + " mm", ui.selection.body == body,
                    IM_COL32(214, 156, 90, 255), reserve))
                sink.select_body(body);
            const std::string about =
                "Mass " + mass_text(mass) + (time < s.drop_time ? "; held until " + format_number(s.drop_time, 3) + " s" : "");
            tooltip(about.c_str());
            body_switch(doc, ui, sink, s.name);
        }
    }
    if (!scene.obstacles.empty() && tree(ui, "tree.obstacles", "Obstacles", true)) {
        for (std::size_t i = 0; i < scene.obstacles.size(); ++i) {
            const Obstacle& o = scene.obstacles[i];
            if (!matches(o.name, ui.search)) continue;
            const int body = int(scene.films.size() + scene.spheres.size() + i);
            if (row(ui, "obstacle." + o.name, o.name, std::to_string(o.vertices.size()) + " v", ui.selection.body == body,
                    colors.muted, reserve))
                sink.select_body(body);
            body_switch(doc, ui, sink, o.name);
        }
    }
    if (!scene.supports.empty() &&
        tree(ui, "tree.supports", "Supports  (" + std::to_string(scene.supports.size()) + ")", true)) {
        for (std::size_t i = 0; i < scene.supports.size(); ++i) {
            const SupportTrack& s = scene.supports[i];
            if (!matches(s.name, ui.search)) continue;
            const bool active = time >= s.from && time < s.until;
            const std::string state = active          ? "holds " + std::to_string(s.vertices.size()) + " v"
                                      : time < s.from ? "from " + format_number(s.from, 3) + " s"
                                                      : "done";
            if (row(ui, "support." + s.name, s.name, state, ui.selection.support == int(i),
                    active ? colors.good : colors.track)) {
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
            const std::string about = s.selection + "\n" + std::to_string(s.vertices.size()) + " vertices, " +
                                      format_number(s.from, 4) + " to " +
                                      (s.until > 1e20 ? std::string("the end") : format_number(s.until, 4) + " s");
            tooltip(about.c_str());
        }
    }
    if (!scene.ties.empty() && tree(ui, "tree.ties", "Ties", false)) {
        for (const TieSet& t : scene.ties) {
            const bool active = time >= t.from && time < t.until;
            row(ui, "tie." + t.name, t.name, std::to_string(t.pairs.size()) + (active ? " hold" : " idle"), false,
                active ? colors.good : colors.track);
        }
    }
    if (!doc.pins().empty() || !doc.grips().empty()) {
        if (tree(ui, "tree.handles", "Pins and grips  (" + std::to_string(doc.pins().size() + doc.grips().size()) + ")",
                 true)) {
            for (const auto& [vertex, grip] : doc.grips())
                if (row(ui, "grip." + std::to_string(vertex), "grip " + std::to_string(vertex),
                        "≤ " + format_number(grip.limit, 3) + " N", ui.selection.vertices.count(vertex) > 0, colors.grip))
                    sink.select({vertex}, false);
            for (const auto& [vertex, stiffness] : doc.pins())
                if (row(ui, "pin." + std::to_string(vertex), "pin " + std::to_string(vertex),
                        format_number(stiffness, 3) + " N/m", ui.selection.vertices.count(vertex) > 0, colors.accent))
                    sink.select({vertex}, false);
        }
    }
    ImGui::PopStyleVar();
    ImGui::EndChild();

    ImGui::SeparatorText("Tools");
    const float wide = ImGui::GetContentRegionAvail().x;
    action_icon(ui, sink, Action::GrabTool, Icon::Grab, ui.grab_tool, doc.has_simulation());
    ImGui::SameLine();
    action_icon(ui, sink, Action::PinSelection, Icon::Pin, false, action_state(Action::PinSelection, document, ui).enabled);
    ImGui::SameLine();
    action_icon(ui, sink, Action::ReleaseSelection, Icon::Cross, false,
                action_state(Action::ReleaseSelection, document, ui).enabled);
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    const std::size_t n = ui.selection.vertices.size();
    muted_text(n == 0   ? "nothing selected"
               : n == 1 ? ("vertex " + std::to_string(*ui.selection.vertices.begin())).c_str()
                        : (std::to_string(n) + " vertices").c_str());
    const float field = std::min(110 * ui.scale, wide * 0.45f);
    const auto labelled = [&](const char* label, const char* id, double& value, const char* unit, double low, double high) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(label);
        ImGui::SameLine(wide - field + ImGui::GetStyle().WindowPadding.x);
        if (const auto v = number_field(ui, id, value, unit, field)) {
            if (*v >= low && *v <= high)
                value = *v;
            else
                refuse_field(ui, id,
                             std::string(label) + ": allowed is " + format_number(low) + " to " + format_number(high) + " " +
                                 unit + ".");
        }
    };
    labelled("Grip force limit", "grip.limit", ui.settings.grip_limit, "N", 1e-4, 1e3);
    labelled("Grip stiffness", "grip.stiffness", ui.settings.grip_stiffness, "N/m", 1e-3, 1e5);
    labelled("Pin stiffness", "pin.stiffness", ui.settings.pin_stiffness, "N/m", 1e-3, 1e5);
    if (toggle(ui, "grip.keep", "Keep grips after the drag", ui.settings.keep_grip))
        ui.settings.keep_grip = !ui.settings.keep_grip;
    tooltip(
        "Off: a grip lets go with the mouse button while the solver runs. On, or while paused: it stays until it is released "
        "[Delete].");
    ImGui::End();
}

}  // namespace plica
