#include <stdexcept>

#include "spca/solving/solver.h"

namespace spca {
namespace {

/// Throws.
Solution solve_misbehave_throw(const Problem&, const NoOptions&, Budget&) {
  throw std::runtime_error("thrown on purpose");
}

SPCA_SOLVER("misbehave-throw", solve_misbehave_throw,
            (Traits{.summary = "throws an exception", .problem = "", .source = ""}));

}  // namespace
}  // namespace spca
