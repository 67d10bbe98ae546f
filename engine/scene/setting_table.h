// The solver settings as a table: key, unit and allowed range in one place, for scene files, --set, commands and the window.
#pragma once

#include <span>
#include <string>

#include "engine/solver/settings.h"

namespace plica {

struct SettingSpec {
    const char* key;         // as in [solver]
    const char* unit;        // SI, "" for a number
    const char* meaning;     // for tool tips
    double lowest, highest;  // allowed
    bool above_lowest;       // lowest itself is not allowed
    const char* example;     // "1e-3 (1 mm)"
    double SolverSettings::*real = nullptr;
    int SolverSettings::*whole = nullptr;
};

// All scalar settings, in the order in which they are shown.
std::span<const SettingSpec> setting_specs();
const SettingSpec* find_setting(const std::string& key);

double setting_value(const SolverSettings& settings, const SettingSpec& spec);

// Sets a value. "" or why not: "friction_mu is -1; allowed: 0 to 10, for example 0.35". Nothing changes then.
std::string set_setting(SolverSettings& settings, const std::string& key, double value);

// "above 0 m, at most 0.1 m, for example 1e-3 (1 mm)".
std::string allowed_text(double lowest, double highest, bool above_lowest, const std::string& unit, const std::string& example);

// A number with as few digits as tell it from others, with a point in every locale; "nan" and "inf" as such.
std::string number_text(double value);

// The one of `names` nearest to `word`, as " (did you mean \"x\"?)"; "" if none is near.
std::string suggestion(const std::string& word, std::span<const std::string> names);

}  // namespace plica
