#include "harness/cli/solve_watchdog.h"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "harness/cli/command.h"
#include "harness/cli/ranks.h"
#include "spca/base/error.h"
#include "spca/base/interrupt.h"
#include "spca/base/standard_error.h"

namespace spca::cli {
namespace {

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// The messages of the handlers, written in advance because a handler may not allocate.
char late_line[512];
char crash_line[512];
char exit_line[512];
char handler_stack[1 << 14];
unsigned patience = 0;  // seconds

/// The process in which a solver runs; 0 if none does. Processes that the solver forks may end in
/// any way.
std::atomic<pid_t> solving_process = 0;
static_assert(std::atomic<pid_t>::is_always_lock_free);

void say_and_exit(const char* line) {
  // In ranks, rank 0 reports first, because all ranks may fail in the same way.
  for (unsigned left = patience; left > 0;) {
    left = ::sleep(left);
  }
  write_standard_error(line);
  end_program(kExitFailed);
}

bool is_ended_by_solver() { return solving_process == getpid(); }

void refuse_exit() {
  if (is_ended_by_solver()) {
    say_and_exit(exit_line);
  }
}

void store(char (&target)[512], const std::string& line) {
  std::snprintf(target, sizeof target, "%s\n", line.c_str());
}

void set_timer(double seconds) {
  itimerval timer{};
  constexpr double kCentury = 3.2e9;  // seconds; a longer limit is none
  if (seconds < kCentury) {
    constexpr suseconds_t kMostMicroseconds = 999999;
    timer.it_value.tv_sec = static_cast<time_t>(seconds);
    timer.it_value.tv_usec = std::min(
        static_cast<suseconds_t>(1e6 * (seconds - std::floor(seconds))) + 1, kMostMicroseconds);
  }
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

SolveWatchdog::SolveWatchdog(const std::string& solver, double seconds) : seconds_(seconds) {
  store(late_line,
        fmt::format("spca: {}: time limit of {:g} s: it did not stop by itself", solver, seconds));
  store(crash_line, fmt::format("spca: {}: failed: it crashed", solver));
  store(exit_line, fmt::format("spca: {}: failed: it ended the program", solver));
  patience = speaks_for_all() ? 0 : kRankPatience;
  static const bool refuses = std::atexit(refuse_exit) == 0 && std::at_quick_exit(refuse_exit) == 0;
  SPCA_CHECK(refuses, "there is room for what runs at the program's end");
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
  solving_process = getpid();
}

SolveWatchdog::~SolveWatchdog() {
  solving_process = 0;
  set_timer(INFINITY);
  for (const int signal : kCrashes) {
    std::signal(signal, SIG_DFL);
  }
}

void SolveWatchdog::restart() const { set_timer(seconds_until_killed(seconds_)); }

void end_program(int code) noexcept {
  solving_process = 0;
  _exit(code);
}

}  // namespace spca::cli

/// Replaces the function of the C library, because nothing else can observe that a solver calls it.
/// It behaves as POSIX specifies, except in a process in which a solver runs.
extern "C" void _exit(int code) {
  spca::cli::refuse_exit();
  for (;;) {
    syscall(SYS_exit_group, code);
  }
}

extern "C" void _Exit(int code) noexcept { _exit(code); }
