#include "harness/answers/descriptions.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/experiments/experiment.h"
#include "harness/peers/peer.h"
#include "spca/base/error.h"
#include "spca/data/data_folder.h"
#include "spca/io/json_file.h"
#include "spca/measure/metrics.h"

namespace spca {

const char* rule_name(SparsityRule rule) {
  switch (rule) {
    case SparsityRule::kCardinality:
      return "cardinality";
    case SparsityRule::kPenalty:
      return "penalty";
    case SparsityRule::kDense:
      return "dense";
  }
  SPCA_CHECK(false, "a sparsity rule without a name");
}

std::string experiment_title(const std::string& name) {
  const Json json = try_json_file(find_experiment(name));
  return json.is_object() && json.contains("title") && json["title"].is_string()
             ? json["title"].get<std::string>()
             : fmt::format("(not readable: see spca validate {})", name);
}

std::vector<std::string> experiment_profiles(const std::filesystem::path& path) {
  const JsonText text = read_json_file(path);
  std::set<std::string> names = {"full"};
  if (text.json().is_object() && text.has("/profiles") && text.json()["profiles"].is_object()) {
    for (const auto& [name, patch] : text.json()["profiles"].items()) {
      names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

namespace {

Json describe_tuning(const Traits& traits) {
  if (traits.rule != SparsityRule::kPenalty) {
    return nullptr;
  }
  return {{"option", traits.tuning.option},
          {"minimum", traits.tuning.minimum},
          {"maximum", traits.tuning.maximum},
          {"increasing", traits.tuning.increasing},
          {"logarithmic", traits.tuning.logarithmic}};
}

/// The differences between answers that the conformance tests accept: if the data are whole
/// numbers, variables may tie in exact arithmetic, and the ways of computing S round differently.
constexpr const char* kTies =
    "where variables tie but for rounding, the answer may differ between dense data, sparse data "
    "and "
    "S itself, and between orders of the variables";
constexpr const char* kTiesOfExact = "the value does not depend on how ties are broken";

Json describe_solver(const std::string& name, const std::string&) {
  Json description = solver_description(find_solver(name, "describe"));
  description["name"] = name;
  return description;
}

Json describe_dataset(const std::string& name, const std::string&) {
  const DatasetEntry& entry = DatasetRegistry::instance().get(name, "describe");
  return {{"name", name},
          {"summary", entry.traits.summary},
          {"shape", entry.traits.shape},
          {"source", entry.traits.source},
          {"generated", entry.traits.generated},
          {"files", entry.traits.files},
          {"options", entry.describe()}};
}

Json describe_metric(const std::string& name, const std::string&) {
  const MetricTraits& traits = MetricRegistry::instance().get(name, "describe").traits;
  return {{"name", name},
          {"formula", traits.formula},
          {"unit", traits.unit},
          {"direction", direction_name(traits.direction)},
          {"source", traits.source},
          {"per_component", traits.per_component},
          {"timing", traits.timing},
          {"absolute_tolerance", traits.absolute_tolerance},
          {"relative_tolerance", traits.relative_tolerance},
          {"gate", gate_name(traits.gate)},
          {"by_default", traits.by_default}};
}

Json describe_experiment(const std::string& name, const std::string& data_folder) {
  Json description;
  Json profiles = Json::object();
  for (const std::string& profile : experiment_profiles(find_experiment(name))) {
    ExperimentOverrides overrides;
    overrides.profile = profile;
    const Experiment experiment =
        load_experiment(find_experiment(name), overrides, data_directory(data_folder));
    std::set<std::string> datasets, solvers, metrics;
    for (const Variant& variant : experiment.variants) {
      datasets.insert(variant.dataset_label);
      solvers.insert(variant.solver_label);
      metrics.insert(variant.metrics.begin(), variant.metrics.end());
    }
    description = {{"name", experiment.name},
                   {"title", experiment.title},
                   {"source", experiment.source},
                   {"path", experiment.path.string()}};
    profiles[profile] = {{"cells", experiment.cells().size()},
                         {"published", experiment.published.size()},
                         {"seed", experiment.seed},
                         {"datasets", datasets},
                         {"solvers", solvers},
                         {"metrics", metrics}};
  }
  description["profiles"] = profiles;
  return description;
}

}  // namespace

Json solver_description(const SolverEntry& entry) {
  const Traits& traits = entry.traits;
  const bool unlimited = traits.largest_p == std::numeric_limits<Index>::max();
  return {{"name", entry.name},
          {"summary", traits.summary},
          {"problem", traits.problem},
          {"source", traits.source},
          {"rule", rule_name(traits.rule)},
          {"multiple_components", traits.multiple_components},
          {"disjoint", traits.disjoint},
          {"orthogonal", traits.orthogonal},
          {"laws", traits.laws},
          {"path", traits.path},
          {"warm_start", traits.warm_start},
          {"seeded", traits.seeded},
          {"exact", traits.exact},
          {"ties", traits.exact ? kTiesOfExact : kTies},
          {"largest_p", unlimited ? Json(nullptr) : Json(traits.largest_p)},
          {"tuning", describe_tuning(traits)},
          {"options", entry.describe()}};
}

namespace {

using Describe = Json (*)(const std::string& name, const std::string& data_folder);

Describe describer(const std::string& kind) {
  const std::vector<std::pair<std::string, Describe>> all = {{"solver", describe_solver},
                                                             {"dataset", describe_dataset},
                                                             {"metric", describe_metric},
                                                             {"experiment", describe_experiment}};
  std::vector<std::string> kinds;
  for (const auto& [name, describe] : all) {
    if (name == kind) {
      return describe;
    }
    kinds.push_back(name);
  }
  throw InputError(fmt::format("describe: unknown kind \"{}\"{}; accepted: {}", kind,
                               did_you_mean(kind, kinds), join(kinds)));
}

}  // namespace

void check_description_kind(const std::string& kind) { describer(kind); }

Json description_of(const std::string& kind, const std::string& name,
                    const std::string& data_folder) {
  return describer(kind)(name, data_folder);
}

}  // namespace spca
