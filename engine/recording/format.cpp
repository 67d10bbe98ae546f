#include "engine/recording/format.h"

#include <type_traits>

namespace plica {
namespace {

// Adds a field given as a function from a report to a reference to its place.
template <class Place>
void add(std::vector<StepField>& fields, const std::string& name, const std::string& unit, Place place) {
    using Value = std::remove_cvref_t<decltype(place(std::declval<StepReport&>()))>;
    StepField field{name, unit, std::is_same_v<Value, int> ? h5::Type::I32 : h5::Type::F64, {}, {}};
    field.get = [place](const StepReport& report) { return double(place(const_cast<StepReport&>(report))); };
    field.set = [place](StepReport& report, double value) { place(report) = Value(value); };
    fields.push_back(std::move(field));
}

// The closest pair is absent where nothing is within reach: then its kind is -1.
void add_closest(std::vector<StepField>& fields) {
    const auto field = [&](const std::string& name, const std::string& unit, h5::Type type, auto get, auto set) {
        fields.push_back({"closest_" + name, unit, type,
                          [get](const StepReport& r) { return r.closest ? double(get(*r.closest)) : -1.0; },
                          [set](StepReport& r, double value) {
                              if (r.closest) set(*r.closest, value);
                          }});
    };
    fields.push_back({"closest_kind", "", h5::Type::I32,
                      [](const StepReport& r) { return r.closest ? double(r.closest->kind) : -1.0; },
                      [](StepReport& r, double value) {
                          if (value == 0 || value == 1 || value == 2) r.closest.emplace().kind = CandidateKind(int(value));
                      }});
    for (std::size_t i = 0; i < 4; ++i)
        field(
            "vertex_" + std::to_string(i), "", h5::Type::I32, [i](const ContactPair& p) { return p.particles[i]; },
            [i](ContactPair& p, double value) { p.particles[i] = int(value); });
    field(
        "group", "", h5::Type::I32, [](const ContactPair& p) { return int(p.group); },
        [](ContactPair& p, double value) {
            if (value >= 0 && value < contact_group_count) p.group = ContactGroup(int(value));
        });
    field(
        "gap", "m", h5::Type::F64, [](const ContactPair& p) { return p.gap; },
        [](ContactPair& p, double value) { p.gap = value; });
    field(
        "offset", "m", h5::Type::F64, [](const ContactPair& p) { return p.offset; },
        [](ContactPair& p, double value) { p.offset = value; });
    for (int axis = 0; axis < 3; ++axis)
        field(
            std::string("position_") + "xyz"[axis], "m", h5::Type::F64,
            [axis](const ContactPair& p) { return p.position[axis]; },
            [axis](ContactPair& p, double value) { p.position[axis] = value; });
}

}  // namespace

const std::vector<StepField>& step_fields() {
    static const std::vector<StepField> table = [] {
        std::vector<StepField> f;
        using R = StepReport;
        add(f, "dt", "s", [](R& r) -> double& { return r.dt; });
        add(f, "iterations", "", [](R& r) -> int& { return r.iterations; });
        add(f, "solves", "", [](R& r) -> int& { return r.solves; });
        add(f, "halvings", "", [](R& r) -> int& { return r.halvings; });
        add(f, "achieved", "m", [](R& r) -> double& { return r.achieved; });
        add(f, "candidates_vt", "", [](R& r) -> int& { return r.candidates_vt; });
        add(f, "candidates_ee", "", [](R& r) -> int& { return r.candidates_ee; });
        add(f, "candidates_ss", "", [](R& r) -> int& { return r.candidates_ss; });
        add(f, "active_contacts", "", [](R& r) -> int& { return r.active_contacts; });
        add(f, "friction_contacts", "", [](R& r) -> int& { return r.friction_contacts; });
        add(f, "projections", "", [](R& r) -> int& { return r.projections; });
        add(f, "analyses", "", [](R& r) -> int& { return r.analyses; });
        add(f, "candidate_builds", "", [](R& r) -> int& { return r.candidate_builds; });
        add(f, "intersecting_pairs", "", [](R& r) -> int& { return r.intersecting_pairs; });
        for (std::size_t g = 0; g < contact_group_count; ++g) {
            add(f, std::string("min_gap_") + contact_group_names[g], "m", [g](R& r) -> double& { return r.min_gap[g]; });
            add(f, std::string("active_") + contact_group_names[g], "", [g](R& r) -> int& { return r.active[g]; });
        }
        const auto energy = [&](const char* name, double Energies::*term) {
            add(f, std::string("energy_") + name, "J", [term](R& r) -> double& { return r.energy.*term; });
        };
        energy("inertia", &Energies::inertia);
        energy("membrane", &Energies::membrane);
        energy("bending", &Energies::bending);
        energy("barrier", &Energies::barrier);
        energy("friction", &Energies::friction);
        energy("support", &Energies::support);
        energy("grip", &Energies::grip);
        energy("tie", &Energies::tie);
        const auto seconds = [&](const char* name, double StageSeconds::*stage) {
            add(f, std::string("seconds_") + name, "s", [stage](R& r) -> double& { return r.seconds.*stage; });
        };
        seconds("start_check", &StageSeconds::start_check);
        seconds("candidates", &StageSeconds::candidates);
        seconds("assembly", &StageSeconds::assembly);
        seconds("factorization", &StageSeconds::factorization);
        seconds("cap", &StageSeconds::cap);
        seconds("line_search", &StageSeconds::line_search);
        seconds("total", &StageSeconds::total);
        add_closest(f);
        return f;
    }();
    return table;
}

namespace column {

using h5::Type;

ColumnSpec time() { return {"frames/time", Type::F64, {}, "s"}; }
ColumnSpec step() { return {"frames/step", Type::I32, {}, ""}; }
ColumnSpec checksum() { return {"frames/checksum", Type::U32, {}, ""}; }
ColumnSpec film(std::size_t vertices) { return {"frames/film", Type::F32, {vertices, 3}, "m"}; }
ColumnSpec film_velocity(std::size_t vertices) { return {"frames/film_velocity", Type::F32, {vertices, 3}, "m/s"}; }
ColumnSpec spheres(std::size_t count) { return {"frames/spheres", Type::F32, {count, 3}, "m"}; }
ColumnSpec sphere_velocity(std::size_t count) { return {"frames/sphere_velocity", Type::F32, {count, 3}, "m/s"}; }
ColumnSpec gauge(const std::string& name, const std::string& unit) { return {"gauges/" + name, Type::F64, {}, unit}; }
ColumnSpec step_field(const StepField& field) { return {"steps/" + field.name, field.type, {}, field.unit}; }
ColumnSpec body_reaction(std::size_t bodies) { return {"steps/body_reaction", Type::F64, {bodies, 3}, "N"}; }
ColumnSpec support_force(std::size_t groups) { return {"steps/support_force", Type::F64, {groups, 3}, "N"}; }
ColumnSpec history() { return {"steps/history", Type::F64, {4}, ""}; }
ColumnSpec history_end() { return {"steps/history_end", Type::I64, {}, ""}; }
ColumnSpec stream_text(const std::string& stream) { return {stream + "/text", Type::U8, {}, ""}; }
ColumnSpec stream_end(const std::string& stream) { return {stream + "/end", Type::I64, {}, ""}; }
ColumnSpec stream_step(const std::string& stream) { return {stream + "/step", Type::I32, {}, ""}; }

}  // namespace column
}  // namespace plica
