#include "engine/contact/surface.h"

#include <algorithm>

namespace plica {

Surface::Surface(const Model& model) : triangles(model.triangles) {
    std::vector<bool> used(std::size_t(model.particle_count()), false);
    for (const Int3& t : triangles) {
        for (int k = 0; k < 3; ++k) {
            const int i = t[k], j = t[(k + 1) % 3];
            edges.push_back({std::min(i, j), std::max(i, j)});
            used[std::size_t(i)] = true;
        }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (int t = 0; t < int(triangles.size()); ++t) {
        const Int3& v = triangles[t];
        (model.fixed[v.a] && model.fixed[v.b] && model.fixed[v.c] ? fixed_triangles : movable_triangles).push_back(t);
    }
    for (int e = 0; e < int(edges.size()); ++e)
        (model.fixed[edges[e].a] && model.fixed[edges[e].b] ? fixed_edges : movable_edges).push_back(e);
    for (int i = 0; i < model.particle_count(); ++i) {
        const bool sphere = model.radius[std::size_t(i)] > 0;
        if (sphere) spheres.push_back(i);
        if (sphere || used[std::size_t(i)]) vertices.push_back(i);
    }
}

ContactGroup contact_group(BodyKind a, BodyKind b) {
    if (a > b) std::swap(a, b);
    if (a == BodyKind::Film)
        return b == BodyKind::Film     ? ContactGroup::FilmFilm
               : b == BodyKind::Sphere ? ContactGroup::FilmSphere
                                       : ContactGroup::FilmObstacle;
    return b == BodyKind::Sphere ? ContactGroup::SphereSphere : ContactGroup::SphereObstacle;
}

bool may_touch(const Model& model, const ContactSwitches& switches, int body_a, int body_b) {
    const auto off = [&](int body) {
        return std::size_t(body) < switches.body_off.size() && switches.body_off[std::size_t(body)];
    };
    if (off(body_a) || off(body_b)) return false;
    const bool films =
        model.bodies[std::size_t(body_a)].kind == BodyKind::Film && model.bodies[std::size_t(body_b)].kind == BodyKind::Film;
    return !films || switches.self_contact;
}

}  // namespace plica
