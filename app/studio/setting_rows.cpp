#include "app/studio/setting_rows.h"

#include "app/number_text.h"
#include "engine/scene/setting_table.h"

namespace plica {

namespace {

constexpr SettingRow rows[] = {
    {"dt", "Time step dt", "ms", 1e3, "Simulated time of one step."},
    {"dhat", "Barrier gap dhat", "mm", 1e3, "The barrier acts between surfaces whose gap is below this."},
    {"min_gap", "Contact offset min_gap", "µm", 1e6,
     "Mid-surfaces keep at least this distance: the thickness of contact, apart from that of the material."},
    {"kappa", "Barrier stiffness κ", "N/m", 1, "How hard the barrier pushes."},
    {"penalty", "Penalty stiffness", "N/m", 1, "How hard contact pushes in the modes guarded and basic."},
    {"friction_mu", "Friction µ", "", 1, "Coulomb coefficient of all contacts."},
    {"tolerance", "Tolerance max|Δx|", "µm", 1e6, "A step is done when the largest Newton move falls below this."},
    {"film_damping", "Film damping", "1/s", 1, "Force −damping · m · v on film vertices."},
    {"max_iterations", "Iteration limit", "", 1, "Newton iterations of one solve; beyond it the step is halved."},
};

constexpr SwitchRow switches[] = {
    {"barrier", "Barrier", "All contact. Off: surfaces pass through each other.", &ContactSwitches::barrier},
    {"self_contact", "Self-contact", "Film against film.", &ContactSwitches::self_contact},
    {"friction", "Friction", "Friction of all contacts.", &ContactSwitches::friction},
    {"motion_cap", "Motion cap", "Limits each Newton move to what contact allows.", &ContactSwitches::motion_cap},
};

}  // namespace

std::span<const SettingRow> setting_rows() { return rows; }
std::span<const SwitchRow> switch_rows() { return switches; }

const SettingRow* setting_row(const std::string& key) {
    for (const SettingRow& row : rows)
        if (key == row.key) return &row;
    return nullptr;
}

std::string range_text(const SettingRow& row) {
    const SettingSpec* spec = find_setting(row.key);
    if (!spec) return {};
    const std::string unit = *row.unit ? std::string(" ") + row.unit : std::string();
    return std::string(spec->above_lowest ? "above " : "") + format_number(spec->lowest * row.scale) + " to " +
           format_number(spec->highest * row.scale) + unit;
}

std::string check_range(const SettingRow& row, double stored) {
    SolverSettings scratch;
    if (set_setting(scratch, row.key, stored).empty()) return {};
    const SettingSpec* spec = find_setting(row.key);
    return std::string(row.label) + ": allowed is " + range_text(row) + (spec && spec->whole ? ", whole numbers." : ".");
}

}  // namespace plica
