// Whether an action can be done now and whether it is on, the same for menu, buttons and keys.
#pragma once

#include "app/shortcuts.h"

namespace plica {

class Document;
struct UiState;

struct ActionState {
    bool enabled = true;
    bool checked = false;
};

ActionState action_state(Action action, const Document* document, const UiState& ui);

// One state of the run for button, menu, title and status bar.
enum class Activity { Nothing, Paused, Running, Stepping, Finishing, Playing };
Activity activity(const Document* document);
const char* activity_text(Activity activity);

}  // namespace plica
