#pragma once

/// The source files of solvers that were compiled without optimisation. spca/plugin.h adds them, so
/// that the times of such a solver can be marked: they may be 40 times as long as they need to be.

#include <string>
#include <vector>

namespace spca {

/// Returns the list of the program, which grows while static variables are initialised.
inline std::vector<std::string>& unoptimised_sources() {
  static std::vector<std::string> files;
  return files;
}

}  // namespace spca
