// The few widgets of which the panels are made, each known to the window log by its id.
#pragma once

#include <optional>
#include <string>

#include "app/shortcuts.h"
#include "app/studio/theme.h"
#include "app/studio/ui_state.h"
#include "imgui.h"

namespace plica {

class CommandSink;

enum class Icon { Run, Pause, Step, Reset, First, Previous, Play, Next, Last, Live, Eye, Pin, Grab, Cross, Warning, Info };

void draw_icon(ImDrawList* list, Icon icon, ImVec2 centre, float radius, ImU32 color);

// A square button with an icon, highlighted while `on`. The tool tip names label and keys of the action.
bool icon_button(UiState& ui, const char* id, Icon icon, const char* tooltip, bool on = false, bool enabled = true,
                 float size = 0);

// A button for an action of the shortcut table: asks the sink for it, tool tip with its keys.
void action_icon(UiState& ui, CommandSink& sink, Action action, Icon icon, bool on = false, bool enabled = true,
                 float size = 0);

bool text_button(UiState& ui, const char* id, const char* label, bool enabled = true, bool primary = false);

// A number typed as text: taken on Enter, Tab or when the field is left, given back on Escape. `shown` is in the unit that is
// shown; the answer too. What is not a number is refused with a message under the field, never cut short.
std::optional<double> number_field(UiState& ui, const char* id, double shown, const char* unit, float width,
                                   bool enabled = true, bool pending = false);
// Marks the field just drawn as refused.
void refuse_field(UiState& ui, const char* id, const std::string& why);

bool text_field(UiState& ui, const char* id, std::string& text, float width, const char* hint = "");
bool toggle(UiState& ui, const char* id, const char* label, bool on, bool enabled = true);
bool choice(UiState& ui, const char* id, int& value, const char* const* labels, int count, float width);

// A heading of a section that opens and closes.
bool section(UiState& ui, const char* id, const char* label, bool open = true);
void tooltip(const char* text);
void muted_text(const char* text);
// Text cut to `width` with an ellipsis; the whole of it as a tool tip.
void clipped_text(const std::string& text, float width, ImU32 color = 0);

}  // namespace plica
