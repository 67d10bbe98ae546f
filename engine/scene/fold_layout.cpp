#include "engine/scene/fold_layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "engine/scene/build_model.h"
#include "engine/scene/mesh_topology.h"

namespace plica {
namespace {

std::pair<int, int> key_of(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

// The panel (0, 1, …) of each triangle when the film is cut along the fold, and how many panels there are.
int panels_of(const Film& film, const std::vector<MeshEdge>& edges, const std::vector<int>& fold, std::vector<int>& panel) {
    std::vector<std::pair<int, int>> cut;
    for (std::size_t i = 1; i < fold.size(); ++i) cut.push_back(key_of(fold[i - 1], fold[i]));
    std::vector<std::vector<int>> neighbours(film.triangles.size());
    for (const MeshEdge& edge : edges) {
        if (edge.triangle_count != 2 || std::find(cut.begin(), cut.end(), key_of(edge.c, edge.d)) != cut.end()) continue;
        neighbours[std::size_t(edge.first_triangle)].push_back(edge.second_triangle);
        neighbours[std::size_t(edge.second_triangle)].push_back(edge.first_triangle);
    }
    panel.assign(film.triangles.size(), -1);
    int count = 0;
    for (std::size_t seed = 0; seed < panel.size(); ++seed) {
        if (panel[seed] >= 0) continue;
        std::vector<int> open{int(seed)};
        panel[seed] = count;
        while (!open.empty()) {
            const int t = open.back();
            open.pop_back();
            for (const int next : neighbours[std::size_t(t)]) {
                if (panel[std::size_t(next)] >= 0) continue;
                panel[std::size_t(next)] = count;
                open.push_back(next);
            }
        }
        ++count;
    }
    return count;
}

double area_of(const Film& film, const Int3& t) {
    return 0.5 * norm(triangle_normal(film.rest[std::size_t(t.a)], film.rest[std::size_t(t.b)], film.rest[std::size_t(t.c)]));
}

}  // namespace

std::string fold_fault(const Film& film, const std::vector<int>& fold) {
    if (fold.size() < 3) return "has fewer than three vertices; give those along the crease, one after the other";
    const std::vector<MeshEdge> edges = mesh_edges(film.triangles);
    std::map<std::pair<int, int>, const MeshEdge*> by_ends;
    for (const MeshEdge& edge : edges) by_ends[key_of(edge.c, edge.d)] = &edge;
    for (std::size_t i = 1; i < fold.size(); ++i) {
        const auto found = by_ends.find(key_of(fold[i - 1], fold[i]));
        const std::string pair = std::to_string(fold[i - 1]) + " and " + std::to_string(fold[i]);
        if (found == by_ends.end())
            return "goes from vertex " + pair + ", between which there is no edge; turn the diagonals or choose other vertices";
        if (found->second->triangle_count != 2) return "has the edge " + pair + ", which does not lie between two triangles";
    }
    std::vector<int> panel;
    const int count = panels_of(film, edges, fold, panel);
    if (count != 2)
        return "parts the film in " + std::to_string(count) + (count == 1 ? " piece" : " pieces") +
               "; it must lead from border to border and leave two";
    return {};
}

FoldLayout fold_layout(const Scene& scene, const Model& model) {
    const PressSpec& press = *scene.press;
    const int index = film_index(scene, press.film);
    const Film& film = scene.films[std::size_t(index)];
    const int first = particle_layout(scene).film_first[std::size_t(index)];
    int first_triangle = 0;
    for (int f = 0; f < index; ++f) first_triangle += int(scene.films[std::size_t(f)].triangles.size());

    FoldLayout layout;
    for (const int v : press.fold) layout.fold.push_back(first + v);
    std::vector<int> panel;
    panels_of(film, mesh_edges(film.triangles), press.fold, panel);
    double area[2] = {0, 0};
    for (std::size_t t = 0; t < panel.size(); ++t) area[panel[t]] += area_of(film, film.triangles[t]);
    const int flap = area[0] < area[1] ? 0 : 1;
    std::vector<char> of_flap(film.rest.size(), 0), of_base(film.rest.size(), 0);
    for (std::size_t t = 0; t < panel.size(); ++t) {
        (panel[t] == flap ? layout.flap : layout.base).push_back(first_triangle + int(t));
        for (int k = 0; k < 3; ++k) (panel[t] == flap ? of_flap : of_base)[std::size_t(film.triangles[t][k])] = 1;
    }
    for (const int t : layout.flap) {
        const Int3& corners = film.triangles[std::size_t(t - first_triangle)];
        if (!of_base[std::size_t(corners.a)] && !of_base[std::size_t(corners.b)] && !of_base[std::size_t(corners.c)])
            layout.flap_inner.push_back(t);
    }
    for (std::size_t v = 0; v < of_flap.size(); ++v)
        if (of_flap[v] && !of_base[v]) layout.flap_particles.push_back(first + int(v));

    for (std::size_t i = 1; i < layout.fold.size(); ++i) {
        const auto [a, b] = key_of(layout.fold[i - 1], layout.fold[i]);
        layout.length += norm(film.rest[std::size_t(press.fold[i])] - film.rest[std::size_t(press.fold[i - 1])]);
        for (std::size_t h = 0; h < model.hinges.size(); ++h)
            if (key_of(model.hinges[h].c, model.hinges[h].d) == std::pair{a, b}) layout.hinges.push_back(int(h));
    }

    // Cuts: vertices within a tenth of an edge of the line across the crease, in the rest shape.
    const auto rest = [&](int v) { return film.rest[std::size_t(v)]; };
    const Vec3 ends = rest(press.fold.back()) - rest(press.fold.front());
    const Vec3 along = (1 / norm(ends)) * ends;
    const double near = 0.1 * layout.length / double(layout.hinges.size());
    const auto cut = [&](int at, const std::vector<char>& part, const std::vector<char>& other) {
        std::vector<std::pair<double, int>> found;
        for (std::size_t v = 0; v < part.size(); ++v) {
            if (!part[v] || other[v]) continue;
            const Vec3 arm = rest(int(v)) - rest(at);
            const double s = dot(arm, along);
            if (std::abs(s) < near) found.emplace_back(norm(arm - s * along), first + int(v));
        }
        std::sort(found.begin(), found.end());
        std::vector<int> section;
        for (const auto& [distance, v] : found) section.push_back(v);
        return section;
    };
    for (const int at : press.fold) {
        std::vector<int> section = cut(at, of_flap, of_base);
        section.insert(section.begin(), first + at);
        if (section.size() >= 3) layout.sections.push_back(std::move(section));
    }
    const int middle = press.fold[press.fold.size() / 2];
    layout.middle_section = cut(middle, of_base, of_flap);
    std::reverse(layout.middle_section.begin(), layout.middle_section.end());
    layout.middle_section.push_back(first + middle);
    const std::vector<int> upper = cut(middle, of_flap, of_base);
    layout.middle_section.insert(layout.middle_section.end(), upper.begin(), upper.end());
    return layout;
}

}  // namespace plica
