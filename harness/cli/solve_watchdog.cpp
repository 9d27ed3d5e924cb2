#include "harness/cli/solve_watchdog.h"

#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstring>

#include "harness/cli/command.h"
#include "spca/base/interrupt.h"

namespace spca::cli {
namespace {

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// The handlers' words. They are written before, because a handler may not allocate.
char late_line[512];
char crash_line[512];
char handler_stack[1 << 14];

void say_and_exit(const char* line) {
  // Nothing can be done about a line that cannot be written.
  [[maybe_unused]] const auto written = write(STDERR_FILENO, line, std::strlen(line));
  _exit(kExitFailed);
}

void store(char (&target)[512], const std::string& line) {
  std::snprintf(target, sizeof target, "%s\n", line.c_str());
}

void set_timer(double seconds) {
  itimerval timer{};
  if (std::isfinite(seconds)) {
    timer.it_value.tv_sec = static_cast<time_t>(seconds);
    timer.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - std::floor(seconds))) + 1;
  }
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

SolveWatchdog::SolveWatchdog(const std::string& solver, double seconds) : seconds_(seconds) {
  store(late_line,
        fmt::format("spca: {}: time limit of {:g} s: it did not stop by itself", solver, seconds));
  store(crash_line, fmt::format("spca: {}: failed: it crashed", solver));
  stack_t stack{};
  stack.ss_sp = handler_stack;
  stack.ss_size = sizeof handler_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_flags = SA_ONSTACK;
  action.sa_handler = [](int) { say_and_exit(crash_line); };
  for (const int signal : kCrashes) {
    sigaction(signal, &action, nullptr);
  }
  action.sa_handler = [](int) { say_and_exit(late_line); };
  sigaction(SIGALRM, &action, nullptr);
  restart();
}

SolveWatchdog::~SolveWatchdog() {
  set_timer(INFINITY);
  for (const int signal : kCrashes) {
    std::signal(signal, SIG_DFL);
  }
}

void SolveWatchdog::restart() const { set_timer(seconds_until_killed(seconds_)); }

}  // namespace spca::cli
