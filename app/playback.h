// Which frame is shown: following the solver, playing what is computed, or held by hand.
#pragma once

namespace plica {

class Timeline;

struct Playback {
    int shown = 0;         // frame index
    bool live = true;      // follow the newest frame
    bool playing = false;  // move through computed frames by the clock
    bool frozen = false;   // the picture stays, whatever comes
    double speed = 1;      // simulated seconds per second
    double clock = 0;      // s, simulated time of the playing head

    static constexpr double min_speed = 1.0 / 32, max_speed = 8;

    void show(int frame, const Timeline& timeline);  // by hand: leaves live and stops playing
    void go_live(const Timeline& timeline);
    void toggle_play(const Timeline& timeline);
    // Lets `wall_seconds` pass; true when another frame is shown.
    bool advance(double wall_seconds, const Timeline& timeline);
};

}  // namespace plica
