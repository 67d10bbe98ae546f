#include "engine/recording/disk_room.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "engine/core/number_text.h"
#include "engine/recording/recording.h"

namespace plica {
namespace {

constexpr std::uint64_t granule = 1 << 20;  // B, reserved at a time: one system call per some hundred frames of the bag

std::string folder_of(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

[[noreturn]] void refuse(std::uint64_t missing, const std::string& path) {
    const std::string folder = folder_of(path);
    throw DiskFull(path + ": no space left on the disk; " + size_text(missing) + " more are needed, " +
                   size_text(free_bytes(folder)) + " are free in " + folder +
                   ". Make room and continue; all frames written so far are kept");
}

struct flock whole_file(short type) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
}

}  // namespace

DiskRoom::DiskRoom(const std::string& path) : descriptor_(open(path.c_str(), O_RDWR | O_CLOEXEC)) {
    if (descriptor_ < 0) throw std::runtime_error(std::strerror(errno));
    // Belongs to this descriptor, not to the process: HDF5 may open and close the file as it likes. Some network file systems
    // know no locks; then the mark is missing, nothing else.
    struct flock lock = whole_file(F_WRLCK);
    (void)fcntl(descriptor_, F_OFD_SETLK, &lock);
}

DiskRoom::~DiskRoom() {
    if (descriptor_ >= 0) close(descriptor_);
}

void DiskRoom::reserve(std::uint64_t size, const std::string& shown_path) {
    if (size <= reserved_) return;
    struct stat file {};
    if (fstat(descriptor_, &file) != 0) throw std::runtime_error(shown_path + ": " + std::strerror(errno));
    const std::uint64_t from = std::max<std::uint64_t>(reserved_, std::uint64_t(file.st_size));
    if (size <= from) return;
    std::uint64_t length = (size - from + granule - 1) / granule * granule;
    rlimit limit{};  // `ulimit -f` is not looked at by fallocate
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        if (size > limit.rlim_cur) refuse(size - from, shown_path);
        length = std::min<std::uint64_t>(length, limit.rlim_cur - from);
    }
    int status = fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, off_t(from), off_t(length));
    if (status != 0 && (errno == ENOSPC || errno == EDQUOT)) {  // perhaps there is room for less
        length = size - from;
        status = fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, off_t(from), off_t(length));
    }
    if (status == 0) {
        reserved_ = from + length;
        return;
    }
    if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) refuse(length, shown_path);
    // The file system cannot reserve: look at what is free instead.
    const std::uint64_t free = free_bytes(folder_of(shown_path));
    if (free > 0 && free < length) refuse(length, shown_path);
}

void DiskRoom::release() {
    struct stat file {};
    if (descriptor_ < 0 || fstat(descriptor_, &file) != 0) return;
    if (ftruncate(descriptor_, file.st_size) != 0) return;  // only costs space
    reserved_ = 0;
}

bool DiskRoom::is_being_written(const std::string& path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    struct flock lock = whole_file(F_RDLCK);
    const bool locked = fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    close(descriptor);
    return locked;
}

std::uint64_t free_bytes(const std::string& folder) {
    struct statvfs system {};
    if (statvfs(folder.c_str(), &system) != 0) return 0;
    return std::uint64_t(system.f_bavail) * system.f_frsize;
}

std::string size_text(std::uint64_t bytes) {
    const double n = double(bytes);
    if (n >= 1e9) return digits_text(n / 1e9, 3) + " GB";
    if (n >= 1e6) return digits_text(n / 1e6, 3) + " MB";
    if (n >= 1e3) return digits_text(n / 1e3, 3) + " kB";
    return std::to_string(bytes) + " bytes";
}

}  // namespace plica
