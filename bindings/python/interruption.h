#pragma once

/// Ctrl-C while C++ works without the GIL.

#include <functional>

namespace spca::python {

/// Runs `work` without the GIL. If SIGINT arrives meanwhile, the solve in `work` ends as in the
/// program, and then Python's own handler is called, which by default throws KeyboardInterrupt.
/// Python handles signals in its main thread only. In other threads, and if the signal is ignored,
/// nothing changes.
///
/// If `calls_python`, Python's handler stays in place: it interrupts a solver written in Python
/// immediately.
void run_interruptibly(bool calls_python, const std::function<void()>& work);

}  // namespace spca::python
