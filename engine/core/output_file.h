// Files that appear whole or not at all: written beside their place under another name, renamed at the end.
#pragma once

#include <functional>
#include <ostream>
#include <string>

namespace plica {

// Throws InputError if `path` cannot become a file: empty, a folder, a device, folder missing or not writable. `what` names the
// output in messages ("the recording").
void check_output_path(const std::string& path, const std::string& what);

// A name beside `path` that nobody uses: same folder, so that renaming is one step.
std::string temporary_beside(const std::string& path);

// Removes a file or folder when it goes, unless kept.
class Temporary {
public:
    explicit Temporary(std::string path) : path_(std::move(path)) {}
    ~Temporary();
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    const std::string& path() const { return path_; }
    // Takes the place of `target` (an empty folder or a file, or nothing). Throws InputError.
    void become(const std::string& target);

private:
    std::string path_;
};

// Calls `write` with a stream and puts the result at `path`. Throws InputError when the place is bad or the disk is full; then
// nothing is left and an older file is untouched.
void write_file(const std::string& path, const std::string& what, const std::function<void(std::ostream&)>& write);

}  // namespace plica
