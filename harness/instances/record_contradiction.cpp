#include "harness/instances/record_contradiction.h"

#include <fmt/format.h>

#include <cmath>

#include "spca/measure/metrics.h"

namespace spca {
namespace {

double metric_of(const Record& record, const std::string& name) {
  const auto found = record.metrics.find(name);
  return found == record.metrics.end() ? kNotMeasured : total_of(name, found->second);
}

/// Returns the value of a feasible answer. Each class whose metric is projected_variance has
/// orthonormal components, for which explained_variance is the same number.
double value_of(const Record& record, const InstanceClass& of) {
  const double value = metric_of(record, of.metric);
  return std::isnan(value) && of.metric == "projected_variance"
             ? metric_of(record, "explained_variance")
             : value;
}

}  // namespace

std::string contradiction_of_record(const std::vector<KnownInstance>& known, const Record& record) {
  std::vector<KnownInstance> feasible;
  for (const KnownInstance& one : known) {
    const Instance& instance = *one.instance;
    const InstanceSize size = {.p = record.p, .r = instance.r, .k = instance.k};
    if (one.data->p != record.p || instance.r != std::ssize(record.loadings) ||
        !one.of->find_fault(record.loadings, size).empty()) {
      continue;
    }
    std::string found =
        find_contradiction(one, value_of(record, *one.of),
                           fmt::format("the value of the answer of {}", record.solver_name));
    if (!found.empty()) {
      return found;
    }
    feasible.push_back(one);
  }
  const Index k = record.unconstrained ? 0 : shared_cardinality(record.cardinality);
  const KnownInstance* bounded = instance_of_bound(feasible, k, record.loadings);
  return bounded == nullptr ? ""
                            : find_low_bound(*bounded, record.bound,
                                             fmt::format("the bound of {}", record.solver_name));
}

}  // namespace spca
