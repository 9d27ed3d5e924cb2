#include <cstdlib>

#include "spca/solving/solver.h"

namespace spca {
namespace {

/// Ends the program by exit(0), as a library might that takes itself for the program.
Solution solve_misbehave_quit(const Problem&, const NoOptions&, Budget&) { std::exit(0); }

SPCA_SOLVER("misbehave-quit", solve_misbehave_quit,
            (Traits{.summary = "calls exit", .problem = "", .source = ""}));

}  // namespace
}  // namespace spca
