#include "app/studio/ui_log.h"

#include <cmath>

#include "engine/core/error.h"
#include "imgui.h"

namespace plica {

UiLog::~UiLog() {
    if (file_) std::fclose(file_);
}

void UiLog::open(const std::string& path) {
    file_ = std::fopen(path.c_str(), "w");
    if (!file_) throw InputError(path, 0, "the window log cannot be written; name a file in a folder that exists");
}

void UiLog::begin_frame() {
    if (!file_) return;
    widgets_ = nlohmann::json::object();
    values_ = nlohmann::json::object();
    dirty_ = true;
}

void UiLog::item(const char* name) {
    if (!file_ || !ImGui::IsItemVisible()) return;
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    rect(name, a.x, a.y, b.x, b.y);
}

void UiLog::rect(const std::string& name, float x0, float y0, float x1, float y1) {
    if (!file_) return;
    widgets_[name] = {std::lround(x0), std::lround(y0), std::lround(x1), std::lround(y1)};
}

void UiLog::end_frame(double time, bool force) {
    if (!file_ || !dirty_ || (!force && time - written_ < 0.15)) return;
    const nlohmann::json line = {{"time", time}, {"widgets", widgets_}, {"state", values_}};
    const std::string text = line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    std::fwrite(text.data(), 1, text.size(), file_);
    std::fflush(file_);
    written_ = time;
    dirty_ = false;
}

}  // namespace plica
