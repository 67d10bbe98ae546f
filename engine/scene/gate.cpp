// Gates: what has to hold at a time of the scene (spec/bag.md; decision 1).
#include <cstddef>
#include <string>

#include "engine/scene/build_model.h"
#include "engine/scene/choreography.h"

namespace plica {
namespace {

constexpr double end_above_neck = 5e-3;  // m

// Columns whose rings do not rise one over the other from the neck to the end.
std::string check_columns_up(const Film& film, int first, const State& state) {
    const VertexGroup* neck = find_group(film, "neck");
    const VertexGroup* end = find_group(film, "end");
    if (!neck || !end || neck->vertices.size() != end->vertices.size())
        return "columns_up needs the groups \"neck\" and \"end\" with as many vertices each";
    const int columns = int(neck->vertices.size());
    const auto z = [&](int vertex) { return double(state.x[std::size_t(first + vertex)].z); };
    std::string failing;
    int count = 0;
    for (int j = 0; j < columns; ++j) {
        const int low = neck->vertices[std::size_t(j)], high = end->vertices[std::size_t(j)];
        bool up = z(high) - z(low) >= end_above_neck;
        for (int v = low; v < high; v += columns) up = up && z(v + columns) > z(v);
        if (up) continue;
        failing += (count++ ? ", " : "") + std::to_string(j);
    }
    if (count == 0) return {};
    return std::to_string(count) + " of " + std::to_string(columns) + " columns of \"" + film.name +
           "\" are not up (z must rise ring by ring from neck to end, by 5 mm or more): column " + failing;
}

}  // namespace

std::string check_gate(const Gate& gate, const Scene& scene, const State& state) {
    const int index = film_index(scene, gate.film);
    if (index < 0) return "gate \"" + gate.name + "\": there is no film \"" + gate.film + "\"";
    const int first = particle_layout(scene).film_first[std::size_t(index)];
    std::string failure = "unknown check \"" + gate.check + "\"";
    if (gate.check == "columns_up") failure = check_columns_up(scene.films[std::size_t(index)], first, state);
    return failure.empty() ? failure : "gate \"" + gate.name + "\": " + failure;
}

}  // namespace plica
