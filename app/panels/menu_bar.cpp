#include "app/panels/panels.h"
#include "app/studio/action_state.h"
#include "app/studio/widgets.h"
#include "imgui.h"

namespace plica {

namespace {

void item(Action action, const Document* document, UiState& ui, CommandSink& sink, const std::string& suffix = {}) {
    const Shortcut& s = shortcut(action);
    const ActionState state = action_state(action, document, ui);
    const std::string label = suffix.empty() ? std::string(s.label) : std::string(s.label) + ": " + suffix;
    if (ImGui::MenuItem(label.c_str(), s.keys, state.checked, state.enabled)) sink.act(action);
    ui.log.item((std::string("menu.") + s.id).c_str());
    tooltip(s.hint);
}

bool menu(UiState& ui, const char* label) {
    const bool open = ImGui::BeginMenu(label);
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    if (!open) ui.log.rect(std::string("menu.") + label, a.x, a.y, b.x, b.y);
    return open;
}

}  // namespace

void menu_bar(const Document* document, UiState& ui, CommandSink& sink) {
    if (!ImGui::BeginMainMenuBar()) return;
    if (menu(ui, "File")) {
        item(Action::Open, document, ui, sink);
        if (ImGui::BeginMenu("Open recent", !ui.settings.recent.empty())) {
            for (const std::string& path : ui.settings.recent)
                if (ImGui::MenuItem(path.c_str())) {
                    sink.open(path);
                    break;
                }
            ImGui::EndMenu();
        }
        ImGui::Separator();
        item(Action::Save, document, ui, sink);
        item(Action::Export, document, ui, sink);
        ImGui::Separator();
        item(Action::Quit, document, ui, sink);
        ImGui::EndMenu();
    }
    if (menu(ui, "Edit")) {
        item(Action::Undo, document, ui, sink, document ? document->undo_stack.undo_label() : "");
        item(Action::Redo, document, ui, sink, document ? document->undo_stack.redo_label() : "");
        ImGui::Separator();
        for (Action a : {Action::SelectAll, Action::GrowSelection, Action::ClearSelection, Action::CopyIndices})
            item(a, document, ui, sink);
        ImGui::Separator();
        item(Action::PinSelection, document, ui, sink);
        item(Action::ReleaseSelection, document, ui, sink);
        ImGui::Separator();
        item(Action::Preferences, document, ui, sink);
        ImGui::EndMenu();
    }
    if (menu(ui, "Run")) {
        for (Action a : {Action::RunPause, Action::StepSolver, Action::GiveUpStep}) item(a, document, ui, sink);
        ImGui::Separator();
        for (Action a :
             {Action::PlayPause, Action::NextFrame, Action::PreviousFrame, Action::FirstFrame, Action::LastFrame, Action::Live})
            item(a, document, ui, sink);
        ImGui::Separator();
        item(Action::ContinueHere, document, ui, sink);
        item(Action::Reset, document, ui, sink);
        ImGui::EndMenu();
    }
    if (menu(ui, "View")) {
        for (Action a : {Action::FrameSelection, Action::FrameAll, Action::ViewFront, Action::ViewSide, Action::ViewTop})
            item(a, document, ui, sink);
        ImGui::Separator();
        for (Action a : {Action::Wireframe, Action::Contacts, Action::Intersections, Action::CycleColors, Action::FreezeView,
                         Action::GrabTool})
            item(a, document, ui, sink);
        ImGui::Separator();
        item(Action::ResetLayout, document, ui, sink);
        ImGui::EndMenu();
    }
    if (menu(ui, "Lab")) {
        item(Action::Lab, document, ui, sink);
        ImGui::Separator();
        for (const Shortcut& s : shortcuts())
            if (s.group == ShortcutGroup::Lab) item(s.action, document, ui, sink);
        ImGui::EndMenu();
    }
    if (menu(ui, "Help")) {
        item(Action::Help, document, ui, sink);
        ImGui::EndMenu();
    }
    if (document) {
        std::string title = document->title();
        if (document->unsaved()) title += "  (not saved)";
        const float width = ImGui::CalcTextSize(title.c_str()).x;
        ImGui::SetCursorPosX(ImGui::GetWindowWidth() - width - 12 * ui.scale);
        muted_text(title.c_str());
        tooltip(document->path().c_str());
    }
    ImGui::EndMainMenuBar();
}

}  // namespace plica
