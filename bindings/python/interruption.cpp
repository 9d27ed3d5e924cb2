#include "bindings/python/interruption.h"

#include <pybind11/pybind11.h>
#include <unistd.h>

#include "harness/calls/interruption.h"

namespace spca::python {

namespace py = pybind11;

void run_interruptibly(bool calls_python, const std::function<void()>& work) {
  // Python handles a signal that arrived before the call.
  if (PyErr_CheckSignals() != 0) {
    throw py::error_already_set();
  }
  const bool is_main_thread = getpid() == gettid();
  calls::Watched watched;
  {
    const py::gil_scoped_release others_may_run;
    if (is_main_thread && !calls_python) {
      watched = calls::run_watched(work);
    } else {
      try {
        work();
      } catch (...) {
        watched.thrown = std::current_exception();
      }
    }
  }
  if (watched.interrupted) {
    PyErr_SetInterrupt();
  }
  // Python's handler throws, and an exception of `work` is dropped. A user-defined handler may
  // return.
  if (PyErr_CheckSignals() != 0) {
    throw py::error_already_set();
  }
  if (watched.thrown) {
    std::rethrow_exception(watched.thrown);
  }
}

}  // namespace spca::python
