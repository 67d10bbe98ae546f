#include "engine/scene/track.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace plica {
namespace {

double ease_fraction(Ease ease, double s) {
    switch (ease) {
        case Ease::Linear: return s;
        case Ease::Smooth: return s * s * (3.0 - 2.0 * s);
        case Ease::Step: return 0.0;
    }
    return s;
}

// Value of ordered `keys` at `time`; the left key wins at a jump (two keys of one time: the later one from that time on).
template <typename Key>
auto value_at(const std::vector<Key>& keys, Ease ease, double time) {
    assert(!keys.empty());
    if (time < keys.front().time) return keys.front().value;
    const auto right = std::upper_bound(keys.begin(), keys.end(), time, [](double t, const Key& key) { return t < key.time; });
    if (right == keys.end()) return keys.back().value;
    const Key& a = *(right - 1);
    const Key& b = *right;
    const double s = ease_fraction(ease, (time - a.time) / (b.time - a.time));
    return a.value + (b.value - a.value) * s;
}

}  // namespace

double ScalarTrack::at(double time) const { return value_at(keys, ease, time); }

Vec3 VectorTrack::at(double time) const { return value_at(keys, ease, time); }

}  // namespace plica
