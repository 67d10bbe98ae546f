#include "engine/scenario/fold_gauges.h"

#include <algorithm>
#include <cmath>

#include "engine/gauge/fold_metrics.h"

namespace plica {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double median(std::vector<double> values) {
    if (values.empty()) return nan;
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

double finite_or_nan(double value) { return std::isfinite(value) ? value : nan; }

}  // namespace

std::vector<double> measure_fold(const FoldPress& press, double time, const Model& model, const State& state,
                                 const StepReport& report) {
    const FoldLayout& fold = press.layout();
    std::vector<Vec3> x(state.x.size());
    std::transform(state.x.begin(), state.x.end(), x.begin(), to_double);

    std::vector<double> angles, memories;
    for (const int h : fold.hinges) {
        const HingeElement& e = model.hinges[std::size_t(h)];
        angles.push_back(
            std::fabs(hinge_angle(x[std::size_t(e.a)], x[std::size_t(e.b)], x[std::size_t(e.c)], x[std::size_t(e.d)])));
    }
    for (const CreaseMemory& m : press.memory())
        if (m.marked) memories.push_back(std::fabs(m.angle));
    double bulge = 0, height = -std::numeric_limits<double>::infinity();
    for (const std::vector<int>& section : fold.sections) bulge = std::max(bulge, bulge_over_chord(x, section, {0, 0, 1}));
    for (const std::vector<int>* panel : {&fold.base, &fold.flap})
        for (const int t : *panel)
            for (int k = 0; k < 3; ++k) height = std::max(height, x[std::size_t(model.triangles[std::size_t(t)][k])].z);
    const double gap = layer_gap(x, model.triangles, fold.base, fold.flap);

    // All that holds the film from outside; the drive of the tool is not part of it.
    double hold = 0;
    for (const Vec3& force : report.support_force) hold += norm(force);
    for (std::size_t g = 0; g < report.grip_force.size(); ++g)
        if (int(g) != press.drive_group()) hold += norm(report.grip_force[g]);

    // In the order of gauge_specs.
    return {fold_angle(x, model.triangles, fold.base, fold.flap),
            median(angles),
            median(memories),
            bulge,
            height - press.table_height(),
            finite_or_nan(gap),
            finite_or_nan(layer_gap(x, model.triangles, fold.base, fold.flap_inner)),
            gap < 0 ? 1.0 : 0.0,
            press.reading().tool_force,
            press.reading().under ? 1.0 : 0.0,
            press.travel(),
            press.weight(),
            hold,
            double(press.creases()),
            double(press.segments()),
            double(press.ends()),
            double(press.creases() - press.on_fold()),
            press.forgotten(),
            press.release_time() < 0 ? 0.0 : time - press.release_time()};
}

}  // namespace plica
