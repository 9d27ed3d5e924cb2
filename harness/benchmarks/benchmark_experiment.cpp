#include "harness/benchmarks/benchmark_experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "harness/instances/asked_instances.h"
#include "spca/base/json_text.h"

namespace spca {
namespace {

constexpr const char* kName = "benchmark";

/// Returns a name of a grid that no other grid has: letters, digits and _.
std::string grid_name(const KnownInstance& known, std::set<std::string>& used) {
  std::string name =
      fmt::format("{}_{}_r{}", grid_word(*known.of), known.data->label, known.instance->r);
  for (char& letter : name) {
    const bool is_plain =
        (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_';
    letter = is_plain ? letter : '_';
  }
  while (!used.insert(name).second) {
    name += "x";
  }
  return name;
}

Json solvers_of(const InstanceClass& of, const std::vector<SolverChoice>& solvers) {
  Json list = Json::array();
  for (SolverChoice solver : solvers) {
    if (is_asked(of, *solver.entry)) {
      solver.name = with_absolute_path(solver.name);
      // A proof counts only if it is as accurate as the class asks.
      if (solver.name == of.prover && !of.prover_options.empty()) {
        Json options = of.prover_options;
        options.update(solver.options);
        solver.options = options;
      }
      list.push_back(solver_entry(solver));
    }
  }
  return list;
}

Json grid_of(const KnownInstance& known, const Json& solvers) {
  const InstanceClass& of = *known.of;
  Json metrics = {of.metric, "products", "solve_seconds", "peak_bytes"};
  if (!of.prover.empty()) {
    metrics.push_back("upper_bound");
  }
  const Json dataset = {{"name", known.data->dataset},
                        {"label", known.data->label},
                        {"options", known.data->options}};
  Json grid = {{"datasets", Json::array({dataset})},
               {"solvers", solvers},
               {"components", known.instance->r},
               {"cardinality", Json::array()},
               {"metrics", metrics}};
  if (known.instance->r > 1 && !of.deflation.empty()) {
    grid["deflations"] = Json::array({of.deflation});
  }
  return grid;
}

Json grids_of(const InstanceClass& of) { return {{"grid", grid_word(of) + "_*"}}; }

Json table_of(const InstanceClass& of) {
  return {{"title", of.name},
          {"metric", of.metric},
          {"rows", "dataset"},
          {"columns", "solver"},
          {"where", grids_of(of)}};
}

void add_figures(const InstanceClass& of, Json& figures) {
  const Json where = grids_of(of);
  const auto add = [&](const char* kind, const std::string& name, const std::string& title,
                       const Json& options) {
    Json figure = {{"kind", kind},
                   {"name", name + "-" + of.name},
                   {"title", fmt::format("{}: {}", of.name, title)},
                   {"where", where}};
    figure.update(options);
    figures.push_back(std::move(figure));
  };
  add("performance-profile", "profile", "how near each solver comes to the best of them",
      {{"metric", of.metric}});
  add("shortfall-against-time", "shortfall", "shortfall from the best known values against time",
      {{"best", "library"}});
  add("instance-matrix", "matrix", "each solver on each instance", {{"best", "library"}});
}

}  // namespace

double default_time_limit(InstanceExtent extent) {
  return extent <= InstanceExtent::kSmall ? 2 : 20;
}

bool is_asked(const InstanceClass& of, const SolverEntry& solver) {
  return !of.has_several_components || !of.deflation.empty() || solver.traits.multiple_components;
}

Json benchmark_experiment(const BenchmarkRequest& request) {
  Json grids = Json::object();
  std::map<std::pair<int, std::string>, const InstanceClass*> classes;  // as benchmark_table()
  std::set<std::string> used;
  const KnownInstance* before = nullptr;
  std::string name;
  for (const KnownInstance& known : request.instances) {
    const Json solvers = solvers_of(*known.of, request.solvers);
    if (solvers.empty()) {
      continue;
    }
    classes[{known.of->generality, known.of->name}] = known.of;
    // The instances are sorted by class, data and r.
    if (before == nullptr || before->of != known.of || before->data != known.data ||
        before->instance->r != known.instance->r) {
      name = grid_name(known, used);
      grids[name] = grid_of(known, solvers);
      grids[name]["time_limit"] =
          request.time_limit.value_or(default_time_limit(extent_of(*known.data)));
    }
    grids[name]["cardinality"].push_back(known.instance->k);
    before = &known;
  }
  Json figures = Json::array();
  Json tables = Json::array();
  for (const auto& [rank, of] : classes) {
    add_figures(*of, figures);
    tables.push_back(table_of(*of));
  }
  return {{"name", kName},
          {"title", "Solvers on the library of instances"},
          {"source", "the library of instances: docs/BENCHMARK.md"},
          {"seed", 1},
          {"grids", grids},
          {"tables", tables},
          {"figures", figures}};
}

std::string find_lost_part(const Json& other, const Json& experiment) {
  if (!other.is_object() || other.value("name", Json()) != kName || !other.contains("grids") ||
      !other["grids"].is_object()) {
    return "";
  }
  const Json& grids = experiment["grids"];
  for (const auto& [name, grid] : other["grids"].items()) {
    if (!grids.contains(name)) {
      return name;
    }
    const Json& now = grids[name];
    if (!grid.is_object()) {
      continue;  // changed by hand, which the run notices
    }
    if (grid.value("time_limit", Json()) != now["time_limit"]) {
      return fmt::format("the time limit {} s of {}", json_line(grid.value("time_limit", Json())),
                         name);
    }
    for (const char* list : {"solvers", "cardinality"}) {
      for (const Json& one : grid.value(list, Json::array())) {
        if (std::find(now[list].begin(), now[list].end(), one) == now[list].end()) {
          const Json label = one.is_object() ? one.value("label", Json()) : one;
          return fmt::format(
              "{} on {}", label.is_string() ? label.get<std::string>() : "k = " + json_line(label),
              name);
        }
      }
    }
  }
  return "";
}

}  // namespace spca
