#include "checkpoint.h"

#include <cstdint>
#include <cstring>
#include <fstream>

#include "engine/core/error.h"
#include "engine/core/output_file.h"

namespace plica {
namespace {

const std::string magic = "PLICA CHECKPOINT 1\n";

template <class T>
void put(std::ostream& out, const T* values, std::size_t count) {
    out.write(reinterpret_cast<const char*>(values), std::streamsize(count * sizeof(T)));
}
template <class T>
void get(std::istream& in, T* values, std::size_t count) {
    in.read(reinterpret_cast<char*>(values), std::streamsize(count * sizeof(T)));
}

}  // namespace

void write_checkpoint(const std::string& path, const Frame& frame, int moving_particles) {
    write_file(path, "the checkpoint", [&](std::ostream& out) {
        const std::int32_t step = frame.step, count = moving_particles, length = std::int32_t(frame.controller.size());
        out << magic;
        put(out, &step, 1), put(out, &frame.time, 1), put(out, &count, 1);
        put(out, frame.state.x.data(), std::size_t(count));
        put(out, frame.state.v.data(), std::size_t(count));
        put(out, &length, 1);
        out << frame.controller;
    });
}

Simulation simulation_at(const std::string& path, Scene scene) {
    Simulation simulation(std::move(scene));
    std::ifstream in(path, std::ios::binary);
    std::string word(magic.size(), ' ');
    get(in, word.data(), word.size());
    if (!in || word != magic) throw InputError(path, 0, "is no checkpoint");
    Frame frame = *simulation.frame();
    std::int32_t step = 0, count = 0, length = 0;
    get(in, &step, 1), get(in, &frame.time, 1), get(in, &count, 1);
    frame.step = step;
    frame.gauges.clear();  // not stored: the first step measures them
    if (!in || count < 0 || std::size_t(count) > frame.state.x.size())
        throw InputError(path, 0,
                         "has " + std::to_string(count) + " particles; the scene has " + std::to_string(frame.state.x.size()));
    get(in, frame.state.x.data(), std::size_t(count));
    get(in, frame.state.v.data(), std::size_t(count));
    get(in, &length, 1);
    if (!in || length <= 0 || length > 10'000'000) throw InputError(path, 0, "is cut");
    frame.controller.assign(std::size_t(length), ' ');
    get(in, frame.controller.data(), frame.controller.size());
    if (!in) throw InputError(path, 0, "is cut");
    simulation.restore(frame, frame.controller, {});
    return simulation;
}

}  // namespace plica
