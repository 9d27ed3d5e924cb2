#include "harness/calls/interruption.h"

#include <csignal>
#include <optional>

#include "spca/base/interrupt.h"

namespace spca::calls {
namespace {

bool is_ignored(int signal) {
  struct sigaction action {};
  sigaction(signal, nullptr, &action);
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Watched run_watched(const std::function<void()>& work) {
  Watched watched;
  std::optional<StopSignals> signals;
  if (!is_ignored(SIGINT)) {
    signals.emplace(StopSignals::Repeat::kAlways, StopSignals::Signals::kInterrupt);
  }
  try {
    work();
  } catch (...) {
    watched.thrown = std::current_exception();
  }
  watched.interrupted = signals && stop_requested();
  return watched;
}

}  // namespace spca::calls
