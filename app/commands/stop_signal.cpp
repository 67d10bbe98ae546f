#include "app/commands/stop_signal.h"

#include <csignal>
#include <initializer_list>

namespace plica {
namespace {

volatile std::sig_atomic_t requests = 0;
void count_request(int) { requests = requests + 1; }

void set_handler(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

}  // namespace

void watch_stop_signals() {
    requests = 0;
    set_handler(count_request);
}
int stop_requests() { return requests; }
void unwatch_stop_signals() { set_handler(SIG_DFL); }

}  // namespace plica
