#include <csignal>

#include "spca/solving/solver.h"

namespace spca {
namespace {

/// Dies of SIGSEGV. Raised rather than provoked: a sanitizer would report a bad access in words of
/// its own.
Solution solve_misbehave_crash(const Problem&, const NoOptions&, Budget&) {
  std::signal(SIGSEGV, SIG_DFL);
  std::raise(SIGSEGV);
  return {};
}

SPCA_SOLVER("misbehave-crash", solve_misbehave_crash,
            (Traits{.summary = "dies of SIGSEGV", .problem = "", .source = ""}));

}  // namespace
}  // namespace spca
