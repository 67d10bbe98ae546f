// Reading: everything but positions is in memory after opening; a frame is then four small reads and a checksum.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

#include "engine/core/checksum.h"
#include "engine/core/error.h"
#include "engine/recording/column.h"
#include "engine/recording/disk_room.h"
#include "engine/recording/format.h"
#include "engine/recording/recording.h"

namespace plica {
namespace {

namespace fs = std::filesystem;

constexpr std::array<unsigned char, 8> hdf5_signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

// What the first bytes tell before HDF5 sees them.
struct FileHead {
    std::uint64_t size = 0;        // B
    std::uint64_t stored_end = 0;  // B, end as HDF5 last noted it; 0 unknown
    bool open_for_write = false;   // was not closed
};

FileHead look_at(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) throw InputError(path, 0, "does not exist");
    if (fs::is_directory(status)) throw InputError(path, 0, "is a folder, not a recording");
    if (!fs::is_regular_file(status)) throw InputError(path, 0, "is not an ordinary file");
    std::ifstream in(path, std::ios::binary);
    if (!in) throw InputError(path, 0, "cannot be opened for reading");
    std::array<unsigned char, 48> bytes{};
    in.read(reinterpret_cast<char*>(bytes.data()), std::streamsize(bytes.size()));
    const std::size_t found = std::size_t(in.gcount());
    FileHead head;
    head.size = fs::file_size(path, error);
    if (found == 0) throw InputError(path, 0, "is empty (0 bytes), not a recording");
    if (found < hdf5_signature.size() || !std::equal(hdf5_signature.begin(), hdf5_signature.end(), bytes.begin())) {
        const auto begin = bytes.begin(), end = begin + std::ptrdiff_t(std::min<std::size_t>(found, 16));
        if (std::all_of(begin, end, [](unsigned char c) { return c == 0; }))
            throw InputError(path, 0, "is damaged: its first bytes are zero, the HDF5 signature is missing");
        const bool text =
            std::all_of(begin, end, [](unsigned char c) { return c >= 32 || c == '\n' || c == '\r' || c == '\t'; });
        throw InputError(path, 0,
                         std::string("is not a recording: ") + (text ? "it is text, " : "") + "the HDF5 signature is missing");
    }
    // Superblock version 3, as our writer makes it: end of file at byte 28, consistency flags at byte 11.
    if (found == bytes.size() && bytes[8] == 3 && bytes[9] == 8) {
        for (int i = 7; i >= 0; --i) head.stored_end = head.stored_end << 8 | bytes[std::size_t(28 + i)];
        head.open_for_write = (bytes[11] & 1) != 0;
    }
    return head;
}

template <class T>
std::vector<T> read_array(hid_t file, const std::string& path, h5::Type type, std::size_t per_row, std::uint64_t file_size) {
    static_assert(std::is_trivially_copyable_v<T>);
    ColumnSpec spec{path, type, {}, ""};
    if (per_row > 1) spec.row = {per_row};
    const ColumnReader reader(file, spec);
    if (reader.rows() * reader.row_bytes() > file_size) throw h5::Error("/" + path + " is longer than the file");
    std::vector<T> values(reader.rows() * (per_row * h5::byte_size(type)) / sizeof(T));
    reader.read(0, reader.rows(), values.data());
    return values;
}

void check_indices(const std::vector<Int3>& triangles, std::size_t count, const char* path) {
    for (std::size_t i = 0; i < triangles.size(); ++i)
        for (int corner = 0; corner < 3; ++corner)
            if (triangles[i][corner] < 0 || std::size_t(triangles[i][corner]) >= count)
                throw h5::Error(std::string(path) + ": triangle " + std::to_string(i) + " has corner " +
                                std::to_string(triangles[i][corner]) + " of " + std::to_string(count) + " vertices");
}

// A stream with its entries cut apart; what lies beyond the first nonsense is left out.
struct Entries {
    std::vector<int> step;
    std::vector<std::string> text;
};
Entries read_stream(hid_t file, const std::string& name, std::uint64_t file_size) {
    const ColumnReader text(file, column::stream_text(name)), end(file, column::stream_end(name)),
        step(file, column::stream_step(name));
    const std::size_t count = std::min(end.readable(std::min<std::size_t>(end.rows(), file_size / 8)),
                                       step.readable(std::min<std::size_t>(step.rows(), file_size / 4)));
    const std::size_t bytes = text.readable(std::min<std::size_t>(text.rows(), file_size));
    std::vector<std::int64_t> ends(count);
    std::vector<std::int32_t> steps(count);
    std::string all(bytes, '\0');
    end.read(0, count, ends.data());
    step.read(0, count, steps.data());
    text.read(0, bytes, all.data());
    Entries entries;
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (ends[i] < begin || ends[i] > std::int64_t(bytes)) break;
        entries.step.push_back(steps[i]);
        entries.text.push_back(all.substr(std::size_t(begin), std::size_t(ends[i] - begin)));
        begin = ends[i];
    }
    return entries;
}

