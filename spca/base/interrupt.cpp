#include "spca/base/interrupt.h"

#include <unistd.h>

#include <atomic>

#include "spca/base/shared_time.h"

namespace spca {
namespace {

// The flag that signals set. Other threads read it, too (spca path). It is lock-free, so that a
// signal handler may set it.
std::atomic<int> stop_flag = 0;
static_assert(std::atomic<int>::is_always_lock_free);

void say_and_exit(int) {
  // A signal handler may only call functions that are safe in one: write and _exit, not fmt or
  // exit.
  constexpr char kInterruptedLine[] = "spca: interrupted\n";
  // Nothing can be done about a line that cannot be written.
  [[maybe_unused]] const auto written =
      write(STDERR_FILENO, kInterruptedLine, sizeof kInterruptedLine - 1);
  _exit(kInterruptedExitCode);
}

}  // namespace

bool stop_requested() {
  SharedTime* const shared = SharedTime::of_this_thread();
  return shared == nullptr ? stop_flag != 0 : shared->stop_requested(stop_flag != 0);
}

StopSignals::StopSignals(Repeat repeat, Signals signals)
    : catches_terminate_(signals == Signals::kInterruptAndTerminate) {
  stop_flag = 0;
  struct sigaction action {};
  action.sa_handler = [](int) { stop_flag = 1; };
  // SA_RESETHAND restores the default action of a signal when it first arrives, so that the same
  // signal kills the second time.
  action.sa_flags = repeat == Repeat::kOnce ? static_cast<int>(SA_RESETHAND) : 0;
  sigaction(SIGINT, &action, &interrupt_);
  if (catches_terminate_) {
    sigaction(SIGTERM, &action, &terminate_);
  }
}

StopSignals::~StopSignals() {
  sigaction(SIGINT, &interrupt_, nullptr);
  if (catches_terminate_) {
    sigaction(SIGTERM, &terminate_, nullptr);
  }
  stop_flag = 0;
}

void exit_on_interrupt() {
  struct sigaction action {};
  action.sa_handler = say_and_exit;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace spca
