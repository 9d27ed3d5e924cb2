#include <memory>
#include <nlohmann/json.hpp>

#include "spca/cli/command.h"
#include "spca/cli/describe.h"
#include "spca/cli/output.h"
#include "spca/deflation.h"
#include "spca/error.h"
#include "spca/experiment.h"

namespace spca::cli {
namespace {

/// One object an entry, "name" and "summary" first.
Json list_solvers() {
  Json list = Json::array();
  for (const auto& [name, entry] : SolverRegistry::instance().entries()) {
    list.push_back({{"name", name},
                    {"summary", entry.traits.summary},
                    {"rule", rule_name(entry.traits.rule)},
                    {"multiple_components", entry.traits.multiple_components},
                    {"exact", entry.traits.exact},
                    {"source", entry.traits.source}});
  }
  return list;
}

Json list_datasets() {
  Json list = Json::array();
  for (const auto& [name, entry] : DatasetRegistry::instance().entries()) {
    list.push_back({{"name", name},
                    {"summary", entry.traits.summary},
                    {"shape", entry.traits.shape},
                    {"generated", entry.traits.generated},
                    {"source", entry.traits.source}});
  }
  return list;
}

Json list_metrics() {
  Json list = Json::array();
  for (const auto& [name, entry] : MetricRegistry::instance().entries()) {
    list.push_back({{"name", name},
                    {"summary", entry.traits.formula},
                    {"unit", entry.traits.unit},
                    {"direction", direction_name(entry.traits.direction)}});
  }
  return list;
}

Json list_experiments() {
  Json list = Json::array();
  for (const std::string& name : experiment_names()) {
    list.push_back({{"name", name}, {"summary", experiment_title(name)}});
  }
  return list;
}

Json list_deflations() {
  Json list = Json::array();
  for (const auto& [name, entry] : DeflationRegistry::instance().entries()) {
    list.push_back({{"name", name},
                    {"summary", entry.summary},
                    {"formula", entry.formula},
                    {"disjoint", entry.disjoint}});
  }
  return list;
}

const std::vector<std::pair<std::string, Json (*)()>>& lists() {
  static const std::vector<std::pair<std::string, Json (*)()>> all = {
      {"solvers", list_solvers},
      {"datasets", list_datasets},
      {"metrics", list_metrics},
      {"experiments", list_experiments},
      {"deflations", list_deflations}};
  return all;
}

Json list_of(const std::string& what) {
  std::vector<std::string> names;
  for (const auto& [name, list] : lists()) {
    if (name == what) {
      return list();
    }
    names.push_back(name);
  }
  throw InputError(fmt::format("list: unknown kind \"{}\"{}; accepted: {}", what,
                               did_you_mean(what, names), join(names)));
}

std::function<int()> declare_list(Declarations& declare, const GlobalOptions&) {
  struct Options {
    std::string what;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  declare.positional("WHAT", options->what,
                     "solvers, datasets, metrics, experiments or deflations");
  declare.flag("--json", options->json, "a JSON list instead of a table");
  return [options] {
    const Json list = list_of(options->what);
    if (options->json) {
      write_json(list);
      return kExitOk;
    }
    std::vector<std::vector<std::string>> rows;
    for (const Json& item : list) {
      rows.push_back({item["name"].get<std::string>(), item["summary"].get<std::string>()});
    }
    write_stdout(aligned(rows));
    return kExitOk;
  };
}

SPCA_COMMAND("list", "Names of solvers, data sets, metrics, experiments or deflations",
             "  spca list solvers\n  spca list metrics --json", declare_list);

}  // namespace
}  // namespace spca::cli
