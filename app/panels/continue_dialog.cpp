// Before a run goes on from a frame of the past: what differs now from then.
#include "app/number_text.h"
#include "app/panels/panels.h"
#include "app/studio/setting_rows.h"
#include "app/studio/widgets.h"
#include "imgui.h"

namespace plica {

void continue_dialog(const Document* doc, UiState& ui, CommandSink& sink) {
    ContinueDialog& d = ui.continue_dialog;
    if (!d.open || !doc) return;
    if (d.frame >= doc->timeline.size()) {
        d.open = false;
        return;
    }
    ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({460 * ui.scale, 0});
    if (ImGui::Begin("Continue from an earlier frame", &d.open,
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_AlwaysAutoResize)) {
        ImGui::PushTextWrapPos(440 * ui.scale);
        ImGui::Text(
            "The run goes on from frame %d, t = %s s. The frames after it are kept as a branch. Since then these were changed:",
            d.frame, format_number(doc->timeline.time(d.frame), 5).c_str());
        ImGui::PopTextWrapPos();
        SolverSettings then;
        ContactSwitches switches;
        doc->settings_at(d.frame, then, switches);
        for (const Command& c : doc->differences_to(d.frame)) {
            std::string text = c.describe();
            if (const SettingRow* row = setting_row(c.key); row && c.kind == Command::Kind::SetSetting)
                text = std::string(row->label) + " is now " + format_number(c.value * row->scale) + " " + row->unit;
            ImGui::BulletText("%s", text.c_str());
        }
        ImGui::Spacing();
        if (text_button(ui, "continue.now", "With the values of now", true, true)) {
            sink.continue_from(d.frame, true, d.start);
            d.open = false;
        }
        ImGui::SameLine();
        if (text_button(ui, "continue.then", "With those of then")) {
            sink.continue_from(d.frame, false, d.start);
            d.open = false;
        }
        ImGui::SameLine();
        if (text_button(ui, "continue.cancel", "Cancel")) d.open = false;
    }
    ImGui::End();
}

}  // namespace plica
