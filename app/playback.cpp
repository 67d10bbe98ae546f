#include "app/playback.h"

#include <algorithm>

#include "app/timeline.h"

namespace plica {

void Playback::show(int frame, const Timeline& timeline) {
    if (timeline.empty()) return;
    shown = std::clamp(frame, 0, timeline.size() - 1);
    clock = timeline.time(shown);
    live = false;
    playing = false;
    frozen = false;
}

void Playback::go_live(const Timeline& timeline) {
    live = true;
    playing = false;
    frozen = false;
    if (!timeline.empty()) shown = timeline.size() - 1;
}

void Playback::toggle_play(const Timeline& timeline) {
    if (playing) {
        playing = false;
        return;
    }
    if (timeline.empty()) return;
    live = false;
    frozen = false;
    playing = true;
    if (shown >= timeline.size() - 1) shown = 0;
    clock = timeline.time(shown);
}

bool Playback::advance(double wall_seconds, const Timeline& timeline) {
    if (timeline.empty()) return false;
    const int before = shown;
    shown = std::clamp(shown, 0, timeline.size() - 1);
    if (frozen) return shown != before;
    if (live) {
        shown = timeline.size() - 1;
    } else if (playing) {
        clock += std::min(wall_seconds, 0.25) * speed;
        shown = timeline.index_at_time(clock);
        if (shown >= timeline.size() - 1) playing = false;
    }
    return shown != before;
}

}  // namespace plica
