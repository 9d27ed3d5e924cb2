#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "harness/cli/command.h"
#include "harness/cli/output.h"
#include "harness/cli/sample_scores.h"
#include "harness/cli/solve_result.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/base/standard_error.h"
#include "spca/io/file_descriptor.h"

namespace spca::cli {
namespace {

struct ProjectOptions {
  std::string result, output;
  DataArguments data;
};

/// A name as the result has it: JSON keeps no byte that is not UTF-8.
std::string as_in_json(const std::string& name) {
  return parse_json(json_line(Json(name))).get<std::string>();
}

/// The components on the columns of the new data: by name if both have names, else by place.
std::vector<Component> on_columns_of(const Dataset& raw, const StoredResult& result,
                                     const std::string& file) {
  const bool is_by_name = !raw.variable_names.empty() && !result.names.front().empty();
  if (!is_by_name && raw.covariance->variables() != result.variables) {
    throw InputError(fmt::format(
        "{}: found {} columns; accepted: {}, as the result has, or names of columns in both", file,
        raw.covariance->variables(), result.variables));
  }
  if (!is_by_name) {
    return result.components;
  }
  std::unordered_map<std::string, Index> places;
  for (std::size_t j = 0; j < raw.variable_names.size(); ++j) {
    if (!places.emplace(as_in_json(raw.variable_names[j]), static_cast<Index>(j)).second) {
      throw InputError(fmt::format("{}: found two columns {}; accepted: each name once", file,
                                   raw.variable_names[j]));
    }
  }
  std::vector<Component> components = result.components;
  for (std::size_t j = 0; j < components.size(); ++j) {
    for (std::size_t i = 0; i < components[j].support.size(); ++i) {
      const auto place = places.find(result.names[j][i]);
      if (place == places.end()) {
        throw InputError(fmt::format("{}: no column {}; accepted: every variable of the result",
                                     file, result.names[j][i]));
      }
      components[j].support[i] = place->second;
    }
  }
  return components;
}

int project(const ProjectOptions& options, const GlobalOptions& global) {
  if (options.data.data.empty()) {
    throw InputError("no data given; accepted: --data FILE");
  }
  const StoredResult result = read_result(options.result);
  Settings settings = read_settings({});
  check_data_arguments(options.data, settings);
  const Json& before = result.data.is_object() && result.data.contains("options")
                           ? result.data["options"]
                           : settings.dataset;
  if (before.contains("weights") && before["weights"] == "tf-idf") {
    throw InputError(fmt::format(
        "{}: its words have weights tf-idf, which depend on all documents; accepted: counts or "
        "binary weights",
        options.result));
  }
  if (before.contains("weights")) {
    settings.dataset["weights"] = before["weights"];
  }
  const bool is_of_genotypes = !result.prepared.front().alleles.empty();
  const Dataset raw = is_of_genotypes ? load_data(options.data, settings, global, 1)
                                      : load_raw(options.data, settings, global, 1);
  if (raw.covariance->samples() == 0) {
    throw InputError(
        fmt::format("{}: is a covariance matrix; accepted: samples", options.data.data));
  }
  for (const std::string& note : raw.notes) {
    say("spca: {}", note);
  }
  std::vector<Component> components = on_columns_of(raw, result, options.data.data);
  std::vector<Preparation> prepared = result.prepared;
  if (is_of_genotypes) {
    turn_to_alleles(raw, options.data.data, components, prepared);
  }
  const std::string text = scores_csv(raw.sample_names, sample_scores(raw, components, prepared));
  options.output.empty() ? write_stdout(text) : write_file_atomically(options.output, text);
  return kExitOk;
}

std::function<int()> declare_project(Declarations& declare, const GlobalOptions& global) {
  const auto options = std::make_shared<ProjectOptions>();
  declare.positional("RESULT", options->result, "a file that `spca solve -o FILE.json` wrote");
  declare_reading_arguments(declare, options->data);
  declare.option("-o,--output", options->output, "a file of CSV instead of standard output");
  return [options, &global] { return project(*options, global); };
}

SPCA_COMMAND("project", "Scores of new samples on the components of a result",
             "  spca solve --data x.csv --cardinality 5 -o result.json\n"
             "  spca project result.json --data new.csv -o scores.csv",
             declare_project);

}  // namespace
}  // namespace spca::cli
