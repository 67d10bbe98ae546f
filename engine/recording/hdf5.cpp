#include "engine/recording/hdf5.h"

#include <algorithm>
#include <cstring>

namespace plica::h5 {
namespace {

// The walk goes from the outermost call to the innermost: the last one seen is the reason.
herr_t keep_innermost(unsigned, const H5E_error2_t* error, void* out) {
    if (error->desc && *error->desc) *static_cast<std::string*>(out) = error->desc;
    return 0;
}

Handle text_type(std::size_t size) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
    check(H5Tset_size(type.id(), std::max<std::size_t>(size, 1)), "text type");
    check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "text type");
    check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "text type");
    return type;
}

Handle open_dataset(hid_t location, const std::string& path) {
    return {H5Dopen2(location, path.c_str(), H5P_DEFAULT), H5Dclose, "/" + path};
}

// Fixed-length text type of a dataset or attribute; throws if it is something else or absurdly long.
std::size_t text_size(hid_t type, const std::string& what) {
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) throw Error(what + " is not fixed-length text");
    const std::size_t size = H5Tget_size(type);
    if (size > (std::size_t(1) << 30)) throw Error(what + " is too long");
    return size;
}

std::string trimmed(const char* text, std::size_t size) { return std::string(text, strnlen(text, size)); }

}  // namespace

void prepare_library() {
    static const bool once = [] {
        H5dont_atexit();
        H5open();
        return true;
    }();
    (void)once;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // per thread in a thread-safe HDF5
}

void fail(const std::string& what) {
    std::string reason;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_innermost, &reason);
    H5Eclear2(H5E_DEFAULT);
    throw Error(reason.empty() ? what : what + ": " + reason);
}

hid_t memory_type(Type type) {
    switch (type) {
        case Type::F32: return H5T_NATIVE_FLOAT;
        case Type::F64: return H5T_NATIVE_DOUBLE;
        case Type::I32: return H5T_NATIVE_INT32;
        case Type::I64: return H5T_NATIVE_INT64;
        case Type::U32: return H5T_NATIVE_UINT32;
        case Type::U8: return H5T_NATIVE_UINT8;
    }
    return -1;
}

hid_t file_type(Type type) {
    switch (type) {
        case Type::F32: return H5T_IEEE_F32LE;
        case Type::F64: return H5T_IEEE_F64LE;
        case Type::I32: return H5T_STD_I32LE;
        case Type::I64: return H5T_STD_I64LE;
        case Type::U32: return H5T_STD_U32LE;
        case Type::U8: return H5T_STD_U8LE;
    }
    return -1;
}

std::size_t byte_size(Type type) {
    switch (type) {
        case Type::F64:
        case Type::I64: return 8;
        case Type::U8: return 1;
        default: return 4;
    }
}

bool exists(hid_t location, const std::string& path) {
    for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
        const std::string part = path.substr(0, end);
        if (H5Lexists(location, part.c_str(), H5P_DEFAULT) <= 0) {
            H5Eclear2(H5E_DEFAULT);
            return false;
        }
        if (end == std::string::npos) return true;
    }
}

std::vector<hsize_t> shape(hid_t dataset) {
    const Handle space(H5Dget_space(dataset), H5Sclose, "shape");
    const int rank = H5Sget_simple_extent_ndims(space.id());
    if (rank < 0) fail("shape");
    std::vector<hsize_t> dims(std::size_t(rank), 0);
    if (rank > 0) check(H5Sget_simple_extent_dims(space.id(), dims.data(), nullptr), "shape");
    return dims;
}

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
    const Handle type = text_type(text.size());
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose, name);
    const Handle attribute(H5Acreate2(object, name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
    std::string padded = text;
    padded.resize(std::max<std::size_t>(text.size(), 1), '\0');
    check(H5Awrite(attribute.id(), type.id(), padded.data()), name.c_str());
}

namespace {
void write_number(hid_t object, const std::string& name, Type type, const void* value) {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose, name);
    const Handle attribute(H5Acreate2(object, name.c_str(), file_type(type), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                           name);
    check(H5Awrite(attribute.id(), memory_type(type), value), name.c_str());
}
}  // namespace

void write_attribute(hid_t object, const std::string& name, double value) { write_number(object, name, Type::F64, &value); }
void write_attribute(hid_t object, const std::string& name, int value) { write_number(object, name, Type::I32, &value); }

bool has_attribute(hid_t object, const std::string& name) {
    const htri_t there = H5Aexists(object, name.c_str());
    if (there < 0) H5Eclear2(H5E_DEFAULT);
    return there > 0;
}

std::string read_text_attribute(hid_t object, const std::string& name, const std::string& otherwise) {
    if (!has_attribute(object, name)) return otherwise;
    const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, name);
    const Handle type(H5Aget_type(attribute.id()), H5Tclose, name);
    const Handle space(H5Aget_space(attribute.id()), H5Sclose, name);
    if (H5Sget_simple_extent_npoints(space.id()) != 1) throw Error("attribute " + name + " is not a single text");
    std::string text(text_size(type.id(), "attribute " + name), '\0');
    check(H5Aread(attribute.id(), type.id(), text.data()), name.c_str());
    return trimmed(text.data(), text.size());
}

