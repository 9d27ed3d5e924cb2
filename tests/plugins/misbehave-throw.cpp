#include <stdexcept>
#include <string>

#include "spca/base/error.h"
#include "spca/solving/solver.h"

namespace spca {
namespace {

struct MisbehaveThrowOptions {
  std::string kind = "with-message";
  void describe(OptionVisitor& visit) {
    visit("kind", kind, "which exception is thrown", {"with-message", "empty", "input"});
  }
};

/// Throws.
Solution solve_misbehave_throw(const Problem&, const MisbehaveThrowOptions& options, Budget&) {
  if (options.kind == "input") {
    throw InputError("found -1; accepted: a rank >= 1");
  }
  throw std::runtime_error(options.kind == "empty" ? "" : "thrown on purpose");
}

SPCA_SOLVER("misbehave-throw", solve_misbehave_throw,
            (Traits{.summary = "throws an exception", .problem = "", .source = ""}));

}  // namespace
}  // namespace spca
