#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/number_text.h"
#include "app/panels/panels.h"
#include "app/studio/export_job.h"
#include "app/studio/widgets.h"
#include "imgui.h"
#include "render/video.h"

namespace plica {

namespace {

const char* extension(const ExportDialog& d) {
    switch (ExportKind(d.kind)) {
        case ExportKind::Video: return ".mp4";
        case ExportKind::Table: return ".csv";
        case ExportKind::Meshes: return d.mesh_format == 2 ? ".pc2" : "";
        default: return "";
    }
}

}  // namespace

void export_dialog(const Document* doc, UiState& ui, CommandSink& sink) {
    ExportDialog& d = ui.export_dialog;
    if (!d.open) return;
    if (!doc || doc->timeline.empty()) {
        d.open = false;
        return;
    }
    ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({500 * ui.scale, 0});
    if (ImGui::Begin("Export", &d.open,
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_AlwaysAutoResize)) {
        ui.log.value("export_dialog", true);
        const float left = 150 * ui.scale, field = 110 * ui.scale;
        const auto label = [&](const char* text) {
            ImGui::AlignTextToFramePadding();
            ImGui::TextUnformatted(text);
            ImGui::SameLine(left);
        };
        bool rename = false;
        label("What");
        rename |= choice(ui, "export.kind", d.kind, export_kind_names, 4, 200 * ui.scale);
        if (d.kind == int(ExportKind::Meshes)) {
            label("Format");
            rename |= choice(ui, "export.format", d.mesh_format, mesh_format_names, 3, 200 * ui.scale);
        }
        if (rename) d.path = std::filesystem::path(d.path).replace_extension(extension(d)).string();
        label(d.kind == int(ExportKind::Pictures) || (d.kind == int(ExportKind::Meshes) && d.mesh_format != 2) ? "Folder"
                                                                                                               : "File");
        text_field(ui, "export.path", d.path, 330 * ui.scale, "where to write");

        const bool drawn = d.kind == int(ExportKind::Video) || d.kind == int(ExportKind::Pictures);
        std::string note;
        const auto whole = [&](const char* id, int& value, const char* unit, int low, int high) {
            if (const auto v = number_field(ui, id, value, unit, field)) {
                if (*v >= low && *v <= high && *v == std::floor(*v))
                    value = int(*v);
                else
                    refuse_field(ui, id,
                                 "Allowed: whole numbers from " + std::to_string(low) + " to " + std::to_string(high) + ".");
            }
        };
        if (drawn) {
            label("Size");
            whole("export.width", d.width, "px", 1, 20000);
            ImGui::SameLine();
            ImGui::TextUnformatted("×");
            ImGui::SameLine();
            whole("export.height", d.height, "px", 1, 20000);
            label("Pictures per second");
            whole("export.fps", d.fps, "/s", 1, 240);
            label("Speed");
            if (const auto v = number_field(ui, "export.speed", d.speed, "×", field)) d.speed = *v;
            tooltip("1: a second of the simulation is a second of the video. 0.25: slow motion, written on the picture.");
            if (d.kind == int(ExportKind::Video)) note = video_size_note(d.width, d.height);
        } else {
            label("Every n-th frame");
            whole("export.every", d.every, "", 1, 100000);
        }
        const double end = doc->timeline.time(doc->timeline.size() - 1);
        label("From – to");
        if (const auto v = number_field(ui, "export.from", d.from, "s", field)) d.from = std::clamp(*v, 0.0, end);
        ImGui::SameLine();
        if (const auto v = number_field(ui, "export.to", d.to > d.from ? d.to : end, "s", field))
            d.to = std::clamp(*v, 0.0, end);

        const std::string problem = d.path.empty() ? "" : check_export(d);
        if (!note.empty()) {
            ImGui::PushTextWrapPos(480 * ui.scale);
            muted_text(note.c_str());
            ImGui::PopTextWrapPos();
        }
        if (!problem.empty()) {
            ImGui::PushTextWrapPos(480 * ui.scale);
            ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.settings.theme).warning);
            ImGui::TextUnformatted(problem.c_str());
            ImGui::PopStyleColor();
            ImGui::PopTextWrapPos();
            ui.log.value("export_problem", problem);
        } else if (drawn) {
            const double span = (d.to > d.from ? d.to : end) - d.from;
            muted_text((std::to_string(int(std::lround(span / d.speed * d.fps)) + 1) + " pictures, " +
                        format_number(span / d.speed, 4) + " s")
                           .c_str());
        }
        ImGui::Spacing();
        if (text_button(ui, "export.start", "Export", problem.empty() && !d.path.empty(), true)) {
            sink.start_export(d);
            d.open = false;
        }
        ImGui::SameLine();
        if (text_button(ui, "export.cancel", "Cancel")) d.open = false;
    }
    ImGui::End();
}

}  // namespace plica
