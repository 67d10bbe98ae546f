// HDF5 with handles that close themselves and errors that are exceptions with HDF5's own innermost reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <hdf5.h>

namespace plica::h5 {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// No messages on stderr, no clean-up at exit (a file on a full disk would make it loop). Called by all that open files.
void prepare_library();
// Throws Error with "what: reason" and clears HDF5's error stack.
[[noreturn]] void fail(const std::string& what);
inline void check(herr_t status, const char* what) {
    if (status < 0) fail(what);
}

class Handle {
public:
    using Closer = herr_t (*)(hid_t);
    Handle() = default;
    // Throws Error if id is invalid.
    Handle(hid_t id, Closer closer, const std::string& what) : id_(id), close_(closer) {
        if (id_ < 0) fail(what);
    }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    hid_t id() const { return id_; }
    explicit operator bool() const { return id_ >= 0; }
    // Closes now and tells whether that went well.
    bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

private:
    hid_t id_ = -1;
    Closer close_ = nullptr;
};

// Element types of our datasets; in the file always little-endian.
enum class Type { F32, F64, I32, I64, U32, U8 };
hid_t memory_type(Type type);
hid_t file_type(Type type);
std::size_t byte_size(Type type);

bool exists(hid_t location, const std::string& path);  // all links of a path of groups down to a dataset
std::vector<hsize_t> shape(hid_t dataset);

void write_attribute(hid_t object, const std::string& name, const std::string& text);  // fixed-length UTF-8
void write_attribute(hid_t object, const std::string& name, double value);
void write_attribute(hid_t object, const std::string& name, int value);
bool has_attribute(hid_t object, const std::string& name);
std::string read_text_attribute(hid_t object, const std::string& name, const std::string& otherwise);
double read_number_attribute(hid_t object, const std::string& name, double otherwise);

// A whole dataset of fixed shape.
void write_array(hid_t location, const std::string& path, Type type, const std::vector<hsize_t>& dims, const void* data);
void write_text(hid_t location, const std::string& path, const std::string& text);
void write_texts(hid_t location, const std::string& path, const std::vector<std::string>& texts);
std::string read_text(hid_t location, const std::string& path);
std::vector<std::string> read_texts(hid_t location, const std::string& path);

}  // namespace plica::h5
