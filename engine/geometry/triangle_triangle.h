// Whether two triangles pierce each other, exactly for the given doubles.
#pragma once

#include "engine/core/types.h"

namespace plica {

// Sign of the volume of (a, b, c, d), exact unless it over- or underflows (coordinates within 1e±60 m do not): +1 when d lies
// on the side of the plane a b c from which a -> b -> c runs clockwise, 0 when coplanar, -1 else.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// True if an edge of one triangle has its ends strictly on both sides of the other triangle's plane and passes through that
// triangle. Through means inside or exactly through one of its edges or corners, so that nothing slips between two triangles of a
// mesh. A vertex that only touches, an edge in the plane and coplanar overlap do not count: neither do triangles without area.
bool triangles_intersect(const Vec3& a0, const Vec3& a1, const Vec3& a2, const Vec3& b0, const Vec3& b1, const Vec3& b2);

}  // namespace plica
