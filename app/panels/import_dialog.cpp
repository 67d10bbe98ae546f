// Before a mesh becomes a film: how large it is in the unit that it is taken in, how thick, and what is odd about it.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/number_text.h"
#include "app/panels/panels.h"
#include "app/studio/widgets.h"
#include "imgui.h"

namespace plica {

namespace {

constexpr const char* units[] = {"m", "cm", "mm", "um", "in", "ft"};
constexpr const char* unit_labels[] = {"metres", "centimetres", "millimetres", "micrometres", "inches", "feet"};
constexpr int unit_count = 6;

int unit_index(const std::string& name) {
    for (int i = 0; i < unit_count; ++i)
        if (name == units[i]) return i;
    return 0;
}

std::string size_in(const Vec3& size, double metres, const char* unit) {
    const Vec3 s = (1 / metres) * size;
    return format_number(s.x, 4) + " × " + format_number(s.y, 4) + " × " + format_number(s.z, 4) + " " + unit;
}

// Where the unit comes from, and whether the size can be meant.
std::string about_unit(const ImportReport& r) {
    std::string text;
    if (!r.stated_unit.empty())
        text = r.stated_unit == r.used_unit ? "The file says so." : "The file says " + r.stated_unit + ".";
    else if (r.used_unit == r.likely_unit)
        text = "Likely, by the size; the file does not say its unit.";
    else
        text = "The file does not say its unit; by the size " + r.likely_unit + " is likelier.";
    return text;
}

void notes(const char* heading, const std::vector<ImportNote>& list, ImU32 color) {
    for (const ImportNote& note : list) {
        ImGui::PushStyleColor(ImGuiCol_Text, color);
        ImGui::TextUnformatted(note.line > 0 ? ("line " + std::to_string(note.line)).c_str() : heading);
        ImGui::PopStyleColor();
        ImGui::SameLine();
        ImGui::PushTextWrapPos(0);
        ImGui::TextUnformatted(note.text.c_str());
        ImGui::PopTextWrapPos();
    }
}

}  // namespace

void import_dialog(UiState& ui, CommandSink& sink) {
    ImportDialog& d = ui.import_dialog;
    if (!d.open) return;
    const ImportReport& r = d.report;
    const Palette& colors = palette(ui.settings.theme);
    const ImGuiViewport* screen = ImGui::GetMainViewport();
    const float wide = std::min(520 * ui.scale, screen->WorkSize.x - 20);
    ImGui::SetNextWindowPos(screen->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSizeConstraints({wide, 0}, {wide, screen->WorkSize.y - 20});
    if (!ImGui::IsPopupOpen("Import mesh")) ImGui::OpenPopup("Import mesh");
    bool open = true;
    if (!ImGui::BeginPopupModal("Import mesh", &open, ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize)) {
        d.open = open;
        return;
    }
    const float left = 110 * ui.scale;
    const auto label = [&](const char* text) {
        ImGui::AlignTextToFramePadding();
        muted_text(text);
        ImGui::SameLine(left);
    };
    label("File");
    clipped_text(std::filesystem::path(d.path).filename().string(), wide - left - 16 * ui.scale);
    label("Mesh");
    std::string counts = std::to_string(r.vertex_count) + " vertices, " + std::to_string(r.triangle_count) + " triangles";
    if (r.polygon_count > 0) counts += "; " + std::to_string(r.polygon_count) + " polygons cut into triangles";
    clipped_text(counts, wide - left - 16 * ui.scale);

    label("Unit");
    int unit = unit_index(d.unit);
    if (choice(ui, "import.unit", unit, unit_labels, unit_count, 130 * ui.scale))
        sink.ask_import(d.path, units[unit], d.thickness);
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    muted_text(("× " + format_number(r.scale, 4) + " m").c_str());
    ImGui::SetCursorPosX(left);
    ImGui::PushTextWrapPos(0);
    muted_text(about_unit(r).c_str());
    ImGui::PopTextWrapPos();

    label("Size");
    ImGui::BeginGroup();
    ImGui::TextUnformatted(size_in(r.size, 1e-3, "mm").c_str());
    ImGui::TextUnformatted(size_in(r.size, 1e-2, "cm").c_str());
    ImGui::TextUnformatted(size_in(r.size, 1, "m").c_str());
    ImGui::EndGroup();
    const double largest = std::max({r.size.x, r.size.y, r.size.z});
    std::string doubt;
    if (largest > 0 && largest < 1e-3)
        doubt = size_in(r.size, 1e-3, "mm") + ", smaller than a grain of sand, really? Films of 1 mm to 10 m are usual.";
    else if (largest > 10)
        doubt = size_in(r.size, 1, "m") + ", larger than a house, really? Films of 1 mm to 10 m are usual.";
    else if (largest > 0 && r.longest_edge > 0 && r.shortest_edge < d.thickness)
        doubt = "The shortest edge, " + format_reading(r.shortest_edge * 1e6) + " µm, is shorter than the film is thick.";
    if (!doubt.empty()) {
        ImGui::SetCursorPosX(left);
        ImGui::PushTextWrapPos(0);
        ImGui::PushStyleColor(ImGuiCol_Text, colors.warning);
        ImGui::TextUnformatted(doubt.c_str());
        ImGui::PopStyleColor();
        ImGui::PopTextWrapPos();
    }

    label("Thickness");
    if (const auto v = number_field(ui, "import.thickness", d.thickness * 1e6, "µm", 130 * ui.scale)) {
        if (*v > 0 && *v <= 1e5)
            sink.ask_import(d.path, d.unit, *v * 1e-6);
        else
            refuse_field(ui, "import.thickness", "Thickness: allowed is above 0, at most 100000 µm.");
    }
    if (r.longest_edge > 0) {
        label("Edges");
        ImGui::TextUnformatted((format_reading(r.shortest_edge * 1e3) + " to " + format_reading(r.longest_edge * 1e3) +
                                " mm, " + std::to_string(r.boundary_edges) + " on the border")
                                   .c_str());
    }
    label("Report");
    const std::size_t lines = r.errors.size() + r.warnings.size();
    if (lines == 0) {
        ImGui::TextUnformatted("nothing odd");
    } else {
        ImGui::BeginChild("notes", {0, std::min(3 * float(lines) + 0.5f, 7.f) * ImGui::GetTextLineHeightWithSpacing()});
        notes("error", r.errors, colors.bad);
        notes("note", r.warnings, colors.warning);
        ImGui::EndChild();
    }
    ImGui::Spacing();
    if (text_button(ui, "import.ok", "Import", r.ok() && !d.reading, true)) {
        sink.import_mesh(d.path, d.unit, d.thickness);
        open = false;
    }
    ImGui::SameLine();
    const bool escape = ImGui::IsKeyPressed(ImGuiKey_Escape, false) && !ImGui::IsAnyItemActive() && ui.edit_id == 0;
    if (text_button(ui, "import.cancel", "Cancel") || escape) open = false;
    ui.log.value("import_dialog", size_in(r.size, 1e-3, "mm") + "; " + d.unit + "; " + about_unit(r) + "; " + doubt);
    ui.log.value("import_notes", int(lines));
    if (!open) {
        d.open = false;
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
}

}  // namespace plica
