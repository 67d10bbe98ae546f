// A dataset that grows by rows: rows gather in memory and go to the file in one write per flush.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/recording/hdf5.h"

namespace plica {

struct ColumnSpec {
    std::string path;  // within the file, without the leading /
    h5::Type type = h5::Type::F64;
    std::vector<hsize_t> row;  // shape of one row; empty: a number
    std::string unit;          // attribute, "" for none
};

class Column {
public:
    // Creates the dataset, empty and growing along the first axis.
    Column(hid_t file, ColumnSpec spec);

    const ColumnSpec& spec() const { return spec_; }
    std::size_t row_bytes() const { return row_bytes_; }
    std::size_t rows() const { return std::size_t(written_) + pending_rows(); }
    std::size_t pending_rows() const { return row_bytes_ == 0 ? empty_rows_ : pending_.size() / row_bytes_; }
    std::size_t pending_bytes() const { return pending_.size(); }
    // Upper bound of the file space that writing the pending rows can take.
    std::size_t space_needed() const;

    void push(const void* rows, std::size_t count = 1);
    template <class T>
    void push_value(T value) {
        push(&value);
    }
    // Writes the pending rows. Throws h5::Error; they then stay pending.
    void write();
    hid_t dataset() const { return dataset_.id(); }
    void close() { dataset_.close(); }

private:
    ColumnSpec spec_;
    h5::Handle dataset_;
    std::size_t row_bytes_ = 0;
    std::size_t chunk_rows_ = 1;
    hsize_t written_ = 0;
    std::size_t empty_rows_ = 0;  // pending rows of a column whose rows have no bytes (no spheres)
    std::vector<std::byte> pending_;
};

// The same dataset for reading.
class ColumnReader {
public:
    // Throws h5::Error if it is missing or has another shape (row dimensions given as 0 may be anything) or kind of number.
    ColumnReader(hid_t file, ColumnSpec spec);
    const ColumnSpec& spec() const { return spec_; }
    std::size_t rows() const { return rows_; }
    std::size_t row_bytes() const { return row_bytes_; }
    // Rows first … first + count - 1 into `out` (count * row_bytes). Throws h5::Error where the file cannot be read.
    void read(std::size_t first, std::size_t count, void* out) const;
    // The longest readable beginning, at most `count` rows: all of them unless the file was cut.
    std::size_t readable(std::size_t count) const;

private:
    ColumnSpec spec_;
    h5::Handle dataset_;
    std::size_t rows_ = 0;
    std::size_t row_bytes_ = 0;
};

}  // namespace plica
