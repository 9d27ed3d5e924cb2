#include <memory>
#include <nlohmann/json.hpp>

#include "harness/answers/lists.h"
#include "harness/cli/command.h"
#include "harness/cli/output.h"

namespace spca::cli {
namespace {

std::function<int()> declare_list(Declarations& declare, const GlobalOptions&) {
  struct Options {
    std::string what;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  declare.positional(
      "WHAT", options->what,
      "Kind of names: solvers, datasets, metrics, experiments, deflations or peers.");
  declare.flag("--json", options->json, "Print a JSON list instead of a table.");
  return [options] {
    const Json list = list_of(options->what);
    if (options->json) {
      write_json(list);
      return kExitOk;
    }
    std::vector<std::vector<std::string>> rows;
    for (const Json& item : list) {
      rows.push_back({item["name"].get<std::string>(), item["summary"].get<std::string>()});
      if (item.contains("here")) {
        rows.back().push_back(item["here"].get<std::string>());
      }
    }
    write_stdout(aligned(rows));
    return kExitOk;
  };
}

SPCA_COMMAND("list", CommandGroup::kProgram,
             "List the solvers, data sets, metrics, experiments, deflations or peers",
             "  spca list solvers\n  spca list metrics --json", declare_list);

}  // namespace
}  // namespace spca::cli
