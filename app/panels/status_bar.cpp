#include <algorithm>
#include <filesystem>

#include "app/number_text.h"
#include "app/panels/panels.h"
#include "app/studio/action_state.h"
#include "app/studio/widgets.h"
#include "imgui.h"
#include "imgui_internal.h"

namespace plica {

namespace {

void part(UiState& ui, const std::string& text, const char* about = "", ImU32 color = 0) {
    ImGui::SameLine(0, 16 * ui.scale);
    if (color) ImGui::PushStyleColor(ImGuiCol_Text, color);
    if (color)
        ImGui::TextUnformatted(text.c_str());
    else
        muted_text(text.c_str());
    if (color) ImGui::PopStyleColor();
    tooltip(about);
}

}  // namespace

void status_bar(const Document* doc, UiState& ui, bool loading, const std::vector<JobProgress>& exports, CommandSink&) {
    const float height = ImGui::GetFrameHeight();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {10 * ui.scale, 3 * ui.scale});
    ImGui::PushStyleColor(ImGuiCol_MenuBarBg, ImGui::GetStyleColorVec4(ImGuiCol_TitleBg));
    if (ImGui::BeginViewportSideBar(
            "##status", ImGui::GetMainViewport(), ImGuiDir_Down, height,
            ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_MenuBar)) {
        if (ImGui::BeginMenuBar()) {
            const Palette& colors = palette(ui.settings.theme);
            const Activity now = activity(doc);
            const ImU32 color = now == Activity::Running || now == Activity::Stepping ? colors.good
                                : now == Activity::Finishing                          ? colors.warning
                                : now == Activity::Playing                            ? colors.accent
                                                                                      : colors.muted;
            const ImVec2 at = ImGui::GetCursorScreenPos();
            ImGui::GetWindowDrawList()->AddCircleFilled({at.x + 4 * ui.scale, at.y + height / 2 - 1}, 4 * ui.scale, color);
            ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 14 * ui.scale);
            ImGui::TextUnformatted(loading ? "Loading…" : activity_text(now));
            ui.log.item("status");
            ui.log.value("state", activity_text(now));
            ui.log.value("loading", loading);
            if (doc) {
                const LiveProgress live = doc->progress();
                part(ui,
                     "cpu FP64 · " + std::to_string(doc->settings().threads) +
                         (doc->settings().threads == 1 ? " thread" : " threads"),
                     "Backend, precision of the solver, worker threads");
                const Timeline& line = doc->timeline;
                if (!line.empty()) {
                    const int last = line.size() - 1;
                    part(ui, "step " + std::to_string(line.step(last)) + " · t " + fixed_reading(line.time(last), 3) + " s",
                         "Newest computed step");
                    ui.log.value("steps", line.step(last));
                    ui.log.value("computed_time", line.time(last));
                    ui.log.value("shown", doc->playback.shown);
                    ui.log.value("live", doc->playback.live);
                    if (last > 0)
                        part(ui,
                             std::to_string(line.mark(last).iterations) +
                                 (line.mark(last).iterations == 1 ? " iteration" : " iterations"),
                             "Newton iterations of the newest step");
                }
                if (live.in_step && live.seconds_in_step > 1)
                    part(ui,
                         "step " + std::to_string(live.step) + ", iteration " + std::to_string(live.iteration) + ", " +
                             format_number(live.seconds_in_step, 2) + " s",
                         "The step that is being computed", colors.warning);
                if (doc->steps_per_second() > 0) {
                    part(ui, format_number(doc->steps_per_second(), 3) + " steps/s", "Accepted steps per second of wall time");
                    part(ui, format_number(doc->real_time_factor(), 2) + " × real time",
                         "Simulated seconds per second of wall time");
                }
                ui.log.value("steps_per_second", doc->steps_per_second());
            }
            // From the right: frames drawn, exports, recording.
            std::string right = format_number(ui.fps, 3) + " fps";
            int running = 0;
            for (const JobProgress& job : exports) running += job.done ? 0 : 1;
            if (running > 0) right = std::to_string(running) + (running == 1 ? " export · " : " exports · ") + right;
            if (doc && !doc->recording_path().empty()) {
                const std::string name = std::filesystem::path(doc->recording_path()).filename().string();
                right = (doc->is_recording() ? "recording " : "records to ") + name + " · " + right;
            }
            const float room = ImGui::GetWindowWidth() - ImGui::GetCursorPosX() - 24 * ui.scale;
            const float wide = ImGui::CalcTextSize(right.c_str()).x;
            ImGui::SameLine(std::max(ImGui::GetCursorPosX() + 12 * ui.scale,
                                     ImGui::GetWindowWidth() - std::min(wide, room) - 16 * ui.scale));
            clipped_text(right, std::max(20.f, room), colors.muted);
            if (doc) tooltip(doc->recording_path().c_str());
            ui.log.value("fps", ui.fps);
            ImGui::EndMenuBar();
        }
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
}

}  // namespace plica
