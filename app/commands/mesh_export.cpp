#include "app/commands/mesh_export.h"

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>

#include "engine/core/error.h"
#include "engine/core/number_text.h"
#include "engine/core/output_file.h"

namespace plica {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "PLY and PC2 are written as the machine stores numbers");

void write_obj(std::ostream& out, const std::string& name, std::span<const Vec3f> vertices,
               const std::vector<Int3>& triangles) {
    std::string text = "# metres, z upwards\no " + name + "\n";
    for (const Vec3f& v : vertices)
        text += "v " + shortest_text(v.x) + " " + shortest_text(v.y) + " " + shortest_text(v.z) + "\n";
    for (const Int3& t : triangles)
        text += "f " + std::to_string(t.a + 1) + " " + std::to_string(t.b + 1) + " " + std::to_string(t.c + 1) + "\n";
    out << text;
}

void write_ply(std::ostream& out, std::span<const Vec3f> vertices, const std::vector<Int3>& triangles) {
    out << "ply\nformat binary_little_endian 1.0\ncomment metres, z upwards\nelement vertex " << vertices.size()
        << "\nproperty float x\nproperty float y\nproperty float z\nelement face " << triangles.size()
        << "\nproperty list uchar int vertex_indices\nend_header\n";
    out.write(reinterpret_cast<const char*>(vertices.data()), std::streamsize(vertices.size() * sizeof(Vec3f)));
    for (const Int3& t : triangles) {
        out.put(3);
        out.write(reinterpret_cast<const char*>(&t), sizeof t);
    }
}

void write_spheres(std::ostream& out, const RecordingReader& recording, const std::vector<int>& frames) {
    const RecordingInfo& info = recording.info();
    out << "frame,step,time_s,sphere,radius_m,x_m,y_m,z_m\n";
    for (std::size_t k = 0; k < frames.size(); ++k) {
        const FramePtr frame = recording.frame(frames[k]);
        for (int s = 0; s < info.sphere_count; ++s) {
            const Vec3f& x = frame->state.x[std::size_t(info.film_vertex_count + s)];
            out << k << ',' << frame->step << ',' << shortest_text(frame->time) << ',' << s << ','
                << shortest_text(info.sphere_radius[std::size_t(s)]) << ',' << shortest_text(x.x) << ',' << shortest_text(x.y)
                << ',' << shortest_text(x.z) << '\n';
        }
    }
}

std::string numbered(std::size_t k, const std::string& ending) {
    std::string digits = std::to_string(k);
    if (digits.size() < 6) digits.insert(0, 6 - digits.size(), '0');
    return "film_" + digits + "." + ending;
}

}  // namespace

void export_mesh_sequence(const RecordingReader& recording, const std::vector<int>& frames, const std::string& folder,
                          const std::string& format) {
    if (folder.empty()) throw InputError("the meshes need a folder name");
    std::string target = fs::path(folder).lexically_normal().string();
    while (target.size() > 1 && target.back() == '/') target.pop_back();
    std::error_code ignored;
    if (fs::exists(target, ignored) && !fs::is_directory(target, ignored))
        throw InputError(target, 0, "is a file; give a folder for the meshes");
    if (fs::is_directory(target, ignored) && !fs::is_empty(target, ignored))
        throw InputError(target, 0, "is a folder that is not empty; give a new one, so that no old mesh stays among the new");
    check_output_path(target + "_", "the folder of meshes");  // the folder above must be there and writable
    const RecordingInfo& info = recording.info();
    const std::size_t n = std::size_t(info.film_vertex_count);

    Temporary temporary(temporary_beside(target));
    if (!fs::create_directory(temporary.path(), ignored)) throw InputError(target, 0, "cannot be made: " + ignored.message());
    const std::string base = temporary.path() + "/";
    for (std::size_t k = 0; k < frames.size(); ++k) {
        const FramePtr frame = recording.frame(frames[k]);
        const std::span<const Vec3f> film(frame->state.x.data(), n);
        write_file(base + numbered(k, format), "a mesh", [&](std::ostream& out) {
            if (format == "obj")
                write_obj(out, "film", film, info.triangles);
            else
                write_ply(out, film, info.triangles);
        });
    }
    write_file(base + "times.csv", "the list of times", [&](std::ostream& out) {
        out << "file,frame,step,time_s\n";
        for (std::size_t k = 0; k < frames.size(); ++k)
            out << numbered(k, format) << ',' << frames[k] << ',' << recording.step(frames[k]) << ','
                << shortest_text(recording.time(frames[k])) << '\n';
    });
    if (!info.obstacle_triangles.empty())
        write_file(base + "obstacles.obj", "a mesh",
                   [&](std::ostream& out) { write_obj(out, "obstacles", info.obstacle_positions, info.obstacle_triangles); });
    if (info.sphere_count > 0)
        write_file(base + "spheres.csv", "the spheres", [&](std::ostream& out) { write_spheres(out, recording, frames); });
    temporary.become(target);
}

void export_point_cache(const RecordingReader& recording, const std::vector<int>& frames, const std::string& path) {
    const RecordingInfo& info = recording.info();
    const std::size_t n = std::size_t(info.film_vertex_count);
    const fs::path stem = fs::path(path).parent_path() / fs::path(path).stem();
    const std::string mesh = stem.string() + ".obj", times = stem.string() + ".times.csv";
    for (const std::string& name : {path, mesh, times}) check_output_path(name, "the point cache");
    // All three under other names first; then three renames.
    Temporary cache_part(temporary_beside(path)), mesh_part(temporary_beside(mesh)), times_part(temporary_beside(times));
    write_file(cache_part.path(), "the point cache", [&](std::ostream& out) {
        out.write("POINTCACHE2\0", 12);
        const std::int32_t version = 1, points = std::int32_t(n), samples = std::int32_t(frames.size());
        const float start = 0, rate = 1;  // frame numbers: one sample a frame
        out.write(reinterpret_cast<const char*>(&version), 4);
        out.write(reinterpret_cast<const char*>(&points), 4);
        out.write(reinterpret_cast<const char*>(&start), 4);
        out.write(reinterpret_cast<const char*>(&rate), 4);
        out.write(reinterpret_cast<const char*>(&samples), 4);
        for (const int i : frames)
            out.write(reinterpret_cast<const char*>(recording.frame(i)->state.x.data()), std::streamsize(n * sizeof(Vec3f)));
    });
    write_file(mesh_part.path(), "the mesh", [&](std::ostream& out) {
        const FramePtr first = recording.frame(frames.front());
        write_obj(out, "film", {first->state.x.data(), n}, info.triangles);
    });
    write_file(times_part.path(), "the list of times", [&](std::ostream& out) {
        out << "sample,frame,step,time_s\n";
        for (std::size_t k = 0; k < frames.size(); ++k)
            out << k << ',' << frames[k] << ',' << recording.step(frames[k]) << ',' << shortest_text(recording.time(frames[k]))
                << '\n';
    });
    times_part.become(times);
    mesh_part.become(mesh);
    cache_part.become(path);
}

}  // namespace plica
