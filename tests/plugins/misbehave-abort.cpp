#include <cstdlib>

#include "spca/solving/solver.h"

namespace spca {
namespace {

/// Ends by SIGABRT, as a failed assertion does.
Solution solve_misbehave_abort(const Problem&, const NoOptions&, Budget&) { std::abort(); }

SPCA_SOLVER("misbehave-abort", solve_misbehave_abort,
            (Traits{.summary = "aborts", .problem = "", .source = ""}));

}  // namespace
}  // namespace spca
