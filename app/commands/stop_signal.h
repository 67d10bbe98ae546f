// Ctrl-C and polite kills: the first asks to stop after the current step, the second at once.
#pragma once

namespace plica {

void watch_stop_signals();    // SIGINT, SIGTERM, SIGHUP
int stop_requests();          // how many came since
void unwatch_stop_signals();  // back to what they do by default

}  // namespace plica