struct Field {
    const StepField* field;
    std::vector<double> values;
};

}  // namespace

struct RecordingReader::Impl {
    std::string path, note;
    RecordingInfo info;
    FileHead head;
    bool being_written = false;
    h5::Handle file;
    std::optional<ColumnReader> film, film_velocity, spheres, sphere_velocity;
    int frames = 0;
    std::vector<double> times;
    std::vector<std::int32_t> steps;
    std::vector<std::uint32_t> checksums;
    std::vector<std::vector<double>> gauges;
    std::vector<Field> fields;
    std::vector<Vec3> body_reaction, support_force;
    std::vector<IterationRecord> history;
    std::vector<std::int64_t> history_end;
    Entries commands, controller, verdict;

    void open();
    void read_info();
    void read_frames();
    void read_scalars(std::size_t count);
    std::size_t drop_unreadable_frames(std::size_t count) const;
    void say(const std::string& text) { note += (note.empty() ? "" : "; ") + text; }
    template <class T>
    std::vector<T> rows(const ColumnSpec& spec, std::size_t& count) const;
    std::shared_ptr<Frame> scalar_frame(int index) const;
    std::string fill_state(int index, State& state) const;  // "" or what is damaged
};

void RecordingReader::Impl::open() {
    h5::prepare_library();
    head = look_at(path);
    being_written = DiskRoom::is_being_written(path);
    const h5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "access");
    h5::check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), "access");
    h5::check(H5Pset_file_locking(access.id(), 1, 1), "access");
    // A reader beside a writer tries again where a checksum does not fit, waiting longer each time. Where nobody writes, it
    // never will.
    h5::check(H5Pset_metadata_read_attempts(access.id(), being_written ? 30 : 2), "access");
    // As a reader beside a writer: also opens what was never closed and what was cut.
    hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.id());
    if (id < 0) {
        H5Eclear2(H5E_DEFAULT);
        id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id());  // files of other programs in older formats
    }
    file = h5::Handle(id, H5Fclose, "cannot be opened");
}

