#include "render/run_program.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "render/render_error.h"

extern char** environ;

namespace plica {
namespace {

constexpr std::size_t said_up_to = 8192;  // the end of what a program says is what matters

void shut(int& descriptor) {
    if (descriptor >= 0) ::close(descriptor);
    descriptor = -1;
}

// Reads what is there; false at the end.
bool listen(int descriptor, std::string& said) {
    char buffer[4096];
    const ssize_t n = ::read(descriptor, buffer, sizeof buffer);
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    if (n == 0) return false;
    said.append(buffer, std::size_t(n));
    if (said.size() > said_up_to) said.erase(0, said.size() - said_up_to);
    return true;
}

int reap(pid_t pid) {
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

ChildProcess start_program(const std::vector<std::string>& arguments) {
    // A socket for the input, because send() can be told not to raise SIGPIPE; a pipe for the output.
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0 || ::pipe2(out, O_CLOEXEC) != 0) {
        const std::string why = std::strerror(errno);
        shut(in[0]);
        shut(in[1]);
        throw RenderError(arguments[0] + " cannot be started: " + why);
    }
    ::shutdown(in[0], SHUT_RD);
    const int buffer = 1 << 20;
    ::setsockopt(in[0], SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    ::fcntl(out[0], F_SETFL, ::fcntl(out[0], F_GETFL) | O_NONBLOCK);
    ::fcntl(in[0], F_SETFL, ::fcntl(in[0], F_GETFL) | O_NONBLOCK);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[1], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, out[1], 2);
    // Ctrl-C at a terminal goes to us alone: the file is ended or removed in order.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigaddset(&signals, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &signals);

    std::vector<char*> argv;
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    ChildProcess child;
    const int failed = ::posix_spawnp(&child.pid, argv[0], &actions, &attributes, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    shut(in[1]);
    shut(out[1]);
    if (failed != 0) {
        shut(in[0]);
        shut(out[0]);
        throw RenderError(arguments[0] + " cannot be started: " + std::strerror(failed));
    }
    child.input = in[0];
    child.output = out[0];
    return child;
}

bool write_all(ChildProcess& child, const void* data, std::size_t bytes, std::string& said) {
    const auto* from = static_cast<const char*>(data);
    while (bytes > 0) {
        pollfd ends[2] = {{child.input, POLLOUT, 0}, {child.output, POLLIN, 0}};
        if (::poll(ends, 2, -1) < 0) {
            if (errno == EINTR) continue;
            return false;
        }
        if (ends[1].revents && !listen(child.output, said)) return false;
        if (!ends[0].revents) continue;
        const ssize_t n = ::send(child.input, from, bytes, MSG_NOSIGNAL);
        if (n < 0) {
            if (errno == EINTR || errno == EAGAIN) continue;
            return false;
        }
        from += n;
        bytes -= std::size_t(n);
    }
    return true;
}

int wait_for(ChildProcess& child, std::string& said) {
    if (child.pid < 0) return -1;
    shut(child.input);
    pollfd end{child.output, POLLIN, 0};
    while (::poll(&end, 1, -1) >= 0 || errno == EINTR)
        if (end.revents && !listen(child.output, said)) break;
    shut(child.output);
    const int status = reap(child.pid);
    child.pid = -1;
    return status;
}

void stop_program(ChildProcess& child) {
    shut(child.input);
    shut(child.output);
    if (child.pid < 0) return;
    ::kill(child.pid, SIGKILL);
    reap(child.pid);
    child.pid = -1;
}

}  // namespace plica
