// Whether two triangles pierce each other, exactly for the given doubles.
#pragma once

#include "engine/core/types.h"

namespace plica {

// Sign of ((b − a) x (c − a))·(d − a): +1 when d lies on the side of the plane a b c to which its normal points, 0 when the
// four are coplanar, -1 else. Exact, unless products of three coordinates over- or underflow.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// True if an edge of one triangle has its ends strictly on both sides of the other triangle's plane and passes through that
// triangle. Through means inside or exactly through one of its edges or corners, so that nothing slips between two triangles of
// a mesh. A vertex that only touches, an edge in the plane and coplanar overlap do not count: neither do triangles without
// area.
bool triangles_intersect(const Vec3& a0, const Vec3& a1, const Vec3& a2, const Vec3& b0, const Vec3& b1, const Vec3& b2);

}  // namespace plica