void RecordingReader::Impl::read_info() {
    const hid_t f = file.id();
    if (!h5::exists(f, "frames/film") || !h5::has_attribute(f, "version"))
        throw h5::Error("is an HDF5 file, but not a Plica recording: " +
                        std::string(h5::exists(f, "frames/film") ? "the attribute version" : "/frames/film") + " is missing");
    info.version = int(h5::read_number_attribute(f, "version", 0));
    if (info.version < 1 || info.version > recording_version)
        throw h5::Error("is a recording of version " + std::to_string(info.version) + "; this program reads 1 to " +
                        std::to_string(recording_version) + ", a newer one is needed");
    info.program_version = h5::read_text_attribute(f, "program_version", "");
    info.backend = h5::read_text_attribute(f, "backend", "cpu");
    info.threads = int(h5::read_number_attribute(f, "threads", 1));
    info.scene_name = h5::read_text_attribute(f, "scene_name", "");
    info.scene_path = h5::read_text_attribute(f, "scene_path", "");
    info.created = h5::read_text_attribute(f, "created", "");
    info.scene_text = h5::read_text(f, "scene");
    info.triangles = read_array<Int3>(f, "topology/triangles", h5::Type::I32, 3, head.size);
    info.obstacle_positions = read_array<Vec3f>(f, "topology/obstacles", h5::Type::F32, 3, head.size);
    info.obstacle_triangles = read_array<Int3>(f, "topology/obstacle_triangles", h5::Type::I32, 3, head.size);
    info.sphere_radius = read_array<double>(f, "topology/sphere_radius", h5::Type::F64, 1, head.size);
    info.body_names = h5::read_texts(f, "topology/body_names");

    film.emplace(f, column::film(0));
    film_velocity.emplace(f, column::film_velocity(0));
    spheres.emplace(f, column::spheres(0));
    sphere_velocity.emplace(f, column::sphere_velocity(0));
    info.film_vertex_count = int(film->spec().row[0]);
    info.sphere_count = int(spheres->spec().row[0]);
    if (film_velocity->spec().row != film->spec().row || sphere_velocity->spec().row != spheres->spec().row ||
        info.sphere_radius.size() != std::size_t(info.sphere_count))
        throw h5::Error("is damaged: positions, velocities and radii do not fit each other");
    if (film->row_bytes() > head.size || spheres->row_bytes() > head.size)
        throw h5::Error("is damaged: a frame is longer than the file");
    check_indices(info.triangles, std::size_t(info.film_vertex_count), "/topology/triangles");
    check_indices(info.obstacle_triangles, info.obstacle_positions.size(), "/topology/obstacle_triangles");
    for (const double r : info.sphere_radius)
        if (!(std::isfinite(r) && r > 0)) throw h5::Error("is damaged: a sphere has no radius");

    // Gauges in the order in which they were made.
    std::vector<std::pair<int, GaugeSpec>> specs;
    if (h5::exists(f, "gauges")) {
        const h5::Handle group(H5Gopen2(f, "gauges", H5P_DEFAULT), H5Gclose, "/gauges");
        H5G_info_t members{};
        h5::check(H5Gget_info(group.id(), &members), "/gauges");
        for (hsize_t i = 0; i < std::min<hsize_t>(members.nlinks, 10000); ++i) {
            std::array<char, 256> name{};
            if (H5Lget_name_by_idx(group.id(), ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size() - 1, H5P_DEFAULT) <
                0)
                h5::fail("/gauges");
            const h5::Handle d(H5Dopen2(group.id(), name.data(), H5P_DEFAULT), H5Dclose, std::string("/gauges/") + name.data());
            GaugeSpec spec;
            spec.name = name.data();
            spec.unit = h5::read_text_attribute(d.id(), "unit", "");
            spec.label = h5::read_text_attribute(d.id(), "label", spec.name);
            spec.show_unit = h5::read_text_attribute(d.id(), "show_unit", spec.unit);
            spec.show_scale = h5::read_number_attribute(d.id(), "show_scale", 1);
            spec.log_plot = h5::read_number_attribute(d.id(), "log_plot", 0) != 0;
            spec.lower_limit = h5::read_number_attribute(d.id(), "lower_limit", spec.lower_limit);
            spec.upper_limit = h5::read_number_attribute(d.id(), "upper_limit", spec.upper_limit);
            specs.emplace_back(int(h5::read_number_attribute(d.id(), "order", double(i))), std::move(spec));
        }
    }
    std::stable_sort(specs.begin(), specs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [order, spec] : specs) info.gauges.push_back(std::move(spec));
}

// A column's first rows; `count` shrinks to what can be read.
template <class T>
std::vector<T> RecordingReader::Impl::rows(const ColumnSpec& spec, std::size_t& count) const {
    const ColumnReader reader(file.id(), spec);
    count = std::min(count, reader.rows());
    if (reader.row_bytes() > 0) count = std::min<std::size_t>(count, std::size_t(head.size) / reader.row_bytes());
    count = reader.readable(count);
    std::vector<T> values(count * reader.row_bytes() / sizeof(T));
    reader.read(0, count, values.data());
    return values;
}

void RecordingReader::Impl::read_scalars(std::size_t count) {
    const auto spread = [&](const ColumnSpec& spec, std::size_t& n) {
        if (spec.type != h5::Type::I32) return rows<double>(spec, n);
        const std::vector<std::int32_t> whole = rows<std::int32_t>(spec, n);
        return std::vector<double>(whole.begin(), whole.end());
    };
    // A missing column of a damaged file would only shorten what follows: shorten all to the same length at the end.
    times = rows<double>(column::time(), count);
    steps = rows<std::int32_t>(column::step(), count);
    checksums = rows<std::uint32_t>(column::checksum(), count);
    for (const GaugeSpec& spec : info.gauges) gauges.push_back(spread(column::gauge(spec.name, ""), count));
    for (const StepField& field : step_fields()) {
        if (!h5::exists(file.id(), "steps/" + field.name)) continue;  // recordings of older programs
        fields.push_back({&field, spread(column::step_field(field), count)});
    }
    body_reaction = rows<Vec3>(column::body_reaction(info.body_names.size()), count);
    const ColumnReader support(file.id(), column::support_force(0));
    info.support_groups = int(support.spec().row[0]);
    support_force = rows<Vec3>(support.spec(), count);
    history_end = rows<std::int64_t>(column::history_end(), count);
    std::size_t history_rows = std::numeric_limits<std::size_t>::max();
    history = rows<IterationRecord>(column::history(), history_rows);
    count = drop_unreadable_frames(count);

    // Whole frames with sensible, rising times only.
    for (std::size_t i = 0; i < count; ++i) {
        const bool good = std::isfinite(times[i]) && (i == 0 || (times[i] > times[i - 1] && steps[i] == steps[i - 1] + 1)) &&
                          steps[i] >= 0 && history_end[i] >= (i == 0 ? 0 : history_end[i - 1]) &&
                          std::size_t(history_end[i]) <= history_rows;
        if (!good) count = i;
    }
    frames = int(count);
    times.resize(count);
    steps.resize(count);
    for (auto& values : gauges) values.resize(count);
    for (Field& field : fields) field.values.resize(count);
}

