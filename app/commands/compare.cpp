// plica compare A B: are two recordings the same, bit for bit, and if not, from where on and by how much?
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/progress.h"
#include "engine/core/error.h"
#include "engine/core/number_text.h"
#include "engine/recording/recording.h"

namespace plica {
namespace {

struct Difference {
    double film = 0, spheres = 0;  // m
    int vertex = -1;
    bool same_bits = true;
};

Difference difference(const State& a, const State& b, std::size_t film_vertices, std::size_t moving) {
    Difference d;
    d.same_bits = std::memcmp(a.x.data(), b.x.data(), moving * sizeof(Vec3f)) == 0 &&
                  std::memcmp(a.v.data(), b.v.data(), moving * sizeof(Vec3f)) == 0;
    for (std::size_t i = 0; i < moving; ++i) {
        const double size = norm(to_double(a.x[i]) - to_double(b.x[i]));
        double& largest = i < film_vertices ? d.film : d.spheres;
        if (size > std::max(d.film, d.spheres)) d.vertex = int(i);
        largest = std::max(largest, size);
    }
    return d;
}

}  // namespace

int command_compare(const CompareOptions& options) {
    const RecordingReader a(options.a), b(options.b);
    for (const RecordingReader* r : {&a, &b})
        if (!r->note().empty()) std::fprintf(stderr, "note: %s %s\n", r->path().c_str(), r->note().c_str());
    const RecordingInfo &ia = a.info(), &ib = b.info();
    if (ia.film_vertex_count != ib.film_vertex_count || ia.sphere_count != ib.sphere_count || ia.triangles != ib.triangles)
        throw InputError("the recordings cannot be compared: " + a.path() + " has " + std::to_string(ia.film_vertex_count) +
                         " film vertices, " + std::to_string(ia.triangles.size()) + " triangles and " +
                         std::to_string(ia.sphere_count) + " spheres, " + b.path() + " has " +
                         std::to_string(ib.film_vertex_count) + ", " + std::to_string(ib.triangles.size()) + " and " +
                         std::to_string(ib.sphere_count));
    const std::size_t film = std::size_t(ia.film_vertex_count), moving = film + std::size_t(ia.sphere_count);
    const int frames = std::min(a.frame_count(), b.frame_count());
    int first = -1, first_time = -1, worst_frame = -1;
    double worst = 0, worst_spheres = 0;
    nlohmann::json per_frame = nlohmann::json::array();
    for (int i = 0; i < frames; ++i) {
        const Difference d = difference(a.frame(i)->state, b.frame(i)->state, film, moving);
        if ((!d.same_bits || a.step(i) != b.step(i)) && first < 0) first = i;
        if (a.time(i) != b.time(i) && first_time < 0) first_time = i;
        if (std::max(d.film, d.spheres) > std::max(worst, worst_spheres)) worst_frame = i;
        worst = std::max(worst, d.film);
        worst_spheres = std::max(worst_spheres, d.spheres);
        per_frame.push_back(std::max(d.film, d.spheres));
    }
    const bool same_length = a.frame_count() == b.frame_count();
    const bool equal = first < 0 && first_time < 0 && same_length;
    if (options.json) {
        nlohmann::ordered_json json;
        json["bit_equal"] = equal;
        json["frames"] = {a.frame_count(), b.frame_count()};
        json["compared_frames"] = frames;
        json["first_differing_frame"] = first < 0 ? nlohmann::json(nullptr) : nlohmann::json(first);
        json["first_differing_time"] = first_time < 0 ? nlohmann::json(nullptr) : nlohmann::json(first_time);
        json["max_difference"] = std::max(worst, worst_spheres);
        json["max_film_difference"] = worst;
        json["max_sphere_difference"] = worst_spheres;
        json["max_difference_per_frame"] = std::move(per_frame);
        std::printf("%s\n", json.dump(2).c_str());
        return equal ? status_done : status_failed;
    }
    std::printf("frames: %d and %d%s\n", a.frame_count(), b.frame_count(),
                same_length ? "" : (", compared: " + std::to_string(frames)).c_str());
    if (first >= 0) {
        std::printf("first difference: frame %d (t = %s s)\n", first, fixed_text(a.time(first), 4).c_str());
        std::printf("largest difference: film %s, spheres %s, at frame %d\n", length_text(worst).c_str(),
                    length_text(worst_spheres).c_str(), worst_frame);
        // A few frames on the way, so that growth can be seen.
        for (int k = 0; k <= 10; ++k) {
            const int i = first + int((long(frames - 1 - first) * k) / 10);
            std::printf("  frame %6d  t = %s s  %s\n", i, fixed_text(a.time(i), 4).c_str(),
                        length_text(per_frame[std::size_t(i)].get<double>()).c_str());
            if (first == frames - 1) break;
        }
    }
    if (first_time >= 0) std::printf("times differ from frame %d on\n", first_time);
    std::printf("bit-equal: %s\n", equal ? "yes" : first < 0 && first_time < 0 ? "yes, as far as both go" : "no");
    return equal ? status_done : status_failed;
}

}  // namespace plica
