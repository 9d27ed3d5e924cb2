#include "harness/experiments/experiments_digest.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "harness/experiments/experiment.h"
#include "harness/experiments/experiment_tables.h"
#include "spca/base/json_text.h"
#include "spca/base/sha256.h"
#include "spca/covariance/deflation.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

/// Returns whether the solver is one of this project or a peer. A pattern also expands to the
/// solvers that a user added.
bool is_of_project(const SolverEntry& solver) {
  const fs::path file(solver.file);
  return file.parent_path().filename() == "solvers" || file.extension() == ".json";
}

std::string cells_text(const Experiment& experiment) {
  std::string text;
  for (const Variant& variant : experiment.variants) {
    if (is_of_project(*variant.solver)) {
      const Json cell = {variant.grid,
                         variant.dataset->name,
                         variant.dataset_options,
                         variant.solver->name,
                         variant.solver_options,
                         variant.cardinality,
                         variant.tune,
                         variant.deflation == nullptr ? "" : variant.deflation->name,
                         variant.repeats};
      text += json_line(cell) + "\n";
    }
  }
  return text;
}

std::set<std::string> compared_metrics(const Experiment& experiment) {
  std::set<std::string> metrics = {kBoundedMetric};
  for (const PublishedCell& published : experiment.published) {
    metrics.insert(published.metric);
  }
  return metrics;
}

/// Returns the numbers in the values of one metric, with the digits that two machines share.
std::string numbers_text(const Json& values) {
  if (values.is_number()) {
    return fmt::format("{:.6g} ", values.get<double>());
  }
  std::string text;
  if (values.is_array()) {
    for (const Json& value : values) {
      text += numbers_text(value);
    }
  }
  return text;
}

std::string baseline_numbers(const fs::path& file, const std::set<std::string>& metrics) {
  if (!fs::exists(file)) {
    return "";
  }
  const JsonText document = read_json_file(file);
  const Json cells = document.json().value("cells", Json::array());
  std::string text;
  for (const Json& cell : cells) {
    for (const char* label : {"grid", "dataset", "solver", "deflation", "cardinality", "status"}) {
      text += json_line(cell.value(label, Json())) + " ";
    }
    const Json measured = cell.value("metrics", Json::object());
    for (const auto& [name, values] : measured.items()) {
      text += metrics.contains(name) ? fmt::format("{} {}", name, numbers_text(values)) : "";
    }
    text += "\n";
  }
  return text;
}

/// Returns the path of the baseline of the experiment `name`, whose document is `file`.
fs::path baseline_of(const fs::path& file, const std::string& name) {
  const fs::path steps(name);
  fs::path folder = fs::absolute(file);
  for (auto step = steps.begin(); step != steps.end(); ++step) {
    folder = folder.parent_path();
  }
  return folder.parent_path() / "results/reference" / (name + ".json");
}

}  // namespace

std::string experiments_digest(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    const fs::path file = find_experiment(name);
    const Experiment experiment = load_experiment(file, {}, {});
    text += fmt::format("{}\n{}\n{}{}\n", name, json_line(read_json_file(file).json()),
                        cells_text(experiment),
                        baseline_numbers(baseline_of(file, name), compared_metrics(experiment)));
  }
  return sha256(text);
}

}  // namespace spca
