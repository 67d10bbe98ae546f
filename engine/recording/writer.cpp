// Writing: rows gather in memory; at each flush they go to the file, then the count of whole frames does.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

#include "engine/core/checksum.h"
#include "engine/core/error.h"
#include "engine/core/output_file.h"
#include "engine/recording/column.h"
#include "engine/recording/disk_room.h"
#include "engine/recording/format.h"
#include "engine/recording/recording.h"
#include "engine/scene/build_model.h"

namespace plica {
namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr auto flush_interval = std::chrono::milliseconds(500);  // at most a second may be lost
constexpr std::size_t most_pending = std::size_t(16) << 20;      // B, then it is written at once
constexpr hsize_t memory_page = 4096;                            // B
constexpr std::uint64_t metadata_room = 256 * 1024;              // B, more than the indices of all columns grow in a flush

std::string now_text() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

RecordingInfo info_of(const Simulation& simulation, int threads) {
    const Scene& scene = simulation.scene();
    const ParticleLayout layout = particle_layout(scene);
    RecordingInfo info;
    info.version = recording_version;
    info.program_version = PLICA_VERSION;
    info.backend = "cpu";
    info.threads = threads;
    info.scene_name = scene.name;
    info.scene_text = scene.text;
    if (!scene.path.empty()) {
        std::error_code ignored;
        const fs::path absolute = fs::absolute(scene.path, ignored);
        info.scene_path = ignored ? scene.path : absolute.lexically_normal().string();
    }
    info.created = now_text();
    info.film_vertex_count = layout.film_vertex_count;
    info.sphere_count = int(scene.spheres.size());
    for (std::size_t f = 0; f < scene.films.size(); ++f)
        for (const Int3& t : scene.films[f].triangles)
            info.triangles.push_back({t.a + layout.film_first[f], t.b + layout.film_first[f], t.c + layout.film_first[f]});
    for (const Sphere& sphere : scene.spheres) info.sphere_radius.push_back(sphere.radius);
    const State& state = simulation.frame()->state;
    const int obstacle_first = layout.sphere_first + info.sphere_count;
    info.obstacle_positions.assign(state.x.begin() + obstacle_first, state.x.end());
    for (std::size_t o = 0; o < scene.obstacles.size(); ++o) {
        const int first = layout.obstacle_first[o] - obstacle_first;
        for (const Int3& t : scene.obstacles[o].triangles)
            info.obstacle_triangles.push_back({t.a + first, t.b + first, t.c + first});
    }
    for (const Body& body : simulation.model().bodies) info.body_names.push_back(body.name);
    info.support_groups = int(scene.supports.size()) + 1;
    info.gauges = simulation.gauges();
    return info;
}

// A stream of texts as columns.
struct Stream {
    Column text, end, step;
    std::int64_t bytes = 0;

    Stream(hid_t file, const std::string& name)
        : text(file, column::stream_text(name)), end(file, column::stream_end(name)), step(file, column::stream_step(name)) {}
    void push(int at_step, const std::string& entry) {
        text.push(entry.data(), entry.size());
        bytes += std::int64_t(entry.size());
        end.push_value(bytes);
        step.push_value(std::int32_t(at_step));
    }
};

}  // namespace

struct RecordingWriter::Impl {
    std::string path;       // as given
    std::string temporary;  // until the first flush has succeeded
    RecordingInfo info;
    h5::Handle file;
    std::unique_ptr<DiskRoom> room;
    h5::Handle count_dataset;

    // Order of writing: everything a frame needs, the frame number last.
    std::optional<Column> film, film_velocity, spheres, sphere_velocity, checksum, time, body_reaction, support_force, history,
        history_end, step;
    std::vector<Column> gauges, fields;
    std::optional<Stream> commands, controller, verdict;
    std::int64_t history_rows = 0;
    int last_step = 0, frames = 0;
    bool any_frame = false, closed = false, broken = false;
    bool dirty = false;     // something is pending
    std::string disk_full;  // not empty: the last flush found no room

    std::mutex mutex;
    std::condition_variable_any wake;
    std::jthread flusher;  // last: stops before the rest goes

    ~Impl() {
        flusher.request_stop();
        wake.notify_all();
        if (flusher.joinable()) flusher.join();
        if (!temporary.empty()) {
            file = {};
            ::unlink(temporary.c_str());
        }
    }

    void create(const std::string& target, RecordingInfo recording);
    void publish();
    void write_static();
    void make_columns();
    template <class F>
    void each_column(F&& f);
    void push(const Frame& frame, const std::string& controller_state);
    void write_pending();
    void flush_locked(bool forced);
    void flush_loop(const std::stop_token& stop);
    void close_locked();
};

