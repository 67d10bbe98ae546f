#include "app/commands/npz_writer.h"

#include <stdexcept>

#include "engine/core/checksum.h"

namespace plica {
namespace {

// Little-endian fields of a zip record.
class Record {
public:
    Record& u16(std::uint64_t v) { return put(v, 2); }
    Record& u32(std::uint64_t v) { return put(v, 4); }
    Record& u64(std::uint64_t v) { return put(v, 8); }
    Record& text(const std::string& t) {
        bytes_ += t;
        return *this;
    }
    const std::string& bytes() const { return bytes_; }

private:
    Record& put(std::uint64_t v, int size) {
        for (int i = 0; i < size; ++i) bytes_ += char((v >> (8 * i)) & 255);
        return *this;
    }
    std::string bytes_;
};

constexpr std::uint64_t in_extra = 0xFFFFFFFF;  // the true value is in the zip64 field
constexpr std::uint64_t zip64_version = 45, utf8_names = 1 << 11;
constexpr std::uint64_t date_1980 = (1 << 5) | 1;  // 1 January 1980: equal recordings give equal files

std::string npy_head(const std::string& type, const std::vector<std::uint64_t>& shape) {
    std::string dims;
    for (const std::uint64_t n : shape) dims += std::to_string(n) + ", ";
    if (shape.size() > 1)
        dims.resize(dims.size() - 2);
    else if (shape.size() == 1)
        dims.resize(dims.size() - 1);
    std::string head = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + dims + "), }";
    const std::size_t total = (10 + head.size() + 1 + 63) / 64 * 64;  // data begins at a multiple of 64
    head.resize(total - 10 - 1, ' ');
    head += '\n';
    return std::string("\x93NUMPY\x01\x00", 8) + char(head.size() & 255) + char(head.size() >> 8) + head;
}

std::uint64_t item_size(const std::string& type) { return std::uint64_t(type.back() - '0'); }

}  // namespace

void NpzWriter::add(const std::string& name, const std::string& type, const std::vector<std::uint64_t>& shape,
                    const std::function<void(const Sink&)>& write) {
    Entry entry{name + ".npy", position_, 0, 0};
    const std::string head = npy_head(type, shape);
    std::uint64_t payload = item_size(type);
    for (const std::uint64_t n : shape) payload *= n;
    entry.size = head.size() + payload;
    const auto local = [&] {
        return Record()
            .u32(0x04034b50)
            .u16(zip64_version)
            .u16(utf8_names)
            .u16(0)
            .u16(0)
            .u16(date_1980)
            .u32(entry.crc)
            .u32(in_extra)
            .u32(in_extra)
            .u16(entry.name.size())
            .u16(20)
            .text(entry.name)
            .u16(1)
            .u16(16)
            .u64(entry.size)
            .u64(entry.size)
            .bytes();
    };
    const std::string placeholder = local();
    out_.write(placeholder.data(), std::streamsize(placeholder.size()));
    std::uint64_t written = 0;
    const Sink sink = [&](const void* data, std::size_t size) {
        out_.write(static_cast<const char*>(data), std::streamsize(size));
        entry.crc = crc32(data, size, entry.crc);
        written += size;
    };
    sink(head.data(), head.size());
    write(sink);
    if (written != entry.size) throw std::logic_error("array " + name + " has another size than announced");
    // The checksum is known now: the head is written again.
    const std::string final_head = local();
    out_.seekp(std::streamoff(entry.offset));
    out_.write(final_head.data(), std::streamsize(final_head.size()));
    position_ = entry.offset + final_head.size() + entry.size;
    out_.seekp(std::streamoff(position_));
    entries_.push_back(std::move(entry));
}

void NpzWriter::finish() {
    const std::uint64_t directory = position_;
    std::string bytes;
    for (const Entry& e : entries_)
        bytes += Record()
                     .u32(0x02014b50)
                     .u16(zip64_version)
                     .u16(zip64_version)
                     .u16(utf8_names)
                     .u16(0)
                     .u16(0)
                     .u16(date_1980)
                     .u32(e.crc)
                     .u32(in_extra)
                     .u32(in_extra)
                     .u16(e.name.size())
                     .u16(28)
                     .u16(0)
                     .u16(0)
                     .u16(0)
                     .u32(0)
                     .u32(in_extra)
                     .text(e.name)
                     .u16(1)
                     .u16(24)
                     .u64(e.size)
                     .u64(e.size)
                     .u64(e.offset)
                     .bytes();
    const std::uint64_t size = bytes.size(), count = entries_.size();
    bytes += Record()
                 .u32(0x06064b50)
                 .u64(44)
                 .u16(zip64_version)
                 .u16(zip64_version)
                 .u32(0)
                 .u32(0)
                 .u64(count)
                 .u64(count)
                 .u64(size)
                 .u64(directory)
                 .bytes();
    bytes += Record().u32(0x07064b50).u32(0).u64(directory + size).u32(1).bytes();
    bytes += Record().u32(0x06054b50).u16(0).u16(0).u16(0xFFFF).u16(0xFFFF).u32(in_extra).u32(in_extra).u16(0).bytes();
    out_.write(bytes.data(), std::streamsize(bytes.size()));
}

}  // namespace plica
