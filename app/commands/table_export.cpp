#include "app/commands/table_export.h"

#include <algorithm>

#include "app/commands/npz_writer.h"
#include "engine/core/number_text.h"
#include "engine/core/output_file.h"

namespace plica {
namespace {

// "gap film-film" in m is min_gap_film_film_m; m/s becomes m_per_s; pure numbers carry no unit.
std::string column_name(const GaugeSpec& gauge) {
    if (gauge.unit.empty() || gauge.unit == "1") return gauge.name;
    std::string unit;
    for (const char c : gauge.unit) unit += c == '/' ? std::string("_per_") : c == ' ' ? std::string("_") : std::string(1, c);
    return gauge.name + "_" + unit;
}

}  // namespace

void export_csv(const RecordingReader& recording, const std::vector<int>& frames, const std::string& path) {
    write_file(path, "the table", [&](std::ostream& out) {
        out << "step,time_s,gap_m";
        for (const GaugeSpec& gauge : recording.info().gauges) out << ',' << column_name(gauge);
        out << '\n';
        for (const int i : frames) {
            const FramePtr frame = recording.scalars(i);
            const double gap = *std::min_element(frame->report.min_gap.begin(), frame->report.min_gap.end());
            std::string row = std::to_string(frame->step) + "," + shortest_text(frame->time) + "," +
                              (std::isfinite(gap) ? shortest_text(gap) : "nan");
            for (const double value : frame->gauges)
                row += "," + (std::isfinite(value) ? shortest_text(value) : std::string("nan"));
            out << row << '\n';
        }
    });
}

void export_npz(const RecordingReader& recording, const std::vector<int>& frames, const std::string& path) {
    const RecordingInfo& info = recording.info();
    const std::uint64_t t = frames.size(), n = std::uint64_t(info.film_vertex_count), m = std::uint64_t(info.sphere_count);
    write_file(path, "the arrays", [&](std::ostream& out) {
        NpzWriter npz(out);
        const auto vectors = [&](const std::string& name, bool velocity, std::uint64_t first, std::uint64_t count) {
            npz.add(name, "<f4", {t, count, 3}, [&](const NpzWriter::Sink& sink) {
                for (const int i : frames) {
                    const FramePtr frame = recording.frame(i);
                    const auto& values = velocity ? frame->state.v : frame->state.x;
                    sink(values.data() + first, std::size_t(count) * sizeof(Vec3f));
                }
            });
        };
        std::vector<double> times;
        std::vector<std::int32_t> steps;
        for (const int i : frames) times.push_back(recording.time(i)), steps.push_back(recording.step(i));
        npz.add("time", "<f8", {t}, times);
        npz.add("step", "<i4", {t}, steps);
        vectors("film", false, 0, n);
        vectors("film_velocity", true, 0, n);
        vectors("spheres", false, n, m);
        vectors("sphere_velocity", true, n, m);
        npz.add("faces", "<i4", {info.triangles.size(), 3}, info.triangles);
        npz.add("sphere_radius", "<f8", {m}, info.sphere_radius);
        npz.add("obstacles", "<f4", {info.obstacle_positions.size(), 3}, info.obstacle_positions);
        npz.add("obstacle_faces", "<i4", {info.obstacle_triangles.size(), 3}, info.obstacle_triangles);
        for (const GaugeSpec& gauge : info.gauges) {
            const std::vector<double> all = recording.gauge(gauge.name);
            std::vector<double> values;
            for (const int i : frames) values.push_back(all[std::size_t(i)]);
            npz.add("gauge_" + gauge.name, "<f8", {t}, values);
        }
        npz.add("scene", "|u1", {info.scene_text.size()}, std::vector<char>(info.scene_text.begin(), info.scene_text.end()));
        npz.finish();
    });
}

}  // namespace plica
