// Where every named widget lies on the screen and what state the window shows, as JSON lines: for tests that drive the real
// window with real mouse events.
#pragma once

#include <cstdio>
#include <string>

#include <nlohmann/json.hpp>

namespace plica {

class UiLog {
public:
    ~UiLog();
    void open(const std::string& path);  // throws InputError
    bool enabled() const { return file_ != nullptr; }

    void begin_frame();
    void item(const char* name);  // the ImGui item drawn last
    void rect(const std::string& name, float x0, float y0, float x1, float y1);
    template <class T>
    void value(const char* name, const T& v) {
        if (file_) values_[name] = v;
    }
    // Writes a line when the last one is old enough, or always with `force`.
    void end_frame(double time, bool force);

private:
    std::FILE* file_ = nullptr;
    nlohmann::json widgets_, values_;
    double written_ = -1;
    bool dirty_ = false;
};

}  // namespace plica