void RecordingWriter::Impl::create(const std::string& target, RecordingInfo recording) {
    h5::prepare_library();
    path = target;
    info = std::move(recording);
    check_output_path(path, "the recording");
    if (DiskRoom::is_being_written(path))
        throw InputError(path, 0, "is being written by another run; give another file or wait for its end");
    temporary = temporary_beside(path);
    if (const int descriptor = ::open(temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666); descriptor >= 0) {
        ::close(descriptor);
    } else {
        const std::string reason = std::strerror(errno);
        temporary.clear();
        throw InputError(path, 0, "cannot be written: " + reason);
    }
    try {
        {
            const h5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "access");
            h5::check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), "access");
            h5::check(H5Pset_file_locking(access.id(), 1, 1), "access");  // ignored where the file system knows no locks
            const h5::Handle create(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "file");
            // A kill may tear a write between two memory pages: an index entry must never lie across two (seen: 1 kill in 100
            // that hit a flush left a broken checksum, which closes the whole file).
            h5::check(H5Pset_file_space_strategy(create.id(), H5F_FSPACE_STRATEGY_PAGE, 0, 1), "pages");
            h5::check(H5Pset_file_space_page_size(create.id(), memory_page), "pages");
            file = h5::Handle(H5Fcreate(temporary.c_str(), H5F_ACC_TRUNC, create.id(), access.id()), H5Fclose,
                              "cannot be created");
        }
        room = std::make_unique<DiskRoom>(temporary);
        room->reserve(2 * metadata_room + info.scene_text.size() +
                          12 * (info.triangles.size() + info.obstacle_triangles.size() + info.obstacle_positions.size()),
                      path);
        write_static();
        make_columns();
        h5::check(H5Fstart_swmr_write(file.id()), "the file cannot be shared while it is written");
    } catch (const DiskFull& e) {
        throw InputError(std::string(e.what()));
    } catch (const InputError&) {
        throw;
    } catch (const std::exception& e) {
        throw InputError(path, 0, std::string("cannot be written: ") + e.what());
    }
}

void RecordingWriter::Impl::write_static() {
    const hid_t f = file.id();
    h5::write_attribute(f, "version", recording_version);
    h5::write_attribute(f, "program_version", info.program_version);
    h5::write_attribute(f, "units", std::string(recording_units));
    h5::write_attribute(f, "backend", info.backend);
    h5::write_attribute(f, "threads", info.threads);
    h5::write_attribute(f, "scene_name", info.scene_name);
    h5::write_attribute(f, "scene_path", info.scene_path);
    h5::write_attribute(f, "created", info.created);
    h5::write_text(f, "scene", info.scene_text);
    h5::write_array(f, "topology/triangles", h5::Type::I32, {info.triangles.size(), 3}, info.triangles.data());
    h5::write_array(f, "topology/obstacles", h5::Type::F32, {info.obstacle_positions.size(), 3},
                    info.obstacle_positions.data());
    h5::write_array(f, "topology/obstacle_triangles", h5::Type::I32, {info.obstacle_triangles.size(), 3},
                    info.obstacle_triangles.data());
    h5::write_array(f, "topology/sphere_radius", h5::Type::F64, {info.sphere_radius.size()}, info.sphere_radius.data());
    h5::write_texts(f, "topology/body_names", info.body_names);
}

