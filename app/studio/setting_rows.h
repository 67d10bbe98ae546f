// The solver's parameters as the window shows them: label, unit, range, where they are kept.
#pragma once

#include <span>
#include <string>

#include "engine/solver/settings.h"

namespace plica {

struct SettingRow {
    const char* key;  // as in [solver] and in commands
    const char* label;
    const char* unit;  // as shown
    double scale;      // shown = stored * scale
    const char* hint;
};

// Those that people change while they look; range and storage are in engine/scene/setting_table.h.
std::span<const SettingRow> setting_rows();
const SettingRow* setting_row(const std::string& key);

// "" if `stored` is allowed; else a sentence that says what is, in shown units.
std::string check_range(const SettingRow& row, double stored);
// "0.01 to 50 ms".
std::string range_text(const SettingRow& row);

struct SwitchRow {
    const char* key;
    const char* label;
    const char* hint;
    bool ContactSwitches::*member;
};
std::span<const SwitchRow> switch_rows();

}  // namespace plica
