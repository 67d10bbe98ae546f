// NumPy's .npz: a zip archive of stored (uncompressed) .npy files, with zip64 fields throughout, so of any size.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace plica {

class NpzWriter {
public:
    explicit NpzWriter(std::ostream& out) : out_(out) {}

    // One array in C order. `type` is NumPy's name: "<f4", "<f8", "<i4", "|u1". `write` calls its argument with the bytes, in
    // pieces, that make up shape * type; anything else is a bug.
    using Sink = std::function<void(const void* data, std::size_t size)>;
    void add(const std::string& name, const std::string& type, const std::vector<std::uint64_t>& shape,
             const std::function<void(const Sink&)>& write);
    template <class T>
    void add(const std::string& name, const std::string& type, const std::vector<std::uint64_t>& shape,
             const std::vector<T>& values) {
        add(name, type, shape, [&](const Sink& sink) { sink(values.data(), values.size() * sizeof(T)); });
    }
    // The archive's directory; nothing may follow.
    void finish();

private:
    struct Entry {
        std::string name;
        std::uint64_t offset = 0, size = 0;
        std::uint32_t crc = 0;
    };
    std::ostream& out_;
    std::uint64_t position_ = 0;
    std::vector<Entry> entries_;
};

}  // namespace plica