void RecordingWriter::Impl::make_columns() {
    const hid_t f = file.id();
    const std::size_t vertices = std::size_t(info.film_vertex_count), sphere_count = std::size_t(info.sphere_count);
    film.emplace(f, column::film(vertices));
    film_velocity.emplace(f, column::film_velocity(vertices));
    spheres.emplace(f, column::spheres(sphere_count));
    sphere_velocity.emplace(f, column::sphere_velocity(sphere_count));
    checksum.emplace(f, column::checksum());
    time.emplace(f, column::time());
    body_reaction.emplace(f, column::body_reaction(info.body_names.size()));
    support_force.emplace(f, column::support_force(std::size_t(info.support_groups)));
    history.emplace(f, column::history());
    history_end.emplace(f, column::history_end());
    step.emplace(f, column::step());
    for (std::size_t g = 0; g < info.gauges.size(); ++g) {
        const GaugeSpec& spec = info.gauges[g];
        gauges.emplace_back(f, column::gauge(spec.name, spec.unit));
        const hid_t d = gauges.back().dataset();
        h5::write_attribute(d, "label", spec.label);
        h5::write_attribute(d, "show_unit", spec.show_unit);
        h5::write_attribute(d, "show_scale", spec.show_scale);
        h5::write_attribute(d, "log_plot", int(spec.log_plot));
        h5::write_attribute(d, "lower_limit", spec.lower_limit);
        h5::write_attribute(d, "upper_limit", spec.upper_limit);
        h5::write_attribute(d, "order", int(g));
    }
    if (gauges.empty()) h5::Handle(H5Gcreate2(f, "gauges", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "gauges");
    for (const StepField& field : step_fields()) fields.emplace_back(f, column::step_field(field));
    commands.emplace(f, "commands");
    controller.emplace(f, "controller");
    verdict.emplace(f, "verdict");
    const std::int64_t none = 0;
    h5::write_array(f, frame_count_path, h5::Type::I64, {1}, &none);
    count_dataset = h5::Handle(H5Dopen2(f, frame_count_path, H5P_DEFAULT), H5Dclose, frame_count_path);
}

template <class F>
void RecordingWriter::Impl::each_column(F&& f) {
    for (Column& c : gauges) f(c);
    for (Column& c : fields) f(c);
    for (std::optional<Stream>* s : {&commands, &controller, &verdict}) f((*s)->text), f((*s)->end), f((*s)->step);
    for (std::optional<Column>* c : {&film, &film_velocity, &spheres, &sphere_velocity, &checksum, &time, &body_reaction,
                                     &support_force, &history, &history_end, &step})
        f(**c);
}

// What is flushed first must not be lost to a failure of the old name: the new file takes it over.
void RecordingWriter::Impl::publish() {
    if (::rename(temporary.c_str(), path.c_str()) != 0)
        throw InputError(path, 0, std::string("cannot be written: ") + std::strerror(errno));
    temporary.clear();
    flusher = std::jthread([this](const std::stop_token& stop) { flush_loop(stop); });
}

void RecordingWriter::Impl::push(const Frame& frame, const std::string& controller_state) {
    const std::size_t n = std::size_t(info.film_vertex_count), m = std::size_t(info.sphere_count);
    const State& s = frame.state;
    if (s.x.size() < n + m || s.v.size() < n + m || frame.gauges.size() != info.gauges.size())
        throw std::logic_error("a frame of another scene was given to the recording");
    film->push(s.x.data());
    film_velocity->push(s.v.data());
    spheres->push(s.x.data() + n);
    sphere_velocity->push(s.v.data() + n);
    std::uint32_t crc = crc32(s.x.data(), n * sizeof(Vec3f));
    crc = crc32(s.v.data(), n * sizeof(Vec3f), crc);
    crc = crc32(s.x.data() + n, m * sizeof(Vec3f), crc);
    checksum->push_value(crc32(s.v.data() + n, m * sizeof(Vec3f), crc));
    time->push_value(frame.time);
    for (std::size_t g = 0; g < gauges.size(); ++g) gauges[g].push_value(frame.gauges[g]);
    for (std::size_t k = 0; k < fields.size(); ++k) {
        const double value = step_fields()[k].get(frame.report);
        if (step_fields()[k].type == h5::Type::I32)
            fields[k].push_value(std::int32_t(value));
        else
            fields[k].push_value(value);
    }
    std::vector<Vec3> forces = frame.report.body_reaction;
    forces.resize(info.body_names.size());
    body_reaction->push(forces.data());
    forces = frame.report.support_force;
    forces.resize(std::size_t(info.support_groups));
    support_force->push(forces.data());
    static_assert(sizeof(IterationRecord) == 4 * sizeof(double));
    history->push(frame.report.history.data(), frame.report.history.size());
    history_rows += std::int64_t(frame.report.history.size());
    history_end->push_value(history_rows);
    if (!controller_state.empty()) controller->push(frame.step, controller_state);
    step->push_value(std::int32_t(frame.step));
    last_step = frame.step;
    any_frame = true;
    ++frames;
    dirty = true;
}

void RecordingWriter::Impl::write_pending() {
    if (broken) throw DiskFull(path + ": the file could not be written before; what was flushed is kept");
    hsize_t size = 0;
    h5::check(H5Fget_filesize(file.id(), &size), "size");
    std::uint64_t needed = metadata_room;
    each_column([&](Column& c) { needed += c.space_needed(); });
    room->reserve(std::uint64_t(size) + needed, path);
    try {
        each_column([](Column& c) { c.write(); });
        h5::check(H5Fflush(file.id(), H5F_SCOPE_LOCAL), "flush");
        const std::int64_t whole = frames;
        h5::check(H5Dwrite(count_dataset.id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &whole), "count");
        h5::check(H5Dflush(count_dataset.id()), "count");
    } catch (const h5::Error& e) {
        broken = true;  // the library's own buffers are in doubt: the file stays as the last good flush left it
        throw DiskFull(path + ": could not be written (" + e.what() + "), " +
                       size_text(free_bytes(fs::path(path).parent_path().string())) + " are free; what was flushed is kept");
    }
    dirty = false;
}

// Outside of `forced` a full disk is only remembered, for the next append to report.
void RecordingWriter::Impl::flush_locked(bool forced) {
    if (!dirty && disk_full.empty()) return;
    try {
        write_pending();
        disk_full.clear();
    } catch (const std::exception& e) {
        disk_full = e.what();
        if (forced) throw DiskFull(disk_full);
    }
}

void RecordingWriter::Impl::flush_loop(const std::stop_token& stop) {
    h5::prepare_library();  // errors are silenced per thread
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
        wake.wait_for(lock, stop, flush_interval, [] { return false; });
        if (!closed && dirty && disk_full.empty()) flush_locked(false);
    }
}

