#include "harness/answers/compared_solvers.h"

namespace spca {

std::vector<std::string> compared_solvers(Index components) {
  if (components == 1) {
    return {"threshold",    "gpower-l0", "tpower",      "fullpath",
            "local-search", "search",    "branch-bound"};
  }
  return {"threshold", "gpower-l0", "tpower", "local-search", "bipart-ascent", "branch-price"};
}

}  // namespace spca
