#include "spca/solve.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "spca/cli/output.h"
#include "spca/cli/solve_report.h"

namespace spca::cli {
namespace {

std::function<int()> declare_solve(Declarations& declare, const GlobalOptions& global) {
  struct Options {
    SolveWords words;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  declare_solve_words(declare, options->words);
  declare.flag("--json", options->json, "JSON instead of a table");
  return [options, &global] {
    const PreparedSolve prepared = prepare_solve(options->words, global);
    const SolveReport report = judge(prepared, solve(prepared.request));
    options->json ? write_json(report_json(prepared, report))
                  : write_stdout(report_text(prepared, report));
    return report.usable ? kExitOk : kExitFailed;
  };
}

SPCA_COMMAND(
    "solve", "Sparse principal components of a file or a data set",
    "  spca solve --data x.csv --solver tpower --cardinality 10 --components 3\n"
    "  spca solve --data s.npy --kind covariance --solver fullpath --cardinality 5 --json\n"
    "  spca solve --dataset pitprops --solver tpower --cardinality 7,2,1,1,1,1",
    declare_solve);

}  // namespace
}  // namespace spca::cli
