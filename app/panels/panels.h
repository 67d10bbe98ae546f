// The panels of the window: each a free function of what it shows, the window's own state, and where wishes go.
#pragma once

#include <vector>

#include "app/studio/command_sink.h"
#include "app/studio/document.h"
#include "app/studio/theme.h"
#include "app/studio/ui_state.h"

namespace plica {

struct JobProgress {
    int job = 0;
    std::string title;
    double fraction = 0;
    bool done = false;
    std::string message;  // result or reason of failure
    bool failed = false;
};

// The 1-D lab in place of the scene: the whole work area.
void lab_view(UiState& ui, const Fonts& fonts, CommandSink& sink);
void lab_export_dialog(UiState& ui, CommandSink& sink);
void menu_bar(const Document* document, UiState& ui, CommandSink& sink);
void scene_panel(const Document* document, UiState& ui, CommandSink& sink);
void solver_panel(const Document* document, UiState& ui, CommandSink& sink);
void gauges_panel(const Document* document, UiState& ui, const Fonts& fonts, CommandSink& sink);
void section_panel(const Document* document, UiState& ui);  // of a fold; nothing for other scenes
void step_panel(const Document* document, UiState& ui, CommandSink& sink);
void timeline_panel(const Document* document, UiState& ui, const Fonts& fonts, CommandSink& sink);
void status_bar(const Document* document, UiState& ui, bool loading, const std::vector<JobProgress>& exports,
                CommandSink& sink);
// Messages over the view, from `top_left` downwards.
void banners_overlay(const Document* document, UiState& ui, ImVec2 top_left, float width, CommandSink& sink);
void export_progress_overlay(UiState& ui, ImVec2 bottom_right, const std::vector<JobProgress>& exports, CommandSink& sink);
void help_overlay(UiState& ui);
void preferences_dialog(UiState& ui, CommandSink& sink);
void file_dialog(UiState& ui, CommandSink& sink);
void import_dialog(UiState& ui, CommandSink& sink);
void export_dialog(const Document* document, UiState& ui, CommandSink& sink);
void track_dialog(const Document* document, UiState& ui, CommandSink& sink);
void continue_dialog(const Document* document, UiState& ui, CommandSink& sink);

// Fills the entries of the file dialog; used when it opens and when the folder changes.
void list_folder(FileDialog& dialog);

}  // namespace plica
