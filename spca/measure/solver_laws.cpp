#include "spca/measure/solver_laws.h"

#include <fmt/format.h>

#include "spca/base/error.h"
#include "spca/measure/metrics.h"

namespace spca {

void require_known_laws(const SolverEntry& solver) {
  for (const std::string& law : solver.traits.laws) {
    if (MetricRegistry::instance().find(law) == nullptr) {
      throw InputError(fmt::format(
          "solver {}: law \"{}\" is no metric{}; accepted: a name of `spca list metrics`",
          solver.name, law, did_you_mean(law, MetricRegistry::instance().names())));
    }
  }
}

}  // namespace spca
