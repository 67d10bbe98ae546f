#include <string>

#include "app/panels/panels.h"
#include "app/studio/widgets.h"
#include "imgui.h"

namespace plica {

void help_overlay(UiState& ui) {
    if (!ui.help_open) return;
    const ImGuiViewport* screen = ImGui::GetMainViewport();
    const float high = std::min(640 * ui.scale, screen->WorkSize.y - 40 * ui.scale);
    ImGui::SetNextWindowPos(screen->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({std::min(860 * ui.scale, screen->WorkSize.x - 40 * ui.scale), high});
    if (ImGui::Begin("Keys and mouse", &ui.help_open, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoResize)) {
        ui.log.value("help", true);
        ImGui::Columns(2, nullptr, false);
        const auto line = [&](const char* keys, const char* label, const char* hint) {
            ImGui::TextUnformatted(keys);
            ImGui::SameLine(112 * ui.scale + ImGui::GetColumnOffset());
            muted_text(label);
            tooltip(hint);
        };
        for (ShortcutGroup group : {ShortcutGroup::Run, ShortcutGroup::File, ShortcutGroup::Edit, ShortcutGroup::View, ShortcutGroup::Help}) {
            if (group == ShortcutGroup::Edit) ImGui::NextColumn();
            ImGui::SeparatorText(group_name(group));
            for (const Shortcut& s : shortcuts())
                if (s.group == group && *s.keys) line(s.keys, s.label, s.hint);
        }
        ImGui::NextColumn();
        ImGui::Columns(1);
        ImGui::SeparatorText("Mouse");
        for (const MouseHint& hint : mouse_hints()) {
            ImGui::TextUnformatted(hint.gesture);
            ImGui::SameLine(230 * ui.scale);
            muted_text(hint.effect);
        }
    }
    ImGui::End();
}

}  // namespace plica
