// The 1-D lab: values on the left; landscape, balls and iterates on the right, or all below each other where there is no room.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/number_text.h"
#include "app/panels/lab_panels.h"
#include "app/panels/panels.h"
#include "app/studio/widgets.h"

namespace plica {

LabColors lab_colors(ThemeKind theme) {
    const Palette& p = palette(theme);
    const bool dark = theme == ThemeKind::Dark;
    return {p.bad, p.good, dark ? IM_COL32(0xB9, 0x8C, 0xFF, 255) : IM_COL32(0x7A, 0x3F, 0xD0, 255),
            dark ? IM_COL32(0x8E, 0x96, 0xA3, 90) : IM_COL32(0x66, 0x70, 0x80, 80), p.grip};
}

std::string lab_length(double metres) {
    const double size = std::fabs(metres);
    if (size == 0) return "0 mm";  // not "-0 mm"
    if (size >= 1) return format_reading(metres) + " m";
    if (size >= 1e-3) return format_reading(metres * 1e3) + " mm";
    if (size >= 1e-7) return format_reading(metres * 1e6) + " µm";
    return format_reading(metres * 1e9) + " nm";
}

std::string place_text(double x, const WallLab& lab) {
    if (x <= lab.wall) return lab_length(lab.wall - x) + " in front";
    const double back = lab.wall + lab.thickness;
    return x < back ? lab_length(x - lab.wall) + " deep in the wall" : lab_length(x - back) + " behind the wall";
}

void colored_text(ImU32 color, const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
}

void lab_view(UiState& ui, const Fonts& fonts, CommandSink& sink) {
    LabState& lab = ui.lab;
    lab.experiment.use(ui.settings.lab);
    const ImGuiViewport* screen = ImGui::GetMainViewport();
    lab.x = screen->WorkPos.x, lab.y = screen->WorkPos.y;
    lab.width = screen->WorkSize.x, lab.height = screen->WorkSize.y;
    ImGui::SetNextWindowPos(screen->WorkPos);
    ImGui::SetNextWindowSize(screen->WorkSize);
    if (ImGui::Begin("Lab", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus)) {
        const float left = 292 * ui.scale;
        const ImVec2 room = ImGui::GetContentRegionAvail();
        const float landscape_least = 190 * ui.scale, iterates_least = 150 * ui.scale, lanes = 168 * ui.scale;
        if (room.x < 2.4f * left) {
            ImGui::BeginChild("all", {0, 0});
            lab_lanes(ui, sink);
            lab_landscape(ui, landscape_least);
            lab_values_panel(ui, sink);
            lab_iterates(ui, fonts, iterates_least);
            ImGui::EndChild();
        } else {
            ImGui::BeginChild("values", {left, 0});
            lab_values_panel(ui, sink);
            ImGui::EndChild();
            ImGui::SameLine(0, 12 * ui.scale);
            ImGui::BeginChild("pictures", {0, 0});
            const float free = std::max(0.f, ImGui::GetContentRegionAvail().y - lanes - landscape_least - iterates_least);
            lab_landscape(ui, landscape_least + 0.5f * free);
            lab_lanes(ui, sink);
            lab_iterates(ui, fonts, std::max(iterates_least, ImGui::GetContentRegionAvail().y));
            ImGui::EndChild();
        }
        const WallExperiment& e = lab.experiment;
        ui.log.value("lab.range", std::array{lab.range.low, lab.range.high});
        ui.log.value("lab.follow", ui.settings.lab.follow);
        ui.log.value("lab.advanced", e.advanced());
        ui.log.value("lab.steps", e.steps());
        ui.log.value("lab.step_done", e.step_done());
        ui.log.value("lab.done", e.done());
        ui.log.value("lab.playing", e.playing);
        ui.log.value("lab.penalty_x", e.penalty().x());
        ui.log.value("lab.ipc_x", e.ipc().x());
        ui.log.value("lab.penalty_through", e.penalty_run().through);
        ui.log.value("lab.ipc_largest_x", e.ipc_run().largest_x);
        ui.log.value("lab.ipc_iterations", e.ipc_run().largest_iterations);
        for (const LabParameter& p : lab_parameters())
            ui.log.value((std::string("lab.") + p.id).c_str(), ui.settings.lab.*p.member);
    }
    ImGui::End();
}

}  // namespace plica
