// The one table of what can be done and by which keys. Menus, tool tips, the help overlay and the key handling all read it.
#pragma once

#include <span>
#include <string>

namespace plica {

enum class Action {
    RunPause,
    StepSolver,
    PlayPause,
    NextFrame,
    PreviousFrame,
    FirstFrame,
    LastFrame,
    Live,
    Reset,
    ContinueHere,
    GiveUpStep,
    Open,
    Save,
    Export,
    Quit,
    Undo,
    Redo,
    PinSelection,
    ReleaseSelection,
    ClearSelection,
    SelectAll,
    GrowSelection,
    CopyIndices,
    FrameSelection,
    FrameAll,
    ViewFront,
    ViewSide,
    ViewTop,
    Wireframe,
    Contacts,
    Intersections,
    CycleColors,
    FreezeView,
    GrabTool,
    ResetLayout,
    Preferences,
    Help,
    Lab,
    LabRunPause,
    LabIterate,
    LabBack,
    LabStep,
    LabImpact,
    LabReset,
    LabFollow,
    LabNearWall,
    LabExport,
};

enum class ShortcutGroup { Run, File, Edit, View, Lab, Help };

struct Shortcut {
    Action action;
    ShortcutGroup group;
    const char* id;     // for scripts: "run_pause"
    const char* label;  // in menus and help: "Run / pause"
    int chord;          // ImGuiKeyChord; 0: no key
    const char* keys;   // as shown: "Space"
    const char* hint;   // one sentence for the tool tip and the help
};

std::span<const Shortcut> shortcuts();
const Shortcut& shortcut(Action action);
const char* group_name(ShortcutGroup group);

// What mouse and keys do in the view, for the help overlay and the hint under the cursor.
struct MouseHint {
    const char* gesture;
    const char* effect;
};
std::span<const MouseHint> mouse_hints();

}  // namespace plica
