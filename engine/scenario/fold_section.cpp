#include "engine/scenario/fold_section.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace plica {
namespace {

struct Plane {
    Vec3 point, along, across;  // unit and horizontal: normal of the plane, and the direction in it
    double table = 0;

    double side(const Vec3& p) const { return dot(p - point, along); }
    FoldSection::Point in_plane(const Vec3& p) const { return {dot(p - point, across), p.z - table}; }
};

std::optional<FoldSection::Segment> cut(const Plane& plane, const Vec3 (&corner)[3]) {
    FoldSection::Segment segment;
    int found = 0;
    for (int k = 0; k < 3 && found < 2; ++k) {
        const Vec3 &a = corner[k], &b = corner[(k + 1) % 3];
        const double sa = plane.side(a), sb = plane.side(b);
        if ((sa < 0) == (sb < 0)) continue;  // a corner in the plane counts to one side: each cut triangle has two cut edges
        segment[std::size_t(found++)] = plane.in_plane(a + (sa / (sa - sb)) * (b - a));
    }
    if (found < 2) return std::nullopt;
    return segment;
}

}  // namespace

FoldSection fold_section(const FoldPress& press, const Model& model, const State& state, double at) {
    const FoldLayout& fold = press.layout();
    const auto x = [&](int p) { return to_double(state.x[std::size_t(p)]); };
    FoldSection section;
    Plane plane;
    const Vec3 ends = x(fold.fold.back()) - x(fold.fold.front());
    const double length = std::hypot(ends.x, ends.y);
    if (!(length > 0)) return section;
    plane.along = {ends.x / length, ends.y / length, 0};
    plane.table = press.table_height();

    // Where on the crease: by its vertices, which are evenly spaced at rest only.
    const double place = std::clamp(at, 0.0, 1.0) * double(fold.fold.size() - 1);
    const std::size_t before = std::min(std::size_t(place), fold.fold.size() - 2);
    plane.point = x(fold.fold[before]) + (place - double(before)) * (x(fold.fold[before + 1]) - x(fold.fold[before]));

    plane.across = {-plane.along.y, plane.along.x, 0};
    double base_side = 0;
    for (const int t : fold.base) {
        const Int3& v = model.triangles[std::size_t(t)];
        base_side += dot(x(v.a) + x(v.b) + x(v.c) - 3.0 * plane.point, plane.across);
    }
    if (base_side < 0) plane.across = -1.0 * plane.across;

    for (const auto& [panel, segments] : {std::pair{&fold.base, &section.base}, std::pair{&fold.flap, &section.flap}})
        for (const int t : *panel) {
            const Int3& v = model.triangles[std::size_t(t)];
            if (const auto segment = cut(plane, {x(v.a), x(v.b), x(v.c)})) segments->push_back(*segment);
        }

    const int tool = press.tool();
    const double away = plane.side(x(tool)), radius = model.radius[std::size_t(tool)];
    section.tool = std::fabs(away) < radius;
    section.tool_centre = plane.in_plane(x(tool));
    if (section.tool) section.tool_radius = std::sqrt(radius * radius - away * away);
    return section;
}

}  // namespace plica
