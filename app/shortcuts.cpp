#include "app/shortcuts.h"

#include <cassert>

#include "imgui.h"

namespace plica {

namespace {

using enum ShortcutGroup;

// clang-format off
constexpr Shortcut table[] = {
    {Action::RunPause, Run, "run_pause", "Run / pause", ImGuiKey_Space, "Space",
     "Starts the solver or pauses it after the current step; plays or pauses an opened recording."},
    {Action::StepSolver, Run, "step_solver", "One solver step", ImGuiMod_Shift | ImGuiKey_RightArrow, "Shift+Right",
     "Computes a single step and shows its report."},
    {Action::PlayPause, Run, "play_pause", "Play computed frames", ImGuiKey_P, "P",
     "Plays what is already computed, from the shown frame, at the chosen speed; the solver goes on."},
    {Action::NextFrame, Run, "next_frame", "Next frame", ImGuiKey_RightArrow, "Right", "Shows the next computed frame."},
    {Action::PreviousFrame, Run, "previous_frame", "Previous frame", ImGuiKey_LeftArrow, "Left", "Shows the frame before."},
    {Action::FirstFrame, Run, "first_frame", "First frame", ImGuiKey_Home, "Home", "Shows the start."},
    {Action::LastFrame, Run, "last_frame", "Last frame", ImGuiKey_End, "End", "Shows the newest computed frame."},
    {Action::Live, Run, "live", "Follow the solver (live)", ImGuiKey_L, "L", "Shows each new frame as it is computed."},
    {Action::ContinueHere, Run, "continue_here", "Continue from the shown frame", ImGuiMod_Ctrl | ImGuiKey_Enter, "Ctrl+Enter",
     "Computes on from here; the frames after it are kept as a branch."},
    {Action::GiveUpStep, Run, "give_up_step", "Give up the current step", ImGuiMod_Ctrl | ImGuiKey_Period, "Ctrl+.",
     "Pauses at once; the state stays at the last accepted frame."},
    {Action::Reset, Run, "reset", "Back to the start", ImGuiMod_Ctrl | ImGuiKey_R, "Ctrl+R",
     "Goes back to the first frame; what was computed is kept as a branch."},

    {Action::Open, File, "open", "Open…", ImGuiMod_Ctrl | ImGuiKey_O, "Ctrl+O", "Opens a scene, a recording or a mesh."},
    {Action::Save, File, "save", "Save recording…", ImGuiMod_Ctrl | ImGuiKey_S, "Ctrl+S",
     "Writes all computed frames, gauges and edits to a recording."},
    {Action::Export, File, "export", "Export…", ImGuiMod_Ctrl | ImGuiKey_E, "Ctrl+E", "Video, pictures, meshes or tables."},
    {Action::Quit, File, "quit", "Quit", ImGuiMod_Ctrl | ImGuiKey_Q, "Ctrl+Q", "Stops the solver and closes the window."},

    {Action::Undo, Edit, "undo", "Undo", ImGuiMod_Ctrl | ImGuiKey_Z, "Ctrl+Z", "Takes the last edit back, from the next step on."},
    {Action::Redo, Edit, "redo", "Redo", ImGuiMod_Ctrl | ImGuiKey_Y, "Ctrl+Y", "Makes the edit again that was taken back."},
    {Action::PinSelection, Edit, "pin", "Pin selected vertices", ImGuiKey_Enter, "Enter", "Holds them where they are."},
    {Action::ReleaseSelection, Edit, "release", "Release selected vertices", ImGuiKey_Delete, "Delete",
     "Takes pins and grips off them."},
    {Action::SelectAll, Edit, "select_all", "Select the whole film", ImGuiMod_Ctrl | ImGuiKey_A, "Ctrl+A", "Selects all film vertices."},
    {Action::GrowSelection, Edit, "grow_selection", "Grow selection", ImGuiKey_Equal, "=", "Adds the neighbours of what is selected."},
    {Action::ClearSelection, Edit, "clear_selection", "Select nothing", ImGuiKey_Escape, "Esc", "Clears the selection."},
    {Action::CopyIndices, Edit, "copy_indices", "Copy vertex numbers", ImGuiMod_Ctrl | ImGuiKey_C, "Ctrl+C",
     "Copies the numbers of the selected vertices."},
    {Action::Preferences, Edit, "preferences", "Preferences…", ImGuiMod_Ctrl | ImGuiKey_Comma, "Ctrl+,",
     "Scale of the window, theme, recordings."},

    {Action::FrameSelection, View, "frame_selection", "Frame selection", ImGuiKey_F, "F",
     "Brings the selection, or everything, into view."},
    {Action::FrameAll, View, "frame_all", "Frame all", ImGuiMod_Shift | ImGuiKey_F, "Shift+F", "Brings everything into view."},
    {Action::ViewFront, View, "view_front", "From the front", ImGuiKey_1, "1", "Looks along y."},
    {Action::ViewSide, View, "view_side", "From the side", ImGuiKey_3, "3", "Looks along x."},
    {Action::ViewTop, View, "view_top", "From above", ImGuiKey_7, "7", "Looks down."},
    {Action::Wireframe, View, "wireframe", "Mesh edges", ImGuiKey_W, "W", "Shows the edges of the film's triangles."},
    {Action::Contacts, View, "contacts", "Contacts", ImGuiKey_C, "C", "Marks where films, spheres and obstacles are close."},
    {Action::Intersections, View, "intersections", "Intersecting triangles", ImGuiKey_I, "I", "Marks triangles that cut each other."},
    {Action::CycleColors, View, "cycle_colors", "Next colouring", ImGuiKey_V, "V", "Plain, gap, strain, bending."},
    {Action::FreezeView, View, "freeze_view", "Freeze the view", ImGuiMod_Shift | ImGuiKey_Space, "Shift+Space",
     "Keeps the shown frame; the run goes on."},
    {Action::GrabTool, View, "grab_tool", "Grab tool", ImGuiKey_G, "G", "Left drag pulls the film; otherwise Ctrl+drag does."},
    {Action::ResetLayout, View, "reset_layout", "Reset layout", 0, "", "Puts all panels back to their places."},

    {Action::Lab, View, "lab", "The 1-D lab", ImGuiMod_Ctrl | ImGuiKey_L, "Ctrl+L",
     "Shows the lab of ball and wall in place of the scene, or the scene again; the solver goes on."},

    {Action::LabRunPause, Lab, "lab_run_pause", "Throw / pause", ImGuiKey_Space, "Space", "Shows the throw iterate by iterate, or pauses it."},
    {Action::LabIterate, Lab, "lab_iterate", "One Newton iterate", ImGuiKey_RightArrow, "Right", "Moves both balls on by one iterate."},
    {Action::LabBack, Lab, "lab_back", "One iterate back", ImGuiKey_LeftArrow, "Left", "Takes the last iterate back."},
    {Action::LabStep, Lab, "lab_step", "One time step", ImGuiMod_Shift | ImGuiKey_RightArrow, "Shift+Right",
     "Iterates to the end of the time step."},
    {Action::LabImpact, Lab, "lab_impact", "To the impact", ImGuiKey_I, "I", "Flies on to the time step in which the wall acts."},
    {Action::LabReset, Lab, "lab_reset", "Back to the start", ImGuiMod_Ctrl | ImGuiKey_R, "Ctrl+R", "Both balls at x = 0 again."},
    {Action::LabFollow, Lab, "lab_follow", "Landscape follows the throw", ImGuiKey_F, "F",
     "Shows x̃ and the iterates of the throw in the energy landscape."},
    {Action::LabNearWall, Lab, "lab_near_wall", "Lanes near the wall", ImGuiKey_N, "N", "Shows the balls in the range of the landscape, or the whole way."},
    {Action::LabExport, Lab, "lab_export", "Export…", ImGuiMod_Ctrl | ImGuiKey_E, "Ctrl+E", "A picture of the lab, or tables of what it shows."},

    {Action::Help, Help, "help", "Keys and mouse", ImGuiKey_F1, "F1", "This list."},
};

constexpr MouseHint mouse_table[] = {
    {"Left drag", "turn the view"},
    {"Middle drag, Shift+left drag", "move the view"},
    {"Wheel", "closer or further, towards the cursor"},
    {"Click", "select a film vertex, a sphere or an obstacle"},
    {"Ctrl+click", "add to the selection or take away from it"},
    {"Ctrl+Shift+drag", "add the film vertices in a box to the selection"},
    {"Ctrl+drag on the film", "grab it and pull (G makes it the left button)"},
    {"Double click", "turn around this point"},
    {"Click a plot", "show the frame of that time"},
    {"Right click the timeline", "continue from there, branches"},
};

// clang-format on

}  // namespace

std::span<const Shortcut> shortcuts() { return table; }

const Shortcut& shortcut(Action action) {
    for (const Shortcut& s : table)
        if (s.action == action) return s;
    assert(false && "every action stands in the table");
    return table[0];
}

const char* group_name(ShortcutGroup group) {
    switch (group) {
        case Run: return "Run and timeline";
        case File: return "File";
        case Edit: return "Edit";
        case View: return "View";
        case Lab: return "The 1-D lab";
        case Help: return "Help";
    }
    return "";
}

std::span<const MouseHint> mouse_hints() { return mouse_table; }

}  // namespace plica
