#include "engine/recording/column.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace plica {
namespace {

// A chunk is what is read to show one frame and what is written again at each flush: small, but not below a page.
constexpr std::size_t chunk_bytes = 64 * 1024;
constexpr std::size_t longest_chunk = 512;  // rows; 4 kB of doubles

std::size_t product(const std::vector<hsize_t>& dims) {
    std::size_t n = 1;
    for (const hsize_t d : dims) n *= std::size_t(d);
    return n;
}

std::vector<hsize_t> with_rows(hsize_t rows, const std::vector<hsize_t>& row) {
    std::vector<hsize_t> dims{rows};
    dims.insert(dims.end(), row.begin(), row.end());
    return dims;
}

// Selects rows first … first + count - 1 of a dataset of the given row shape.
h5::Handle selection(hid_t dataset, std::size_t first, const std::vector<hsize_t>& count) {
    h5::Handle space(H5Dget_space(dataset), H5Sclose, "selection");
    std::vector<hsize_t> start(count.size(), 0);
    start[0] = first;
    h5::check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), "selection");
    return space;
}

}  // namespace

Column::Column(hid_t file, ColumnSpec spec)
    : spec_(std::move(spec)), row_bytes_(product(spec_.row) * h5::byte_size(spec_.type)) {
    const std::size_t longest = spec_.type == h5::Type::U8 ? chunk_bytes / 4 : longest_chunk;
    chunk_rows_ = std::clamp(chunk_bytes / std::max<std::size_t>(row_bytes_, 1), std::size_t(1), longest);

    // HDF5 wants chunks and limits of at least one; a row without elements (no spheres) keeps its shape (T, 0, 3).
    std::vector<hsize_t> dims = with_rows(0, spec_.row), limit = with_rows(H5S_UNLIMITED, spec_.row);
    std::vector<hsize_t> chunk = with_rows(chunk_rows_, spec_.row);
    for (std::size_t i = 1; i < dims.size(); ++i)
        limit[i] = std::max<hsize_t>(limit[i], 1), chunk[i] = std::max<hsize_t>(chunk[i], 1);

    const h5::Handle space(H5Screate_simple(int(dims.size()), dims.data(), limit.data()), H5Sclose, spec_.path);
    const h5::Handle create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, spec_.path);
    h5::check(H5Pset_chunk(create.id(), int(chunk.size()), chunk.data()), "chunks");
    const h5::Handle link(H5Pcreate(H5P_LINK_CREATE), H5Pclose, spec_.path);
    h5::check(H5Pset_create_intermediate_group(link.id(), 1), "groups");
    dataset_ = h5::Handle(
        H5Dcreate2(file, spec_.path.c_str(), h5::file_type(spec_.type), space.id(), link.id(), create.id(), H5P_DEFAULT),
        H5Dclose, spec_.path);
    if (!spec_.unit.empty()) h5::write_attribute(dataset_.id(), "unit", spec_.unit);
}

std::size_t Column::space_needed() const {
    const std::size_t chunk = std::max(chunk_rows_ * row_bytes_, std::size_t(1));
    return pending_.empty() ? 0 : (pending_.size() / chunk + 2) * chunk + 1024;
}

void Column::push(const void* rows, std::size_t count) {
    if (row_bytes_ == 0) {
        empty_rows_ += count;
        return;
    }
    const auto* bytes = static_cast<const std::byte*>(rows);
    pending_.insert(pending_.end(), bytes, bytes + count * row_bytes_);
}

void Column::write() {
    const std::size_t count = pending_rows();
    if (count == 0) return;
    const std::vector<hsize_t> grown = with_rows(written_ + count, spec_.row);
    h5::check(H5Dset_extent(dataset_.id(), grown.data()), spec_.path.c_str());
    if (row_bytes_ > 0) {
        const std::vector<hsize_t> block = with_rows(count, spec_.row);
        const h5::Handle memory(H5Screate_simple(int(block.size()), block.data(), nullptr), H5Sclose, spec_.path);
        const h5::Handle target = selection(dataset_.id(), std::size_t(written_), block);
        h5::check(H5Dwrite(dataset_.id(), h5::memory_type(spec_.type), memory.id(), target.id(), H5P_DEFAULT, pending_.data()),
                  spec_.path.c_str());
    }
    written_ += count;
    pending_.clear();
    empty_rows_ = 0;
}

ColumnReader::ColumnReader(hid_t file, ColumnSpec spec) : spec_(std::move(spec)) {
    const std::string name = "/" + spec_.path;
    if (!h5::exists(file, spec_.path)) throw h5::Error(name + " is missing");
    dataset_ = h5::Handle(H5Dopen2(file, spec_.path.c_str(), H5P_DEFAULT), H5Dclose, name);
    const std::vector<hsize_t> dims = h5::shape(dataset_.id());
    bool fits = dims.size() == spec_.row.size() + 1;
    for (std::size_t i = 0; fits && i < spec_.row.size(); ++i) {
        fits = spec_.row[i] == 0 || dims[i + 1] == spec_.row[i];
        spec_.row[i] = dims[i + 1];
    }
    if (!fits) throw h5::Error(name + " has another shape than it should have");
    const h5::Handle type(H5Dget_type(dataset_.id()), H5Tclose, name);
    const bool real = spec_.type == h5::Type::F32 || spec_.type == h5::Type::F64;
    if (H5Tget_class(type.id()) != (real ? H5T_FLOAT : H5T_INTEGER) || H5Tget_size(type.id()) != h5::byte_size(spec_.type))
        throw h5::Error(name + " holds another kind of number than it should");
    constexpr hsize_t most = hsize_t(1) << 32;  // elements of a row or rows: more is not a recording but damage
    for (const hsize_t n : dims)
        if (n > most) throw h5::Error(name + " has an impossible size");
    rows_ = std::size_t(dims[0]);
    row_bytes_ = product(spec_.row) * h5::byte_size(spec_.type);
}

void ColumnReader::read(std::size_t first, std::size_t count, void* out) const {
    assert(first + count <= rows_);
    if (count == 0 || row_bytes_ == 0) return;
    const std::vector<hsize_t> block = with_rows(count, spec_.row);
    const h5::Handle memory(H5Screate_simple(int(block.size()), block.data(), nullptr), H5Sclose, spec_.path);
    const h5::Handle source = selection(dataset_.id(), first, block);
    h5::check(H5Dread(dataset_.id(), h5::memory_type(spec_.type), memory.id(), source.id(), H5P_DEFAULT, out),
              spec_.path.c_str());
}

std::size_t ColumnReader::readable(std::size_t count) const {
    std::vector<std::byte> buffer;
    const auto reads = [&](std::size_t first, std::size_t n) {
        buffer.resize(n * row_bytes_);
        try {
            read(first, n, buffer.data());
            return true;
        } catch (const h5::Error&) {
            return false;
        }
    };
    if (row_bytes_ == 0 || reads(0, count)) return count;
    // `good` rows read, `bad` do not.
    std::size_t good = 0, bad = count;
    while (bad - good > 1) {
        const std::size_t middle = good + (bad - good) / 2;
        (reads(good, middle - good) ? good : bad) = middle;
    }
    return good;
}

}  // namespace plica
