#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "harness/cli/command.h"
#include "harness/cli/output.h"
#include "harness/cli/sample_scores.h"
#include "harness/cli/solve_result.h"
#include "spca/base/error.h"
#include "spca/base/standard_error.h"
#include "spca/base/text.h"
#include "spca/io/file_descriptor.h"

namespace spca::cli {
namespace {

struct ProjectOptions {
  std::string result, output;
  DataArguments data;
};

/// The columns of the new data that share a name; `first` is the first of them.
struct NamedColumns {
  Index first = 0;
  Index count = 0;
};

/// The new columns by name, and the name of their file for messages.
struct NewColumns {
  std::string file;
  std::vector<std::string> names = {};  // in the spelling of a result
  std::unordered_map<std::string, NamedColumns> by_name = {};
};

NewColumns new_columns(const Dataset& raw, const std::string& file) {
  NewColumns columns{.file = file};
  for (const std::string& name : raw.variable_names) {
    columns.names.push_back(name_in_json(name));
    const auto at = std::ssize(columns.names) - 1;
    ++columns.by_name.emplace(columns.names.back(), NamedColumns{.first = at}).first->second.count;
  }
  return columns;
}

/// Returns a name of the result that several variables have, in the result's data or in the new
/// data; empty if there is none. Throws InputError if the new data lack a name.
std::string name_of_several(const NewColumns& columns, const StoredResult& result) {
  std::string found;
  for (const std::vector<std::string>& names : result.names) {
    for (const std::string& name : names) {
      const auto column = columns.by_name.find(name);
      if (column == columns.by_name.end()) {
        throw InputError(fmt::format("{}: no column {}; accepted: every variable of the result",
                                     columns.file, name));
      }
      const bool is_shared = result.shared_names.contains(name);
      if (found.empty() && (is_shared || column->second.count > 1)) {
        found = name;
      }
    }
  }
  return found;
}

/// Returns true if the new data have as many columns as the data of the result, and each variable
/// of the answer has its name at the same position.
bool has_names_in_place(const NewColumns& columns, const StoredResult& result) {
  if (std::ssize(columns.names) != result.variables) {
    return false;
  }
  for (std::size_t j = 0; j < result.components.size(); ++j) {
    const Support& support = result.components[j].support;
    for (std::size_t i = 0; i < support.size(); ++i) {
      if (columns.names[static_cast<std::size_t>(support[i])] != result.names[j][i]) {
        return false;
      }
    }
  }
  return true;
}

/// Returns the components of the result by position, because several variables are called `name`.
/// Throws InputError if the columns are not in the order of the result.
std::vector<Component> in_place(const std::string& name, const NewColumns& columns,
                                const StoredResult& result) {
  const NamedColumns& named = columns.by_name.at(name);
  const bool is_new = named.count > 1;
  if (!has_names_in_place(columns, result)) {
    throw InputError(fmt::format(
        "{}: several variables of {} are called {}, and the new columns are not in the places of "
        "the result; accepted: the {} columns of the result in their order, or names of their own",
        columns.file, is_new ? "it" : result.file, in_quotes(name), result.variables));
  }
  say("spca: {}: several variables of {} are called {}; all are taken by place", columns.file,
      is_new ? "it" : result.file, in_quotes(name));
  return result.components;
}

/// Returns the components on the columns of the new data: by name if both have names and no needed
/// name is ambiguous, else by position.
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
  const NewColumns columns = new_columns(raw, file);
  if (const std::string name = name_of_several(columns, result); !name.empty()) {
    return in_place(name, columns, result);
  }
  if (!result.records_shared_names) {
    say("spca: {}: an older program wrote it, and it does not say whether its names are unique; "
        "variables are taken by name",
        result.file);
  }
  std::vector<Component> components = result.components;
  for (std::size_t j = 0; j < components.size(); ++j) {
    for (std::size_t i = 0; i < components[j].support.size(); ++i) {
      components[j].support[i] = columns.by_name.at(result.names[j][i]).first;
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
  PreparedComponents answer = {.components = on_columns_of(raw, result, options.data.data),
                               .prepared = result.prepared};
  if (is_of_genotypes) {
    answer = turned_to_alleles(std::move(answer), raw, options.data.data);
  }
  for (const std::string& note : raw.notes) {
    say("spca: {}", note);
  }
  const std::string text =
      scores_csv(raw.sample_names, sample_scores(raw, answer.components, answer.prepared));
  options.output.empty() ? write_stdout(text) : write_file_atomically(options.output, text);
  return kExitOk;
}

std::function<int()> declare_project(Declarations& declare, const GlobalOptions& global) {
  const auto options = std::make_shared<ProjectOptions>();
  declare.positional("RESULT", options->result, "File that `spca solve -o FILE.json` wrote.");
  declare_reading_arguments(declare, options->data);
  declare.option("-o,--output FILE", options->output,
                 "Write CSV to FILE instead of standard output.");
  return [options, &global] { return project(*options, global); };
}

SPCA_COMMAND("project", CommandGroup::kYourData,
             "Compute the scores of new samples on the components of a result",
             "  spca solve --data x.csv --cardinality 5 -o result.json\n"
             "  spca project result.json --data new.csv -o scores.csv",
             declare_project);

}  // namespace
}  // namespace spca::cli
