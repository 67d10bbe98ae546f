// 11 metrics of the bag, intersecting triangles.
#include <algorithm>
#include <numeric>
#include <set>
#include <span>

#include "engine/contact/intersection.h"
#include "engine/gauge/bag_metrics.h"
#include "tests/golden/check.h"

namespace plica::golden {

namespace {

void bag(Case& c) {
    // The files number the bag's vertices: neck 321 … 352, end 449 … 480.
    std::vector<int> neck(32), end(32);
    std::iota(neck.begin(), neck.end(), 321);
    std::iota(end.begin(), end.end(), 449);
    const std::vector<Vec3> x = points(c.in("x"));
    if (x.size() < 481) throw std::out_of_range("a bag has 481 vertices");
    const BagMetrics m = bag_metrics<Vec3>(x, neck, end);
    c.value("neck_width_xy", {m.neck_width_x, m.neck_width_y}, "neck_width");
    c.value("skirt_height", m.skirt_height);
}

void self_intersection(Case& c) {
    const std::vector<Vec3> x = points(c.in("x"));
    Model model;
    model.bodies = {{"film", BodyKind::Film}};
    model.body.assign(x.size(), 0);
    model.mass.assign(x.size(), 1);
    model.radius.assign(x.size(), 0);
    model.fixed.assign(x.size(), 0);
    for (const Json& t : c.in("triangles"))
        model.triangles.push_back({t.at(0).get<int>(), t.at(1).get<int>(), t.at(2).get<int>()});
    for (const Int3& t : model.triangles) {
        for (int i = 0; i < 3; ++i)
            if (t[i] < 0 || t[i] >= int(x.size())) throw std::out_of_range("a triangle names a vertex that is not there");
    }
    const std::vector<Int2> found = intersecting_triangles(model, x, Workers(1));

    const auto pairs = [&](const char* key) {
        std::set<Int2> out;
        for (const Json& p : c.expected().at(key)) out.insert({p.at(0).get<int>(), p.at(1).get<int>()});
        return out;
    };
    const std::set<Int2> must = pairs("must_report"), may = pairs("either_way");
    const std::set<Int2> got(found.begin(), found.end());
    c.require(got.size() == found.size(), "a pair is reported twice");
    const auto name = [](const Int2& p) { return std::to_string(p.a) + "–" + std::to_string(p.b); };
    for (const Int2& p : must) c.require(got.contains(p), "pair " + name(p) + " is not reported");
    for (const Int2& p : got)
        c.require(must.contains(p) || may.contains(p), "pair " + name(p) + " is reported, but does not intersect");
    const int count = int(found.size());
    c.require(count >= c.expected().at("count_min").get<int>() && count <= c.expected().at("count_max").get<int>(),
              std::to_string(count) + " pairs are reported, expected " + c.expected().at("count_min").dump() + " to " +
                  c.expected().at("count_max").dump());
}

}  // namespace

std::vector<Kind> gauge_kinds() { return {{"11_bag_metrics", bag}, {"11_self_intersection", self_intersection}}; }

}  // namespace plica::golden