void RecordingWriter::Impl::close_locked() {
    if (closed) return;
    std::string failure;
    try {
        flush_locked(true);
    } catch (const DiskFull& e) {
        failure = e.what();
    }
    closed = true;
    // Closing writes little: it was reserved with the last flush.
    each_column([](Column& c) { c.close(); });
    bool well = count_dataset.close();
    well = file.close() && well;
    room->release();
    room.reset();
    if (failure.empty() && !well) failure = path + ": could not be closed; what was flushed is kept";
    if (!failure.empty()) throw DiskFull(failure);
}

RecordingWriter::RecordingWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

RecordingWriter::RecordingWriter(const std::string& path, const Simulation& simulation, int threads)
    : impl_(std::make_unique<Impl>()) {
    impl_->create(path, info_of(simulation, threads));
    try {
        impl_->push(*simulation.frame(), simulation.controller());
        impl_->flush_locked(true);
    } catch (const DiskFull& e) {
        throw InputError(std::string(e.what()));
    }
    impl_->publish();
}

RecordingWriter RecordingWriter::reopen(const std::string& path, int last_frame) {
    const RecordingReader old(path);
    if (last_frame < 0 || last_frame >= old.frame_count())
        throw InputError(path, 0,
                         "has frames 0 to " + std::to_string(old.frame_count() - 1) + ", not " + std::to_string(last_frame));
    auto impl = std::make_unique<Impl>();
    impl->create(path, old.info());
    try {
        std::string last_controller;
        for (int i = 0; i <= last_frame; ++i) {
            const FramePtr frame = old.frame(i);
            const std::string& state = frame->controller;
            impl->push(*frame, state == last_controller ? std::string() : state);
            last_controller = state;
            if ((i & 63) == 63) impl->flush_locked(true);
        }
        for (const Simulation::LoggedCommand& logged : old.commands())
            if (logged.step <= old.step(last_frame)) impl->commands->push(logged.step, logged.command.to_json());
        impl->dirty = true;
        impl->flush_locked(true);
    } catch (const DiskFull& e) {
        throw InputError(std::string(e.what()));
    }
    impl->publish();
    return RecordingWriter(std::move(impl));
}

RecordingWriter::~RecordingWriter() {
    if (!impl_) return;
    try {
        const std::scoped_lock lock(impl_->mutex);
        if (impl_->temporary.empty()) impl_->close_locked();
    } catch (const std::exception&) {
    }
}
RecordingWriter::RecordingWriter(RecordingWriter&&) noexcept = default;
RecordingWriter& RecordingWriter::operator=(RecordingWriter&& other) noexcept {
    std::swap(impl_, other.impl_);
    return *this;
}

void RecordingWriter::append(const Frame& frame) {
    Impl& m = *impl_;
    const std::scoped_lock lock(m.mutex);
    if (m.closed) throw std::logic_error("the recording is closed");
    if (!m.any_frame || frame.step > m.last_step) m.push(frame, frame.controller);
    if (!m.disk_full.empty() || m.film->pending_bytes() > most_pending) m.flush_locked(true);
}

void RecordingWriter::append_command(int step, const Command& command) {
    const std::scoped_lock lock(impl_->mutex);
    if (impl_->closed) throw std::logic_error("the recording is closed");
    impl_->commands->push(step, command.to_json());
    impl_->dirty = true;
}

void RecordingWriter::set_verdict(const std::string& json) {
    const std::scoped_lock lock(impl_->mutex);
    if (impl_->closed) throw std::logic_error("the recording is closed");
    impl_->verdict->push(impl_->last_step, json);
    impl_->dirty = true;
    impl_->flush_locked(true);
}

void RecordingWriter::flush() {
    const std::scoped_lock lock(impl_->mutex);
    if (!impl_->closed) impl_->flush_locked(true);
}

void RecordingWriter::close() {
    const std::scoped_lock lock(impl_->mutex);
    impl_->close_locked();
}

const std::string& RecordingWriter::path() const { return impl_->path; }
int RecordingWriter::frame_count() const { return impl_->frames; }

}  // namespace plica
