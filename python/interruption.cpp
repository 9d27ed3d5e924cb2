#include "python/interruption.h"

#include <pybind11/pybind11.h>
#include <unistd.h>

#include <csignal>
#include <exception>

namespace spca::python {
namespace {

namespace py = pybind11;

bool is_ignored(int signal) {
  struct sigaction action {};
  sigaction(signal, nullptr, &action);
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

void run_interruptibly(bool calls_python, const std::function<void()>& work) {
  // A signal that came before belongs to Python.
  if (PyErr_CheckSignals() != 0) {
    throw py::error_already_set();
  }
  const bool is_main_thread = getpid() == gettid();
  bool came = false;
  std::exception_ptr thrown;
  {
    const py::gil_scoped_release others_may_run;
    std::optional<StopSignals> signals;
    if (is_main_thread && !calls_python && !is_ignored(SIGINT)) {
      signals.emplace(StopSignals::Repeat::kAlways, StopSignals::Signals::kInterrupt);
    }
    try {
      work();
    } catch (...) {
      thrown = std::current_exception();
    }
    came = signals && stop_requested();
  }
  if (came) {
    PyErr_SetInterrupt();
  }
  // Python's handler throws, and what `work` threw is forgotten. A handler of the user's own may
  // return.
  if (PyErr_CheckSignals() != 0) {
    throw py::error_already_set();
  }
  if (thrown) {
    std::rethrow_exception(thrown);
  }
}

}  // namespace spca::python
