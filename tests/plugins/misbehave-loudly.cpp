#include <stdexcept>
#include <string>

#include "spca/solving/solver.h"

namespace spca {
namespace {

/// Throws a message with control codes for a terminal, and too long to be kept whole.
Solution solve_misbehave_loudly(const Problem&, const NoOptions&, Budget&) {
  throw std::runtime_error("\x1b[31mred\x1b[0m\nsecond line \xc2\x9b " + std::string(100'000, 'x'));
}

SPCA_SOLVER("misbehave-loudly", solve_misbehave_loudly,
            (Traits{.summary = "has a long message", .problem = "", .source = ""}));

}  // namespace
}  // namespace spca
