// Reserves file space ahead of HDF5, so that a full disk is met here, where nothing is half written, and not inside the
// library.
#pragma once

#include <cstdint>
#include <string>

namespace plica {

class DiskRoom {
public:
    // Opens the existing file besides whoever writes it, and marks it as being written (a lock that ends with this object or
    // program). Throws std::runtime_error.
    explicit DiskRoom(const std::string& path);
    ~DiskRoom();
    DiskRoom(const DiskRoom&) = delete;
    DiskRoom& operator=(const DiskRoom&) = delete;

    // Makes sure that the file can grow to `size` bytes. Throws DiskFull with the space needed and found; `shown_path` is how
    // the user knows the file.
    void reserve(std::uint64_t size, const std::string& shown_path);
    // Gives back what was reserved beyond the present end.
    void release();

    // Whether another program (or another DiskRoom of this one) is writing the file; false if it does not exist.
    static bool is_being_written(const std::string& path);

private:
    int descriptor_ = -1;
    std::uint64_t reserved_ = 0;
};

// Bytes free for us on the file system of `folder`; 0 if unknown.
std::uint64_t free_bytes(const std::string& folder);
// "12.3 MB".
std::string size_text(std::uint64_t bytes);

}  // namespace plica
