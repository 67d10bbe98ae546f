// Every element formula and every contact in a kernel: what compiles here stays usable on the device. Loops gather, call,
// scatter; nothing but plain arrays comes in.
#include "engine/contact/contact_geometry.h"
#include "engine/energy/barrier.h"
#include "engine/energy/friction.h"
#include "engine/energy/grip.h"
#include "engine/energy/hinge.h"
#include "engine/energy/inertia.h"
#include "engine/energy/membrane.h"
#include "engine/energy/support.h"
#include "engine/energy/tie.h"

namespace plica::device {

namespace {
__device__ int element() { return int(blockIdx.x * blockDim.x + threadIdx.x); }
}  // namespace

// Corners of element e are vertices[N e] … of x.
__global__ void membranes(int count, const Membrane* laws, const int* vertices, const Vec3* x, MembraneTangent tangent,
                          double* energy, Gradient<3>* gradient, Hessian<3>* hessian) {
    const int e = element();
    if (e >= count) return;
    const Vec3 &x0 = x[vertices[3 * e]], &x1 = x[vertices[3 * e + 1]], &x2 = x[vertices[3 * e + 2]];
    energy[e] = laws[e].energy(x0, x1, x2);
    gradient[e] = laws[e].gradient(x0, x1, x2);
    laws[e].derivatives(x0, x1, x2, tangent, gradient[e], hessian[e]);
}

__global__ void rest_membranes(int count, MembraneModel model, const int* vertices, const Vec3* rest, double young,
                               double thickness, double poisson, Membrane* laws) {
    const int e = element();
    if (e >= count) return;
    laws[e] = make_membrane(model, rest[vertices[3 * e]], rest[vertices[3 * e + 1]], rest[vertices[3 * e + 2]],
                            lame_mu(young, thickness, poisson), lame_lambda(young, thickness, poisson));
}

__global__ void hinges(int count, const Hinge* laws, const int* vertices, const Vec3* x, double* energy, Gradient<4>* gradient,
                       Hessian<4>* gauss, Hessian<4>* exact) {
    const int e = element();
    if (e >= count) return;
    const Vec3 &a = x[vertices[4 * e]], &b = x[vertices[4 * e + 1]], &c = x[vertices[4 * e + 2]], &d = x[vertices[4 * e + 3]];
    energy[e] = laws[e].energy(a, b, c, d);
    gradient[e] = laws[e].gradient(a, b, c, d);
    gauss[e] = laws[e].hessian(a, b, c, d);
    exact[e] = laws[e].hessian_exact(a, b, c, d);
}

__global__ void rest_hinges(int count, double young, double thickness, double poisson, const double* length,
                            const double* area1, const double* area2, Hinge* laws) {
    const int e = element();
    if (e < count)
        laws[e].stiffness = hinge_stiffness(bending_stiffness(young, thickness, poisson), length[e], area1[e], area2[e]);
}

// One contact per candidate, with barrier and share of the motion cap; friction lagged at the same positions.
__global__ void contacts(int count, const CandidateKind* kinds, const int* vertices, const double* offset, const Vec3* x,
                         const Vec3* dx, Barrier barrier, double friction_mu, double eps, ContactGeometry* geometry,
                         double* energy, double* slope, double* curvature, double* fraction, Friction* friction) {
    const int e = element();
    if (e >= count) return;
    const int* v = vertices + 4 * e;
    const CandidateKind kind = kinds[e];
    const ContactGeometry g = kind == CandidateKind::VertexTriangle
                                  ? vertex_triangle_contact(x[v[0]], x[v[1]], x[v[2]], x[v[3]])
                              : kind == CandidateKind::EdgeEdge ? edge_edge_contact(x[v[0]], x[v[1]], x[v[2]], x[v[3]])
                                                                : sphere_sphere_contact(x[v[0]], x[v[1]]);
    const double gap = g.distance - offset[e];
    const double speed = approach(kind, g.normal, dx[v[0]], dx[v[1]], dx[v[2]], dx[v[3]]);
    geometry[e] = g;
    energy[e] = barrier.energy(gap);
    slope[e] = barrier.first(gap);
    curvature[e] = barrier.second(gap);
    fraction[e] = capped_fraction(speed > 0 ? gap / speed : HUGE_VAL);
    friction[e].load = -friction_mu * slope[e];
    friction[e].normal = g.normal;
    for (int i = 0; i < 4; ++i) friction[e].weight[i] = g.weight[i];
    friction[e].eps = eps;
}

__global__ void frictions(int count, const Friction* laws, const Vec3* slip, double* energy, Vec3* gradient, Mat3* hessian) {
    const int e = element();
    if (e >= count) return;
    energy[e] = laws[e].energy(slip[e]);
    gradient[e] = laws[e].gradient(slip[e]);
    hessian[e] = laws[e].hessian(slip[e]);
}

// Support, Grip, Inertia: one vertex.
template <class Law>
__global__ void single_points(int count, const Law* laws, const int* vertices, const Vec3* x, double* energy, Vec3* gradient,
                              Mat3* hessian) {
    const int e = element();
    if (e >= count) return;
    energy[e] = laws[e].energy(x[vertices[e]]);
    gradient[e] = laws[e].gradient(x[vertices[e]]);
    hessian[e] = laws[e].hessian(x[vertices[e]]);
}
template __global__ void single_points(int, const Support*, const int*, const Vec3*, double*, Vec3*, Mat3*);
template __global__ void single_points(int, const Grip*, const int*, const Vec3*, double*, Vec3*, Mat3*);
template __global__ void single_points(int, const Inertia*, const int*, const Vec3*, double*, Vec3*, Mat3*);

__global__ void inertia_targets(int count, const Vec3* x0, const Vec3* v0, const Vec3* force, const double* mass, Vec3 gravity,
                                double dt, Vec3* x_tilde) {
    const int i = element();
    if (i < count) x_tilde[i] = inertia_target(x0[i], v0[i], gravity, force[i], mass[i], dt);
}

__global__ void ties(int count, const Tie* laws, const int* vertices, const Vec3* x, double* energy, Vec3* gradient,
                     Mat3* hessian) {
    const int e = element();
    if (e >= count) return;
    const Vec3 &xi = x[vertices[2 * e]], &xj = x[vertices[2 * e + 1]];
    energy[e] = laws[e].energy(xi, xj);
    gradient[e] = laws[e].gradient(xi, xj);
    hessian[e] = laws[e].hessian(xi, xj);
}

}  // namespace plica::device
