#include <filesystem>

#include "app/panels/panels.h"
#include "app/studio/widgets.h"

namespace plica {

void lab_export_dialog(UiState& ui, CommandSink& sink) {
    LabExportDialog& d = ui.lab.export_dialog;
    if (!ui.lab.open) d.open = false;
    if (!d.open) return;
    ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({460 * ui.scale, 0});
    if (ImGui::Begin("Export from the lab", &d.open,
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_AlwaysAutoResize)) {
        ui.log.value("lab_export_dialog", true);
        const float left = 80 * ui.scale;
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted("What");
        ImGui::SameLine(left);
        if (choice(ui, "lab_export.kind", d.kind, lab_export_names, 4, 230 * ui.scale))
            d.path = std::filesystem::path(d.path)
                         .replace_extension(d.kind == int(LabExportKind::Picture) ? ".png" : ".csv")
                         .string();
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted("File");
        ImGui::SameLine(left);
        text_field(ui, "lab_export.path", d.path, 360 * ui.scale, "where to write");
        const std::string problem = check_lab_export(d);
        ImGui::PushTextWrapPos(440 * ui.scale);
        if (!problem.empty()) {
            ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.settings.theme).warning);
            ImGui::TextUnformatted(problem.c_str());
            ImGui::PopStyleColor();
            ui.log.value("lab_export_problem", problem);
        } else {
            static const char* const about[] = {"The lab as it is shown, in the window's size.",
                                                "Every Newton iterate of the whole throw, both balls; SI units.",
                                                "Both energies over the range that is shown, 2001 positions; SI units.",
                                                "Six speeds with both penalties of the source and the barrier; SI units."};
            muted_text(about[d.kind]);
        }
        ImGui::PopTextWrapPos();
        ImGui::Spacing();
        if (text_button(ui, "lab_export.start", "Export", problem.empty(), true)) {
            sink.export_lab(d);
            d.open = false;
        }
        ImGui::SameLine();
        if (text_button(ui, "lab_export.cancel", "Cancel")) d.open = false;
    }
    ImGui::End();
}

}  // namespace plica
