#pragma once

/// Ctrl-C while C++ works without the GIL.

#include <functional>

namespace spca::python {

/// Runs `work` without the GIL. If SIGINT comes meanwhile, the solve in `work` ends as it does for
/// the program, and Python's own handler is called then: by default KeyboardInterrupt is thrown.
/// Python handles signals in its main thread alone. In other threads, and if the signal is ignored,
/// nothing is changed.
///
/// If `calls_python`, Python's handler stays as it is: a solver that is written in Python is
/// interrupted where it stands.
void run_interruptibly(bool calls_python, const std::function<void()>& work);

}  // namespace spca::python
