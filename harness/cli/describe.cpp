#include "harness/cli/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/cli/command.h"
#include "harness/cli/output.h"
#include "harness/experiments/experiment.h"
#include "harness/peers/peer.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/data/data_folder.h"
#include "spca/io/json_file.h"

namespace spca::cli {

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

/// What the conformance tests leave open: whole numbers may tie in exact arithmetic, and the ways of
/// computing S round differently.
constexpr const char* kTies =
    "where variables tie but for rounding, the answer may differ between dense data, sparse data "
    "and "
    "S itself, and between orders of the variables";
constexpr const char* kTiesOfExact = "the value does not depend on how ties are broken";

Json describe_solver(const std::string& name, const GlobalOptions&) {
  Json description = solver_description(find_solver(name, "describe"));
  description["name"] = name;
  return description;
}

Json describe_dataset(const std::string& name, const GlobalOptions&) {
  const DatasetEntry& entry = DatasetRegistry::instance().get(name, "describe");
  return {{"name", name},
          {"summary", entry.traits.summary},
          {"shape", entry.traits.shape},
          {"source", entry.traits.source},
          {"generated", entry.traits.generated},
          {"files", entry.traits.files},
          {"options", entry.describe()}};
}

Json describe_metric(const std::string& name, const GlobalOptions&) {
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

Json describe_experiment(const std::string& name, const GlobalOptions& global) {
  Json description;
  Json profiles = Json::object();
  for (const std::string& profile : experiment_profiles(find_experiment(name))) {
    ExperimentOverrides overrides;
    overrides.profile = profile;
    const Experiment experiment =
        load_experiment(find_experiment(name), overrides, data_directory(global.data_dir));
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

using Describe = Json (*)(const std::string& name, const GlobalOptions& global);

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

Json description_of(const std::string& kind, const std::string& name, const GlobalOptions& global) {
  return describer(kind)(name, global);
}

namespace {

/// A word as it is, a list of words with commas, anything else as JSON.
std::string plain(const Json& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  if (value.is_array()) {
    std::vector<std::string> words;
    for (const Json& item : value) {
      words.push_back(plain(item));
    }
    return join(words);
  }
  return value.is_boolean() ? (value.get<bool>() ? "yes" : "no") : json_line(value);
}

/// Returns ">= 0, < 1" or "a, b, c"; empty if every value of the type is accepted.
std::string accepted_values(const Json& option) {
  std::vector<std::string> limits;
  for (const auto& [key, sign] : {std::pair{"minimum", ">="},
                                  {"exclusive_minimum", ">"},
                                  {"maximum", "<="},
                                  {"exclusive_maximum", "<"}}) {
    if (option.contains(key)) {
      limits.push_back(fmt::format("{} {:g}", sign, option[key].get<double>()));
    }
  }
  return option.contains("choices") ? plain(option["choices"]) : join(limits);
}

std::string options_text(const Json& options) {
  if (options.empty()) {
    return "options: none\n";
  }
  std::vector<std::vector<std::string>> rows;
  for (const Json& option : options) {
    const Json& value = option["default"];
    rows.push_back({"  " + option["name"].get<std::string>(), option["type"].get<std::string>(),
                    "default " + (value.is_array() ? plain(value) : json_line(value)),
                    accepted_values(option), option["help"].get<std::string>()});
  }
  return "options (--set option=value):\n" + aligned(rows);
}

std::string text_of(const Json& description) {
  std::vector<std::vector<std::string>> rows;
  std::string rest;
  for (const auto& [key, value] : description.items()) {
    if (key == "options") {
      rest = fmt::format("\n{}", options_text(value));
    } else if (value.is_object()) {
      for (const auto& [inner_key, inner] : value.items()) {
        rows.push_back({fmt::format("{}.{}", key, inner_key),
                        inner.is_object() ? json_line(inner) : plain(inner)});
      }
    } else if (!value.is_null() && !plain(value).empty()) {
      rows.push_back({key, plain(value)});
    }
  }
  return aligned(rows) + rest;
}

/// A name alone says of itself which kind it is, or what is missing.
void require_name(const std::string& kind, const std::string& name) {
  if (!name.empty()) {
    return;
  }
  for (const auto& [its_kind, names] : {std::pair("solver", SolverRegistry::instance().names()),
                                        std::pair("dataset", DatasetRegistry::instance().names()),
                                        std::pair("metric", MetricRegistry::instance().names()),
                                        std::pair("experiment", experiment_names())}) {
    if (std::find(names.begin(), names.end(), kind) != names.end()) {
      throw InputError(fmt::format("KIND: found the name \"{0}\"; accepted: spca describe {1} {0}",
                                   kind, its_kind));
    }
  }
  describer(kind);  // refuses what is no kind
  throw InputError(fmt::format("NAME: found none; accepted: a name from `spca list {}s`", kind));
}

std::function<int()> declare_describe(Declarations& declare, const GlobalOptions& global) {
  struct Options {
    std::string kind, name;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  declare.positional("KIND", options->kind, "solver, dataset, metric or experiment");
  declare.optional_positional("NAME", options->name, "its name, from spca list");
  declare.flag("--json", options->json, "JSON instead of text");
  return [options, &global] {
    require_name(options->kind, options->name);
    const Json description = description_of(options->kind, options->name, global);
    options->json ? write_json(description) : write_stdout(text_of(description));
    return kExitOk;
  };
}

SPCA_COMMAND("describe", "What a solver, data set, metric or experiment is, with all its options",
             "  spca describe solver tpower\n  spca describe metric adjusted_variance --json",
             declare_describe);

}  // namespace
}  // namespace spca::cli
