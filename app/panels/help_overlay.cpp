#include <algorithm>
#include <string>

#include "app/panels/panels.h"
#include "app/studio/widgets.h"
#include "imgui.h"

namespace plica {

void help_overlay(UiState& ui) {
    if (!ui.help_open) return;
    const ImGuiViewport* screen = ImGui::GetMainViewport();
    const float high = std::min(590 * ui.scale, screen->WorkSize.y - 24 * ui.scale);
    ImGui::SetNextWindowPos(screen->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({std::min(980 * ui.scale, screen->WorkSize.x - 40 * ui.scale), high});
    if (ImGui::Begin("Keys and mouse", &ui.help_open,
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoResize)) {
        ui.log.value("help", true);
        const auto line = [&](const char* keys, const char* label, const char* hint, float indent) {
            const float x = ImGui::GetCursorPosX();
            ImGui::TextUnformatted(keys);
            ImGui::SameLine();
            ImGui::SetCursorPosX(x + indent * ui.scale);
            muted_text(label);
            tooltip(hint);
        };
        const auto group = [&](ShortcutGroup which) {
            ImGui::SeparatorText(group_name(which));
            for (const Shortcut& s : shortcuts())
                if (s.group == which && *s.keys) line(s.keys, s.label, s.hint, 92);
        };
        if (ImGui::BeginTable("keys", 3, ImGuiTableFlags_SizingStretchSame)) {
            ImGui::TableNextColumn();
            group(ShortcutGroup::Run);
            group(ShortcutGroup::Help);
            ImGui::TableNextColumn();
            group(ShortcutGroup::Edit);
            group(ShortcutGroup::File);
            ImGui::TableNextColumn();
            group(ShortcutGroup::View);
            ImGui::EndTable();
        }
        if (ImGui::BeginTable("below", 2, ImGuiTableFlags_SizingStretchSame)) {
            ImGui::TableNextColumn();
            ImGui::SeparatorText("Mouse");
            for (const MouseHint& hint : mouse_hints()) line(hint.gesture, hint.effect, "", 200);
            ImGui::TableNextColumn();
            group(ShortcutGroup::Lab);
            ImGui::EndTable();
        }
    }
    ImGui::End();
}

}  // namespace plica
