#include <algorithm>

#include "app/number_text.h"
#include "app/panels/panels.h"
#include "app/studio/widgets.h"
#include "imgui.h"

namespace plica {

void preferences_dialog(UiState& ui, CommandSink& sink) {
    if (!ui.preferences_open) return;
    Settings& s = ui.settings;
    ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({420 * ui.scale, 0});
    if (ImGui::Begin("Preferences", &ui.preferences_open,
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_AlwaysAutoResize)) {
        const float field = 150 * ui.scale, left = 220 * ui.scale;
        const auto label = [&](const char* text, const char* about) {
            ImGui::AlignTextToFramePadding();
            ImGui::TextUnformatted(text);
            tooltip(about);
            ImGui::SameLine(left);
        };
        label("Scale of the window", "0.75 to 3; 0 takes it from the screen.");
        if (const auto v = number_field(ui, "pref.scale", s.ui_scale, "×", field)) {
            if (*v == 0 || (*v >= 0.75 && *v <= 3)) {
                s.ui_scale = *v;
                sink.settings_changed();
            } else {
                refuse_field(ui, "pref.scale", "Scale: allowed is 0.75 to 3, or 0 for that of the screen.");
            }
        }
        label("Theme", "Colours of window and view.");
        int theme_index = int(s.theme);
        static const char* const themes[] = {"dark", "light", "print"};
        if (choice(ui, "pref.theme", theme_index, themes, 3, field)) {
            s.theme = ThemeKind(theme_index);
            sink.settings_changed();
        }
        label("Smooth edges", "Four samples a pixel; dear where there is no graphics card.");
        if (toggle(ui, "pref.multisampling", "##multisampling", s.multisampling)) {
            s.multisampling = !s.multisampling;
            sink.view_changed();
        }
        label("Record every run", "Frames, gauges and edits go to a file in the data folder while a scene runs.");
        if (toggle(ui, "pref.record", "##record", s.keep_recordings)) s.keep_recordings = !s.keep_recordings;
        if (const std::string folder = data_folder(); !folder.empty()) {
            ImGui::PushTextWrapPos(400 * ui.scale);
            muted_text(("Recordings: " + folder + "/recordings").c_str());
            ImGui::PopTextWrapPos();
        }
        ImGui::Spacing();
        if (text_button(ui, "pref.reset_layout", "Reset layout")) sink.act(Action::ResetLayout);
        ImGui::SameLine();
        if (text_button(ui, "pref.close", "Close", true, true)) ui.preferences_open = false;
    }
    ImGui::End();
}

}  // namespace plica
