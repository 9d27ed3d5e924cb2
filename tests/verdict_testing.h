#pragma once

/// Hand-made runs, for the tests of the comparison of runs.

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/comparisons/compared_run.h"
#include "harness/records/manifest.h"

namespace spca::trial {

/// Returns a component with these values, scaled to unit length.
inline Component component(Support support, std::vector<double> values) {
  Vector loadings = Eigen::Map<Vector>(values.data(), static_cast<Index>(values.size()));
  return {.support = std::move(support), .values = loadings / loadings.norm()};
}

/// Returns a repeat with two components whose explained variance is `value`.
inline ComparedRepeat repeat(Index number, double value) {
  return {.repeat = number,
          .seed = 17 + static_cast<std::uint64_t>(number),
          .status = Status::kConverged,
          .message = "",
          .contended = false,
          .metrics = {{"explained_variance", value}, {"iterations", 10}, {"solve_seconds", 1}},
          .components = {component({0, 3}, {0.6, 0.8}), component({1, 2}, {1, 2})}};
}

/// Returns a cell with one repeat for each value.
inline ComparedCell cell(const std::string& solver, const std::vector<double>& values) {
  ComparedCell made{.grid = "g",
                    .dataset = "pitprops",
                    .solver = solver,
                    .deflation = "projection",
                    .cardinality = {2, 2},
                    .dataset_name = "pitprops",
                    .solver_name = "tpower",
                    .dataset_options = Json::object(),
                    .solver_options = Json::object(),
                    .unconstrained = false,
                    .repeats = {}};
  for (const double value : values) {
    made.repeats.push_back(repeat(static_cast<Index>(made.repeats.size()), value));
  }
  return made;
}

inline ComparedRun run_of(std::vector<ComparedCell> cells) {
  return {.experiment = "test/gate",
          .overrides = overrides_to_json({.profile = "smoke"}),
          .machine = {{"processor", "made by hand"},
                      {"cores", 2},
                      {"architecture", "x86_64"},
                      {"compiler", "GNU"},
                      {"flags", "-O3"},
                      {"build_type", "Release"},
                      {"threads", 1}},
          .revision = {{"version", "0.1.0"}, {"sources", "00"}},
          .cells = std::move(cells)};
}

/// A run of two cells, one of them with three repeats.
inline const ComparedRun kReference = run_of({cell("a", {2}), cell("b", {3, 3, 3})});

}  // namespace spca::trial
