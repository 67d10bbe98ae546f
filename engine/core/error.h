// Bad input as an exception that knows where it is. Expected outcomes of a step are values (solver/step_report.h), not this.
#pragma once

#include <stdexcept>
#include <string>

namespace plica {

// One message: where, what is wrong with the value found, what to do. For example
//   bag.toml:41: film.thickness is 0; give metres above 0, for example 3e-5 for 30 µm
// Thrown deep, translated once at the border (command: stderr and exit status 2; window: message).
class InputError : public std::runtime_error {
public:
    // line 0 = unknown. `what` is everything after the place.
    InputError(const std::string& file, int line, const std::string& what)
        : std::runtime_error(place(file, line) + what), file_(file), line_(line) {}
    explicit InputError(const std::string& what) : std::runtime_error(what) {}

    const std::string& file() const { return file_; }
    int line() const { return line_; }

private:
    static std::string place(const std::string& file, int line) {
        if (file.empty()) return {};
        return line > 0 ? file + ":" + std::to_string(line) + ": " : file + ": ";
    }
    std::string file_;
    int line_ = 0;
};

}  // namespace plica
