// Starts a program without a shell, with pipes to its standard input and from its error output.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace plica {

struct ChildProcess {
    pid_t pid = -1;
    int input = -1;   // write end of its standard input, -1 when closed
    int output = -1;  // read end of its standard and error output
};

// arguments[0] is the program, looked up in the path. Throws RenderError with the system's reason when it does not start.
// SIGPIPE is left alone: write with write_all.
ChildProcess start_program(const std::vector<std::string>& arguments);

// Writes all and meanwhile collects what the program says; false when it stopped reading. No signal is raised.
bool write_all(ChildProcess& child, const void* data, std::size_t bytes, std::string& said);

// Closes its input, collects what it says until it ends; the exit status, or 128 + signal.
int wait_for(ChildProcess& child, std::string& said);

// Ends it at once and waits for it.
void stop_program(ChildProcess& child);

}  // namespace plica
