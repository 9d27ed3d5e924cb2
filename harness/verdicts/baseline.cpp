#include "harness/verdicts/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "spca/io/json_file.h"

namespace spca {
namespace {

std::string dump(const Json& json) {
  // A message may quote bytes of the user's file that are not UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Loadings to kLoadingDigits.
double rounded(double value) { return std::stod(fmt::format("{:.{}g}", value, kLoadingDigits)); }

Json components_json(const std::vector<Component>& components) {
  Json list = Json::array();
  for (const Component& component : components) {
    std::vector<double> values;
    for (const double value : component.values) {
      values.push_back(rounded(value));
    }
    list.push_back({{"indices", component.support}, {"values", values}});
  }
  return list;
}

/// One number or word a repeat.
template <class Value>
Json by_repeat(const CellEvidence& cell, Value value) {
  Json list = Json::array();
  for (const RepeatEvidence& repeat : cell.repeats) {
    list.push_back(value(repeat));
  }
  return list;
}

/// `items` one a line, between brackets.
std::string lines(const std::vector<std::string>& items, char open, char close,
                  const std::string& indent) {
  if (items.empty()) {
    return {open, close};
  }
  return fmt::format("{}\n{}  {}\n{}{}", open, indent, join(items, ",\n" + indent + "  "), indent,
                     close);
}

std::string member(const std::string& key, const std::string& text) {
  return fmt::format("{}: {}", dump(key), text);
}

std::string metrics_text(const CellEvidence& cell) {
  std::set<std::string> names;
  for (const RepeatEvidence& repeat : cell.repeats) {
    for (const auto& [name, value] : repeat.metrics) {
      names.insert(name);
    }
  }
  std::vector<std::string> members;
  for (const std::string& name : names) {
    members.push_back(member(name, dump(by_repeat(cell, [&](const RepeatEvidence& repeat) {
                               const auto position = repeat.metrics.find(name);
                               return position == repeat.metrics.end()
                                          ? Json(nullptr)
                                          : number_to_json(position->second);
                             }))));
  }
  return lines(members, '{', '}', "      ");
}

std::string loadings_text(const CellEvidence& cell) {
  std::vector<std::string> items;
  for (const RepeatEvidence& repeat : cell.repeats) {
    items.push_back(dump(components_json(repeat.components)));
  }
  return lines(items, '[', ']', "      ");
}

std::string cell_text(const CellEvidence& cell) {
  const auto list = [&](auto value) { return dump(by_repeat(cell, value)); };
  return lines(
      {member("grid", dump(cell.grid)), member("dataset", dump(cell.dataset)),
       member("solver", dump(cell.solver)), member("deflation", dump(cell.deflation)),
       member("cardinality", dump(cell.cardinality)),
       member("dataset_name", dump(cell.dataset_name)),
       member("dataset_options", dump(cell.dataset_options)),
       member("solver_name", dump(cell.solver_name)),
       member("solver_options", dump(cell.solver_options)),
       member("unconstrained", dump(cell.unconstrained)),
       member("repeats", list([](const RepeatEvidence& repeat) { return repeat.repeat; })),
       member("seeds", list([](const RepeatEvidence& repeat) { return repeat.seed; })),
       member("status", list([](const RepeatEvidence& r) { return status_name(r.status); })),
       member("messages", list([](const RepeatEvidence& repeat) { return repeat.message; })),
       member("contended", list([](const RepeatEvidence& repeat) { return repeat.contended; })),
       member("metrics", metrics_text(cell)), member("loadings", loadings_text(cell))},
      '{', '}', "    ");
}

bool is_measured(const CellEvidence& cell, const std::string& metric) {
  return std::any_of(cell.repeats.begin(), cell.repeats.end(), [&](const RepeatEvidence& repeat) {
    const auto position = repeat.metrics.find(metric);
    return position != repeat.metrics.end() && std::isfinite(position->second);
  });
}

/// The metrics that are left out because they were never measured.
std::set<std::string> keep_measured(CellEvidence& cell, bool with_times) {
  std::set<std::string> dropped;
  for (RepeatEvidence& repeat : cell.repeats) {
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

std::optional<GateRule> Baseline::rule(const CellEvidence& cell, const std::string& metric) const {
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

BaselineContent baseline_content(RunEvidence evidence, bool with_times) {
  BaselineContent content{.evidence = std::move(evidence), .not_measured = {}};
  std::map<std::string, std::size_t> cells_without;
  for (CellEvidence& cell : content.evidence.cells) {
    for (const std::string& metric : keep_measured(cell, with_times)) {
      ++cells_without[metric];
    }
  }
  for (const auto& [metric, count] : cells_without) {
    content.not_measured.push_back(
        fmt::format("{}: {} cell{}", metric, count, count == 1 ? "" : "s"));
  }
  return content;
}

std::string baseline_text(const Baseline& baseline) {
  const RunEvidence& evidence = baseline.evidence;
  std::vector<std::string> overrides;
  for (const GateOverride& change : baseline.overrides) {
    overrides.push_back(dump(change.json));
  }
  std::vector<std::string> cells;
  for (const CellEvidence& cell : evidence.cells) {
    cells.push_back(cell_text(cell));
  }
  return lines({member("format", "\"spca-baseline\""), member("version", "1"),
                member("experiment", dump(evidence.experiment)),
                member("run", dump(evidence.overrides)), member("machine", dump(evidence.machine)),
                member("revision", dump(evidence.revision)),
                member("overrides", lines(overrides, '[', ']', "  ")),
                member("cells", lines(cells, '[', ']', "  "))},
               '{', '}', "") +
         "\n";
}

}  // namespace spca
