#include "harness/comparisons/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/experiments/experiment_match.h"

namespace spca {
namespace {

bool is_measured(const ComparedCell& cell, const std::string& metric) {
  return std::any_of(cell.repeats.begin(), cell.repeats.end(), [&](const ComparedRepeat& repeat) {
    const auto position = repeat.metrics.find(metric);
    return position != repeat.metrics.end() && std::isfinite(position->second);
  });
}

/// Removes whatever cannot be a reference, and returns the metrics that were removed because they
/// were never measured. Each is looked up in the first repeat that has it; `dropped` stores it for
/// the repeats that follow.
std::set<std::string> remove_unmeasured(ComparedCell& cell, bool with_times) {
  std::set<std::string> dropped;
  for (ComparedRepeat& repeat : cell.repeats) {
    std::erase_if(repeat.metrics, [&](const auto& metric) {
      const bool unwanted = !with_times && is_machine_metric(metric.first);
      if (!unwanted && !dropped.contains(metric.first) && !is_measured(cell, metric.first)) {
        dropped.insert(metric.first);
      }
      return unwanted || dropped.contains(metric.first);
    });
  }
  return dropped;
}

}  // namespace

std::optional<GateRule> Baseline::rule(const ComparedCell& cell, const std::string& metric) const {
  std::optional<GateRule> rule = default_rule(metric);
  for (const GateOverride& change : overrides) {
    if (rule && glob_matches(change.metric, metric) && change.match.matches(cell.labels())) {
      rule->direction = change.direction.value_or(rule->direction);
      rule->absolute = change.absolute.value_or(rule->absolute);
      rule->relative = change.relative.value_or(rule->relative);
      rule->gate = change.gate.value_or(rule->gate);
    }
  }
  return rule;
}

BaselineContent baseline_content(ComparedRun run, bool with_times) {
  BaselineContent content{.run = std::move(run), .not_measured = {}};
  std::map<std::string, std::size_t> cells_without;
  for (ComparedCell& cell : content.run.cells) {
    for (const std::string& metric : remove_unmeasured(cell, with_times)) {
      ++cells_without[metric];
    }
  }
  for (const auto& [metric, count] : cells_without) {
    content.not_measured.push_back(
        fmt::format("{}: {} cell{}", metric, count, count == 1 ? "" : "s"));
  }
  return content;
}

bool applies(const GateOverride& change, const std::vector<ComparedCell>& cells) {
  for (const ComparedCell& cell : cells) {
    if (!change.match.matches(cell.labels())) {
      continue;
    }
    if (glob_matches(change.metric, kSupportF1ToReference) ||
        glob_matches(change.metric, kAngleToReference)) {
      return true;
    }
    for (const std::string& metric : cell.metric_names()) {
      if (glob_matches(change.metric, metric)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace spca
