#pragma once

/// Handles Ctrl-C while the library works for another language that has a handler of its own.

#include <exception>
#include <functional>

namespace spca::calls {

struct Watched {
  bool interrupted = false;   // SIGINT arrived during `work`
  std::exception_ptr thrown;  // the exception that left `work`; null if there was none
};

/// Runs `work`. If SIGINT arrives during the work, the current solve ends as it does in the
/// program. The previous handler is restored afterwards: the caller raises the signal again or acts
/// by the rules of its language. An ignored signal stays ignored. Must be called in the thread in
/// which the language handles signals.
Watched run_watched(const std::function<void()>& work);

}  // namespace spca::calls