// Cut files: frames at the end whose bytes are gone.
std::size_t RecordingReader::Impl::drop_unreadable_frames(std::size_t count) const {
    State state;
    while (count > 0 && !fill_state(int(count) - 1, state).empty()) --count;
    return count;
}

void RecordingReader::Impl::read_frames() {
    std::size_t expected =
        std::min(std::min(film->rows(), film_velocity->rows()), std::min(spheres->rows(), sphere_velocity->rows()));
    const std::vector<std::int64_t> marked = read_array<std::int64_t>(file.id(), frame_count_path, h5::Type::I64, 1, head.size);
    if (marked.size() != 1 || marked[0] < 0) throw h5::Error(std::string("is damaged: /") + frame_count_path);
    expected = std::min<std::size_t>(expected, std::size_t(marked[0]));
    if (film->row_bytes() > 0) expected = std::min<std::size_t>(expected, std::size_t(head.size) / film->row_bytes() + 1);
    read_scalars(expected);
    if (being_written)
        say("is being written: frames up to " + std::to_string(frames - 1) + " are shown");
    else if (head.open_for_write)
        say("was not closed (the program was killed or the disk was full): " + std::to_string(frames) +
            " whole frames are left");
    if (head.stored_end > head.size && !head.open_for_write)
        say("is cut: " + std::to_string(head.stored_end - head.size) + " bytes are missing at its end");
    if (std::size_t(frames) < expected)
        say("of " + std::to_string(expected) + " frames the first " + std::to_string(frames) + " can be read");
    if (frames == 0) throw h5::Error("is a recording, but no whole frame can be read");
}

std::string RecordingReader::Impl::fill_state(int index, State& state) const {
    const std::size_t n = std::size_t(info.film_vertex_count), m = std::size_t(info.sphere_count),
                      o = info.obstacle_positions.size();
    state.x.resize(n + m + o);
    state.v.assign(n + m + o, {});
    try {
        film->read(std::size_t(index), 1, state.x.data());
        film_velocity->read(std::size_t(index), 1, state.v.data());
        spheres->read(std::size_t(index), 1, state.x.data() + n);
        sphere_velocity->read(std::size_t(index), 1, state.v.data() + n);
    } catch (const h5::Error& e) {
        return e.what();
    }
    std::uint32_t crc = crc32(state.x.data(), n * sizeof(Vec3f));
    crc = crc32(state.v.data(), n * sizeof(Vec3f), crc);
    crc = crc32(state.x.data() + n, m * sizeof(Vec3f), crc);
    crc = crc32(state.v.data() + n, m * sizeof(Vec3f), crc);
    if (crc != checksums[std::size_t(index)]) return "positions do not agree with their checksum";
    for (std::size_t i = 0; i < n + m; ++i)
        if (!std::isfinite(state.x[i].x + state.x[i].y + state.x[i].z) ||
            !std::isfinite(state.v[i].x + state.v[i].y + state.v[i].z))
            return "vertex " + std::to_string(i) + " is not finite";
    std::copy(info.obstacle_positions.begin(), info.obstacle_positions.end(), state.x.begin() + std::ptrdiff_t(n + m));
    return {};
}

