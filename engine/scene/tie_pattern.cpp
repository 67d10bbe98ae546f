#include "engine/scene/tie_pattern.h"

#include <cassert>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace plica {

void tie_ring(TieSet& tie, const std::vector<int>& ring, const std::vector<int>& steps, double radius, double pleat) {
    const int n = int(ring.size());
    assert(pleat == 0 || n % 2 == 0);
    const auto place = [&](int j) {
        const double angle = 2 * std::numbers::pi * j / n, r = radius + (j % 2 == 0 ? pleat : -pleat);
        return Vec3{r * std::cos(angle), r * std::sin(angle), 0};
    };
    for (const int step : steps) {
        assert(step >= 1 && 2 * step <= n);
        const int count = 2 * step == n ? step : n;  // straight across, both ends find the same tie
        for (int j = 0; j < count; ++j) {
            const int other = (j + step) % n;
            tie.pairs.push_back({ring[std::size_t(j)], ring[std::size_t(other)]});
            tie.length.push_back(norm(place(j) - place(other)));
        }
    }
}

void tie_columns(TieSet& tie, const std::vector<int>& lower, const std::vector<int>& upper, double length) {
    assert(lower.size() == upper.size());
    for (std::size_t k = 0; k < lower.size(); ++k) {
        tie.pairs.push_back({lower[k], upper[k]});
        tie.length.push_back(length);
    }
}

}  // namespace plica
