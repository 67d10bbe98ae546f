#include "engine/scene/setting_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "engine/core/number_text.h"

namespace plica {
namespace {

using S = SolverSettings;

const std::array<SettingSpec, 15> table{{
    {"dt", "s", "time step", 1e-7, 0.1, false, "4.1666667e-3 (1/240 s)", &S::dt},
    {"dhat", "m", "the barrier acts below this gap", 0, 0.1, true, "1e-3 (1 mm)", &S::dhat},
    {"min_gap", "m", "contact thickness: films and obstacles keep this distance between mid-surfaces", 0, 0.1, false,
     "30e-6 (30 µm)", &S::min_gap},
    {"kappa", "N/m", "barrier stiffness", 0, 1e9, true, "1000", &S::kappa},
    {"penalty", "N/m", "stiffness of penalty contact (modes basic and guarded)", 0, 1e9, true, "1000", &S::penalty},
    {"friction_mu", "", "friction coefficient", 0, 10, false, "0.35", &S::friction_mu},
    {"eps_v", "m/s", "friction is smooth below this sliding speed", 0, 1, true, "1e-3", &S::eps_v},
    {"tolerance", "m", "Newton ends when no freedom moves further than this", 0, 1e-2, true, "12e-6", &S::tolerance},
    {"film_damping", "1/s", "air: force on film per mass and speed", 0, 1e5, false, "12", &S::film_damping},
    {"skin", "m", "room for reuse of contact candidates; changes speed, not results", 0, 0.1, false, "1.5e-3", &S::skin},
    {"armijo", "", "share of the expected decrease that a line search asks for", 0, 0.5, true, "1e-4", &S::armijo},
    {"max_iterations", "", "Newton iterations of one solve", 1, 100000, false, "150", nullptr, &S::max_iterations},
    {"max_halvings", "", "levels of retry by two half steps", 0, 20, false, "7", nullptr, &S::max_halvings},
    {"max_line_search", "", "tests of one line search", 1, 1000, false, "48", nullptr, &S::max_line_search},
    {"threads", "", "worker threads; results do not depend on it", 1, 256, false, "1", nullptr, &S::threads},
}};

// Number of single-letter edits between two words.
int edit_distance(const std::string& a, const std::string& b) {
    std::vector<int> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 0; i < a.size(); ++i) {
        int diagonal = row[0];
        row[0] = int(i) + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const int substituted = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substituted});
        }
    }
    return row.back();
}

}  // namespace

std::span<const SettingSpec> setting_specs() { return table; }

const SettingSpec* find_setting(const std::string& key) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const SettingSpec& spec) { return key == spec.key; });
    return found == table.end() ? nullptr : &*found;
}

double setting_value(const SolverSettings& settings, const SettingSpec& spec) {
    return spec.real ? settings.*spec.real : double(settings.*spec.whole);
}

std::string set_setting(SolverSettings& settings, const std::string& key, double value) {
    const SettingSpec* spec = find_setting(key);
    if (!spec) {
        std::vector<std::string> names;
        for (const SettingSpec& s : table) names.emplace_back(s.key);
        return "there is no solver setting \"" + key + "\"" + suggestion(key, names);
    }
    const std::string allowed = allowed_text(spec->lowest, spec->highest, spec->above_lowest, spec->unit, spec->example);
    if (!(value >= spec->lowest && value <= spec->highest) || (spec->above_lowest && value == spec->lowest))
        return key + " is " + number_text(value) + "; allowed: " + allowed;
    if (spec->whole) {
        if (value != std::floor(value)) return key + " is " + number_text(value) + "; allowed: whole numbers, " + allowed;
        settings.*spec->whole = int(value);
    } else {
        settings.*spec->real = value;
    }
    return {};
}

std::string allowed_text(double lowest, double highest, bool above_lowest, const std::string& unit,
                         const std::string& example) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::string u = unit.empty() ? "" : " " + unit;
    std::string text;
    if (lowest > -infinity) text = (above_lowest ? "above " : "at least ") + number_text(lowest) + u;
    if (highest < infinity) text += (text.empty() ? "at most " : ", at most ") + number_text(highest) + u;
    if (text.empty()) text = "a finite number" + (unit.empty() ? "" : " in " + unit);
    if (!example.empty()) text += ", for example " + example;
    return text;
}

std::string number_text(double value) { return shortest_text(value); }

std::string suggestion(const std::string& word, std::span<const std::string> names) {
    int best = int(word.size()) / 3 + 2;
    const std::string* nearest = nullptr;
    for (const std::string& name : names) {
        const int distance = edit_distance(word, name);
        if (distance < best && distance < int(name.size())) {
            best = distance;
            nearest = &name;
        }
    }
    return nearest ? " (did you mean \"" + *nearest + "\"?)" : "";
}

}  // namespace plica