double read_number_attribute(hid_t object, const std::string& name, double otherwise) {
    if (!has_attribute(object, name)) return otherwise;
    const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, name);
    const Handle space(H5Aget_space(attribute.id()), H5Sclose, name);
    if (H5Sget_simple_extent_npoints(space.id()) != 1) throw Error("attribute " + name + " is not a single number");
    double value = otherwise;
    check(H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, &value), name.c_str());
    return value;
}

namespace {
Handle link_with_groups() {
    Handle list(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "link");
    check(H5Pset_create_intermediate_group(list.id(), 1), "link");
    return list;
}
}  // namespace

void write_array(hid_t location, const std::string& path, Type type, const std::vector<hsize_t>& dims, const void* data) {
    const Handle space(H5Screate_simple(int(dims.size()), dims.data(), nullptr), H5Sclose, path);
    const Handle link = link_with_groups();
    const Handle dataset(H5Dcreate2(location, path.c_str(), file_type(type), space.id(), link.id(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose, path);
    for (const hsize_t n : dims)
        if (n == 0) return;
    check(H5Dwrite(dataset.id(), memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data), path.c_str());
}

void write_text(hid_t location, const std::string& path, const std::string& text) {
    const Handle type = text_type(text.size());
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose, path);
    const Handle link = link_with_groups();
    const Handle dataset(H5Dcreate2(location, path.c_str(), type.id(), space.id(), link.id(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose, path);
    std::string padded = text;
    padded.resize(std::max<std::size_t>(text.size(), 1), '\0');
    check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()), path.c_str());
}

void write_texts(hid_t location, const std::string& path, const std::vector<std::string>& texts) {
    std::size_t size = 1;
    for (const std::string& text : texts) size = std::max(size, text.size());
    std::vector<char> bytes(size * texts.size(), '\0');
    for (std::size_t i = 0; i < texts.size(); ++i) std::memcpy(bytes.data() + i * size, texts[i].data(), texts[i].size());
    const Handle type = text_type(size);
    const hsize_t count = texts.size();
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, path);
    const Handle link = link_with_groups();
    const Handle dataset(H5Dcreate2(location, path.c_str(), type.id(), space.id(), link.id(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose, path);
    if (count > 0) check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), path.c_str());
}

std::string read_text(hid_t location, const std::string& path) {
    std::vector<std::string> texts = read_texts(location, path);
    if (texts.size() != 1) throw Error("/" + path + " is not a single text");
    return std::move(texts.front());
}

std::vector<std::string> read_texts(hid_t location, const std::string& path) {
    const Handle dataset = open_dataset(location, path);
    const Handle type(H5Dget_type(dataset.id()), H5Tclose, path);
    const Handle space(H5Dget_space(dataset.id()), H5Sclose, path);
    const std::size_t size = text_size(type.id(), "/" + path);
    const hssize_t count = H5Sget_simple_extent_npoints(space.id());
    if (count < 0 || count > 1'000'000) throw Error("/" + path + " has an impossible length");
    std::vector<char> bytes(size * std::size_t(count));
    if (count > 0) check(H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), path.c_str());
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < std::size_t(count); ++i) texts.push_back(trimmed(bytes.data() + i * size, size));
    return texts;
}

}  // namespace plica::h5
