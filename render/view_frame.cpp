#include "render/view_frame.h"

#include <cmath>
#include <cstddef>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace plica {

void Bounds::add(const glm::dvec3& p) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) return;
    low = empty ? p : glm::min(low, p);
    high = empty ? p : glm::max(high, p);
    empty = false;
}

double Bounds::radius() const { return empty ? 0 : 0.5 * glm::length(high - low); }

Bounds bounds(const ViewFrame& frame) {
    Bounds box;
    const auto add_surfaces = [&](bool floor) {
        for (const SurfaceView& surface : frame.surfaces) {
            if (!surface.visible || (surface.kind == SurfaceKind::Floor) != floor) continue;
            for (std::size_t i = 0; i + 2 < surface.positions.size(); i += 3)
                box.add({surface.positions[i], surface.positions[i + 1], surface.positions[i + 2]});
        }
    };
    add_surfaces(false);
    for (std::size_t i = 0; i < frame.spheres.radii.size(); ++i) {
        const glm::dvec3 c{frame.spheres.centres[3 * i], frame.spheres.centres[3 * i + 1], frame.spheres.centres[3 * i + 2]};
        box.add(c - double(frame.spheres.radii[i]));
        box.add(c + double(frame.spheres.radii[i]));
    }
    if (box.empty) add_surfaces(true);
    return box;
}

}  // namespace plica
