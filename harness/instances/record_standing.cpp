#include "harness/instances/record_standing.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "spca/base/error.h"
#include "spca/measure/metrics.h"

namespace spca {
namespace {

bool is_asked(const KnownInstance& known, const Record& record) {
  const Instance& instance = *known.instance;
  return instance.r == record.components && instance.k == shared_cardinality(record.cardinality) &&
         known.data->p == record.p && !record.unconstrained &&
         known.of->find_fault(record.loadings, {.p = record.p, .r = instance.r, .k = instance.k})
             .empty();
}

/// The standings of several solvers on one instance.
struct Reached {
  InstanceStanding best;             // of the solver with the best value
  std::vector<std::string> solvers;  // that reached the best known value
};

}  // namespace

std::optional<InstanceStanding> standing_of_record(const FoundInstances& found,
                                                   const Record& record) {
  if (!is_answer(record.status, !record.loadings.empty()) || is_partial(record)) {
    return std::nullopt;
  }
  const KnownInstance* chosen = nullptr;
  for (const KnownInstance& one : found.instances) {
    const bool is_special = chosen == nullptr || one.of->generality < chosen->of->generality;
    if (is_special && is_asked(one, record)) {
      chosen = &one;
    }
  }
  if (chosen == nullptr) {
    return std::nullopt;
  }
  const auto value = record.metrics.find(chosen->of->metric);
  if (value == record.metrics.end() || value->second.empty() || !std::isfinite(value->second[0])) {
    return std::nullopt;
  }
  InstanceStanding standing = standing_of(*chosen, value->second[0]);
  standing.is_recognised = found.are_recognised;
  return standing;
}

std::vector<std::string> standing_lines(const FoundInstances& found,
                                        const std::vector<Record>& records) {
  std::map<std::string, Reached> reached;
  for (const Record& record : records) {
    const std::optional<InstanceStanding> standing = standing_of_record(found, record);
    if (!standing) {
      continue;
    }
    Reached& of = reached.try_emplace(standing->id, Reached{*standing, {}}).first->second;
    if (is_better(standing->direction, standing->value, of.best.value)) {
      of.best = *standing;
    }
    if (standing->is_reached()) {
      of.solvers.push_back(record.solver);
    }
  }
  std::vector<std::string> lines;
  for (const auto& [id, of] : reached) {
    lines.push_back(fmt::format("{}{} {}", standing_text(of.best),
                                of.solvers.empty() ? "" : " by " + join(of.solvers),
                                instance_text(of.best)));
  }
  return lines;
}

}  // namespace spca
