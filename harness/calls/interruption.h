#pragma once

/// Ctrl-C while the library works for another language, which has a handler of its own.

#include <exception>
#include <functional>

namespace spca::calls {

struct Watched {
  bool interrupted = false;   // SIGINT came meanwhile
  std::exception_ptr thrown;  // what `work` threw; null if nothing
};

/// Runs `work`. If SIGINT comes meanwhile, the solve in it ends as it does for the program. The
/// handler that there was is put back: the caller raises the signal again, or does what its
/// language does. If the signal is ignored, it stays so. Called in the thread that the language
/// handles signals in.
Watched run_watched(const std::function<void()>& work);

}  // namespace spca::calls
