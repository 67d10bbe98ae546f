#include "engine/core/output_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <unistd.h>

#include "engine/core/error.h"

namespace plica {

namespace fs = std::filesystem;

namespace {

fs::path folder_of(const std::string& path) {
    const fs::path folder = fs::path(path).parent_path();
    return folder.empty() ? fs::path(".") : folder;
}

}  // namespace

void check_output_path(const std::string& path, const std::string& what) {
    if (path.empty()) throw InputError(what + " needs a file name");
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (fs::is_directory(status)) throw InputError(path, 0, "is a folder; give a file name for " + what);
    if (fs::exists(status) && !fs::is_regular_file(status))
        throw InputError(path, 0, "is not an ordinary file; give another name for " + what);
    const fs::path folder = folder_of(path);
    if (!fs::is_directory(folder, ignored))
        throw InputError(path, 0,
                         "the folder " + folder.string() + (fs::exists(folder, ignored) ? " is a file" : " does not exist") +
                             "; " + what + " cannot be written there");
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        throw InputError(path, 0, "the folder " + folder.string() + " cannot be written to (" + std::strerror(errno) + ")");
}

std::string temporary_beside(const std::string& path) {
    const fs::path folder = folder_of(path);
    std::string name = fs::path(path).filename().string();
    if (name.size() > 100) name.resize(100);  // the file system allows 255 bytes
    for (int i = 0;; ++i) {
        const fs::path candidate = folder / ("." + name + "." + std::to_string(::getpid()) + "-" + std::to_string(i) + ".part");
        std::error_code ignored;
        if (!fs::exists(fs::symlink_status(candidate, ignored))) return candidate.string();
    }
}

Temporary::~Temporary() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
}

void Temporary::become(const std::string& target) {
    std::error_code error;
    fs::rename(path_, target, error);
    if (error) throw InputError(target, 0, "cannot be written: " + error.message());
    path_.clear();
}

void write_file(const std::string& path, const std::string& what, const std::function<void(std::ostream&)>& write) {
    check_output_path(path, what);
    Temporary temporary(temporary_beside(path));
    {
        errno = 0;
        std::ofstream out(temporary.path(), std::ios::binary);
        if (!out) throw InputError(path, 0, std::string("cannot be written: ") + std::strerror(errno));
        out.imbue(std::locale::classic());
        write(out);
        out.flush();
        if (!out) throw InputError(path, 0, std::string("cannot be written: ") + std::strerror(errno ? errno : EIO));
        out.close();
        if (out.fail()) throw InputError(path, 0, std::string("cannot be written: ") + std::strerror(errno ? errno : EIO));
    }
    temporary.become(path);
}

}  // namespace plica