std::shared_ptr<Frame> RecordingReader::Impl::scalar_frame(int index) const {
    const std::size_t i = std::size_t(index);
    auto frame = std::make_shared<Frame>();
    frame->step = steps[i];
    frame->time = times[i];
    for (const auto& values : gauges) frame->gauges.push_back(values[i]);
    for (const Field& field : fields) field.field->set(frame->report, field.values[i]);
    const auto part = [&](const std::vector<Vec3>& all, std::size_t per_row) {
        return std::vector<Vec3>(all.begin() + std::ptrdiff_t(i * per_row), all.begin() + std::ptrdiff_t((i + 1) * per_row));
    };
    frame->report.body_reaction = part(body_reaction, info.body_names.size());
    frame->report.support_force = part(support_force, std::size_t(info.support_groups));
    const std::int64_t begin = i == 0 ? 0 : history_end[i - 1];
    frame->report.history.assign(history.begin() + begin, history.begin() + history_end[i]);
    const auto last = std::upper_bound(controller.step.begin(), controller.step.end(), frame->step);
    if (last != controller.step.begin()) frame->controller = controller.text[std::size_t(last - controller.step.begin() - 1)];
    return frame;
}

RecordingReader::RecordingReader(const std::string& path) : impl_(std::make_unique<Impl>()) {
    impl_->path = path;
    try {
        impl_->open();
        impl_->read_info();
        impl_->read_frames();
        impl_->commands = read_stream(impl_->file.id(), "commands", impl_->head.size);
        impl_->controller = read_stream(impl_->file.id(), "controller", impl_->head.size);
        impl_->verdict = read_stream(impl_->file.id(), "verdict", impl_->head.size);
        if (!std::is_sorted(impl_->controller.step.begin(), impl_->controller.step.end()))
            throw h5::Error("is damaged: /controller is out of order");
    } catch (const h5::Error& e) {
        std::string reason = e.what();
        const FileHead& head = impl_->head;
        if (head.stored_end > head.size && !head.open_for_write)
            reason += " (the file is cut: " + std::to_string(head.stored_end - head.size) + " bytes are missing at its end)";
        throw InputError(path, 0, reason);
    }
}
RecordingReader::~RecordingReader() = default;
RecordingReader::RecordingReader(RecordingReader&&) noexcept = default;
RecordingReader& RecordingReader::operator=(RecordingReader&&) noexcept = default;

const RecordingInfo& RecordingReader::info() const { return impl_->info; }
const std::string& RecordingReader::path() const { return impl_->path; }
const std::string& RecordingReader::note() const { return impl_->note; }
bool RecordingReader::being_written() const { return impl_->being_written; }
int RecordingReader::frame_count() const { return impl_->frames; }
double RecordingReader::time(int frame) const { return impl_->times.at(std::size_t(frame)); }
int RecordingReader::step(int frame) const { return impl_->steps.at(std::size_t(frame)); }

FramePtr RecordingReader::scalars(int frame) const { return impl_->scalar_frame(frame); }

FramePtr RecordingReader::frame(int index) const {
    if (index < 0 || index >= impl_->frames)
        throw InputError(impl_->path, 0,
                         "has frames 0 to " + std::to_string(impl_->frames - 1) + ", not " + std::to_string(index));
    h5::prepare_library();
    std::shared_ptr<Frame> frame = impl_->scalar_frame(index);
    const std::string damage = impl_->fill_state(index, frame->state);
    if (!damage.empty()) throw InputError(impl_->path, 0, "frame " + std::to_string(index) + " is damaged: " + damage);
    return frame;
}

std::vector<double> RecordingReader::gauge(const std::string& name) const {
    for (std::size_t g = 0; g < impl_->info.gauges.size(); ++g)
        if (impl_->info.gauges[g].name == name) return impl_->gauges[g];
    return {};
}

std::vector<double> RecordingReader::step_field(const std::string& name) const {
    for (const Field& field : impl_->fields)
        if (field.field->name == name) return field.values;
    return {};
}

std::vector<Simulation::LoggedCommand> RecordingReader::commands() const {
    std::vector<Simulation::LoggedCommand> list;
    for (std::size_t i = 0; i < impl_->commands.text.size(); ++i)
        list.push_back({impl_->commands.step[i], Command::from_json(impl_->commands.text[i])});
    return list;
}

std::string RecordingReader::controller(int frame) const { return impl_->scalar_frame(frame)->controller; }

std::string RecordingReader::verdict() const {
    return impl_->verdict.text.empty() ? std::string() : impl_->verdict.text.back();
}

int nearest_frame(const RecordingReader& recording, double time) {
    int low = 0, high = recording.frame_count() - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (recording.time(middle) <= time ? low : high) = middle;
    }
    return time - recording.time(low) <= recording.time(high) - time ? low : high;
}

std::string hdf5_version() {
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

}  // namespace plica
