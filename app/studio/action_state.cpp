#include "app/studio/action_state.h"

#include "app/studio/document.h"
#include "app/studio/ui_state.h"

namespace plica {

ActionState action_state(Action action, const Document* doc, const UiState& ui) {
    const Settings& s = ui.settings;
    const bool frames = doc && doc->timeline.size() > 1;
    const bool sim = doc && doc->has_simulation();
    switch (action) {
        case Action::RunPause: return {sim || frames, doc && (doc->run_state() == RunState::Running || doc->playback.playing)};
        case Action::StepSolver: return {sim && doc->run_state() == RunState::Paused, false};
        case Action::PlayPause: return {frames, doc && doc->playback.playing};
        case Action::NextFrame: return {frames && doc->playback.shown < doc->timeline.size() - 1, false};
        case Action::PreviousFrame: return {frames && doc->playback.shown > 0, false};
        case Action::FirstFrame:
        case Action::LastFrame: return {frames, false};
        case Action::Live: return {doc != nullptr, doc && doc->playback.live};
        case Action::Reset: return {sim && frames, false};
        case Action::ContinueHere: return {sim && doc->run_state() != RunState::Stepping && doc->timeline.size() > 0, false};
        case Action::GiveUpStep: return {sim && doc->run_state() != RunState::Paused, false};
        case Action::Save:
        case Action::Export: return {doc != nullptr, false};
        case Action::Undo: return {sim && (doc->undo_stack.can_undo() || doc->scene_undo), false};
        case Action::Redo: return {sim && doc->undo_stack.can_redo(), false};
        case Action::PinSelection: return {sim && !ui.selection.vertices.empty(), false};
        case Action::ReleaseSelection: {
            bool held = false;
            if (doc)
                for (int v : ui.selection.vertices) held |= doc->pins().count(v) || doc->grips().count(v);
            return {sim && held, false};
        }
        case Action::ClearSelection:
        case Action::GrowSelection:
        case Action::CopyIndices: return {!ui.selection.empty(), false};
        case Action::SelectAll:
        case Action::FrameSelection:
        case Action::FrameAll:
        case Action::ViewFront:
        case Action::ViewSide:
        case Action::ViewTop:
        case Action::CycleColors: return {doc != nullptr, false};
        case Action::Wireframe: return {doc != nullptr, s.wireframe};
        case Action::Contacts: return {doc != nullptr, s.show_contacts};
        case Action::Intersections: return {doc != nullptr, s.show_intersections};
        case Action::FreezeView: return {doc != nullptr, doc && doc->playback.frozen};
        case Action::GrabTool: return {sim, ui.grab_tool};
        case Action::Lab: return {true, ui.lab.open};
        case Action::LabRunPause: return {ui.lab.open, ui.lab.experiment.playing};
        case Action::LabIterate:
        case Action::LabStep:
        case Action::LabImpact: return {ui.lab.open && !ui.lab.experiment.done(), false};
        case Action::LabBack:
        case Action::LabReset: return {ui.lab.open && ui.lab.experiment.advanced() > 0, false};
        case Action::LabFollow: return {ui.lab.open, s.lab.follow};
        case Action::LabNearWall: return {ui.lab.open, ui.lab.near_wall};
        case Action::LabExport: return {ui.lab.open, false};
        case Action::Help: return {true, ui.help_open};
        case Action::Open:
        case Action::Quit:
        case Action::ResetLayout:
        case Action::Preferences: return {};
    }
    return {};
}

Activity activity(const Document* doc) {
    if (!doc) return Activity::Nothing;
    switch (doc->run_state()) {
        case RunState::Running: return Activity::Running;
        case RunState::Stepping: return Activity::Stepping;
        case RunState::Paused: break;
    }
    if (doc->progress().in_step) return Activity::Finishing;
    return doc->playback.playing ? Activity::Playing : Activity::Paused;
}

const char* activity_text(Activity a) {
    switch (a) {
        case Activity::Nothing: return "No scene";
        case Activity::Paused: return "Paused";
        case Activity::Running: return "Running";
        case Activity::Stepping: return "One step";
        case Activity::Finishing: return "Pausing after this step";
        case Activity::Playing: return "Playing";
    }
    return "";
}

}  // namespace plica
