// Opening a file on a thread of its own, so that the window goes on.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "app/studio/document.h"

namespace plica {

class LoadJob {
public:
    LoadJob(std::string path, std::function<Loaded()> load, std::function<void()> wake) : path_(std::move(path)) {
        thread_ = std::jthread([this, load = std::move(load), wake = std::move(wake)] {
            try {
                loaded_.emplace(load());
            } catch (const std::exception& e) {
                error_ = e.what();
            }
            done_.store(true);
            wake();
        });
    }
    bool done() const { return done_.load(); }
    const std::string& path() const { return path_; }
    // When done: what was opened, or why not.
    std::optional<Loaded>& loaded() { return loaded_; }
    const std::string& error() const { return error_; }
    void wait() { thread_.join(); }

private:
    std::string path_, error_;
    std::optional<Loaded> loaded_;
    std::atomic<bool> done_{false};
    std::jthread thread_;
};

}  // namespace plica
