#include <algorithm>
#include <cstring>

#include "app/number_text.h"
#include "app/panels/panels.h"
#include "app/studio/setting_rows.h"
#include "app/studio/widgets.h"
#include "imgui.h"

namespace plica {

void solver_panel(const Document* document, UiState& ui, CommandSink& sink) {
    if (!ImGui::Begin("Solver")) {
        ImGui::End();
        return;
    }
    if (!document) {
        ImGui::End();
        return;
    }
    const Document& doc = *document;
    const bool enabled = doc.has_simulation();
    if (!enabled && !doc.why_no_simulation().empty()) {
        ImGui::PushTextWrapPos();
        muted_text(("Frames only: " + doc.why_no_simulation()).c_str());
        ImGui::PopTextWrapPos();
    }
    const float wide = ImGui::GetContentRegionAvail().x, field = std::min(118 * ui.scale, wide * 0.42f);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {6 * ui.scale, 3 * ui.scale});
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {6 * ui.scale, 2.5f * ui.scale});
    {
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted("Contact");
        tooltip(
            "IPC: barrier and motion cap, surfaces never pass through one another.\n"
            "Guarded: penalty; a step that leaves a risk is solved again with IPC.\n"
            "Basic: penalty alone; surfaces can pass through one another.");
        ImGui::SameLine(wide - field + ImGui::GetStyle().WindowPadding.x);
        ImGui::BeginDisabled(!enabled);
        constexpr const char* names[] = {"IPC", "Guarded", "Basic"};
        int mode = int(doc.contact_mode());
        if (choice(ui, "contact_mode", mode, names, 3, field)) sink.set_contact_mode(ContactMode(mode));
        ImGui::EndDisabled();
        ui.log.value("contact_mode", int(doc.contact_mode()));
    }
    for (const SettingRow& row : setting_rows()) {
        if (std::strcmp(row.key, "penalty") == 0 && doc.contact_mode() == ContactMode::Ipc) continue;  // plays no part
        ImGui::AlignTextToFramePadding();
        const bool pending = doc.setting_pending(row.key);
        ImGui::TextUnformatted(row.label);
        const std::string about =
            std::string(row.hint) + "\nAllowed: " + range_text(row) + ". Takes effect with the next step; undo takes it back.";
        tooltip(about.c_str());
        ImGui::SameLine(wide - field + ImGui::GetStyle().WindowPadding.x);
        const std::string id = std::string("setting.") + row.key;
        const double shown = doc.setting(row.key) * row.scale;
        if (const auto value = number_field(ui, id.c_str(), shown, row.unit, field, enabled, pending)) {
            const double stored = *value / row.scale;
            if (const std::string why = check_range(row, stored); why.empty())
                sink.set_setting(row.key, stored);
            else
                refuse_field(ui, id.c_str(), why);
        }
        ui.log.value(id.c_str(), format_number(shown));
    }
    ImGui::Spacing();
    const auto rows = switch_rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i % 2 == 1) ImGui::SameLine(wide * 0.5f + ImGui::GetStyle().WindowPadding.x);
        const std::string id = std::string("switch.") + rows[i].key;
        const bool on = doc.switch_on(rows[i].key);
        if (toggle(ui, id.c_str(), rows[i].label, on, enabled)) sink.set_switch(rows[i].key, !on);
        tooltip(rows[i].hint);
        ui.log.value(id.c_str(), on);
    }
    ImGui::PopStyleVar(2);
    ImGui::End();
}

}  // namespace plica
