// What tells whether the bag is closed: the width of its neck and the height of its skirt.                 spec/bag.md
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "engine/core/types.h"

namespace plica {

struct BagMetrics {
    double neck_width_x = 0, neck_width_y = 0;  // m, extent of the neck's vertices along world x and y
    double skirt_height = 0;                    // m, median z of the end's vertices minus mean z of the neck's
};

// film_x (n) m, Vec3 or Vec3f; neck and end are indices into it. NaN where a group is empty.
template <class Point>
BagMetrics bag_metrics(std::span<const Point> film_x, std::span<const int> neck, std::span<const int> end) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    BagMetrics metrics{nan, nan, nan};
    if (neck.empty()) return metrics;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double min_x = infinity, max_x = -infinity, min_y = infinity, max_y = -infinity, sum_z = 0;
    for (const int vertex : neck) {
        const Point& p = film_x[std::size_t(vertex)];
        min_x = std::min(min_x, double(p.x)), max_x = std::max(max_x, double(p.x));
        min_y = std::min(min_y, double(p.y)), max_y = std::max(max_y, double(p.y));
        sum_z += double(p.z);
    }
    metrics.neck_width_x = max_x - min_x;
    metrics.neck_width_y = max_y - min_y;
    if (end.empty()) return metrics;

    std::vector<double> heights;
    heights.reserve(end.size());
    for (const int vertex : end) heights.push_back(double(film_x[std::size_t(vertex)].z));
    std::sort(heights.begin(), heights.end());
    const std::size_t half = heights.size() / 2;
    const double median = heights.size() % 2 == 1 ? heights[half] : 0.5 * (heights[half - 1] + heights[half]);
    metrics.skirt_height = median - sum_z / double(neck.size());
    return metrics;
}

}  // namespace plica
