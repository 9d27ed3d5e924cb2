#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/answers/descriptions.h"
#include "harness/cli/command.h"
#include "harness/cli/help.h"
#include "harness/cli/output.h"
#include "harness/experiments/experiment.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/measure/metrics.h"

namespace spca::cli {
namespace {

constexpr std::size_t kTextColumn = 24;  // of a description, beside its name

/// Returns a word as it is, a list with commas, a boolean as "yes" or "no", and anything else as
/// JSON.
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

/// Returns "number, default 0.5, > 0: what it means".
std::string option_words(const Json& option) {
  const Json& value = option["default"];
  const std::string accepted = accepted_values(option);
  return fmt::format("{}, default {}{}: {}", plain(option["type"]),
                     value.is_array() ? plain(value) : json_line(value),
                     accepted.empty() ? "" : ", " + accepted, plain(option["help"]));
}

std::string options_text(const Json& options) {
  if (options.empty()) {
    return "options: none\n";
  }
  std::vector<HelpRow> rows;
  for (const Json& option : options) {
    rows.push_back({plain(option["name"]), option_words(option)});
  }
  return "options (--set option=value):\n" + help_rows(rows, kTextColumn, help_width());
}

std::string text_of(const Json& description) {
  std::vector<HelpRow> rows;
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
  return help_rows(rows, kTextColumn, help_width()) + rest;
}

/// Throws InputError if the name is missing. If KIND is itself the name of something, the message
/// names its kind.
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
  check_description_kind(kind);
  throw InputError(fmt::format("NAME: found none; accepted: a name from `spca list {}s`", kind));
}

std::function<int()> declare_describe(Declarations& declare, const GlobalOptions& global) {
  struct Options {
    std::string kind, name;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  declare.positional("KIND", options->kind, "Kind: solver, dataset, metric or experiment.");
  declare.optional_positional("NAME", options->name, "Name from `spca list`.");
  declare.flag("--json", options->json, "Print JSON instead of text.");
  return [options, &global] {
    require_name(options->kind, options->name);
    const Json description = description_of(options->kind, options->name, global.data_dir);
    options->json ? write_json(description) : write_stdout(text_of(description));
    return kExitOk;
  };
}

SPCA_COMMAND("describe", CommandGroup::kProgram,
             "Describe a solver, data set, metric or experiment, with all its options",
             "  spca describe solver tpower\n  spca describe metric adjusted_variance --json",
             declare_describe);

}  // namespace
}  // namespace spca::cli
