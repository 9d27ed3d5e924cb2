#include "spca/solving/solve.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/output.h"
#include "harness/cli/ranks.h"
#include "harness/cli/solve_report.h"
#include "harness/cli/solve_watchdog.h"
#include "spca/base/interrupt.h"
#include "spca/base/standard_error.h"

namespace spca::cli {
namespace {

std::function<int()> declare_solve(Declarations& declare, const GlobalOptions& global) {
  struct Options {
    SolveArguments arguments;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  declare_solve_words(declare, options->arguments);
  declare.flag("--json", options->json, "JSON instead of a table");
  return [options, &global] {
    const PreparedSolve prepared = prepare_solve(options->arguments, global);
    const StopSignals signals(StopSignals::Repeat::kOnce);
    SolveOutcome outcome;
    {
      const SolveWatchdog watchdog(prepared.request.solver->name, prepared.request.seconds);
      outcome = solve(prepared.request);
    }
    const SolveReport report = judged_report(prepared, std::move(outcome));
    // In ranks, all make the report, because it asks S, and one prints it.
    options->json ? write_json(report_json(prepared, report))
                  : write_stdout(report_text(prepared, report));
    const Solution& solution = report.outcome.solution;
    if (stop_requested()) {
      if (speaks_for_all()) {
        say("spca: interrupted; what was found before is printed");
      }
      return kExitInterrupted;
    }
    if (!report.usable && speaks_for_all()) {
      say("spca: {}: {}{}{}", prepared.request.solver->name, status_name(solution.status),
          solution.message.empty() ? "" : ": ", solution.message);
    }
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
