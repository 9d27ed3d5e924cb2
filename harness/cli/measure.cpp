#include "harness/runs/run_measure.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/arguments.h"
#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "harness/runs/cell_cache.h"
#include "harness/runs/find_run.h"
#include "spca/base/standard_error.h"
#include "spca/data/data_folder.h"

namespace spca::cli {
namespace {

struct MeasureOptions {
  std::string run;
  std::vector<std::string> metrics;
  std::string jobs;
  bool json = false;
};

int measure(const MeasureOptions& options, const GlobalOptions& global) {
  const MeasureRequest request{.directory = find_run(options.run),
                               .data_dir = data_directory(global.data_dir),
                               .metrics = options.metrics,
                               .cache_dir = cache_directory(),
                               .jobs = jobs_from(options.jobs)};
  const MeasuredRun measured = measure_run(request);
  if (options.json) {
    write_json({{"directory", request.directory.string()},
                {"metrics", measured.metrics},
                {"answers", measured.answers},
                {"measured", measured.measured},
                {"unmeasured", measured.unmeasured},
                {"failures", measured.failures},
                {"interrupted", measured.interrupted}});
  } else {
    write_stdout(request.directory.string() + "\n");
  }
  say("{} of {} answers measured again, the others had these metrics; none solved",
      measured.measured, measured.answers);
  if (measured.unmeasured > 0) {
    say("spca: {} answers could not be measured: {}", measured.unmeasured, measured.why_unmeasured);
  }
  return exit_code(measured);
}

std::function<int()> declare_measure(Declarations& declare, const GlobalOptions& global) {
  const auto options = std::make_shared<MeasureOptions>();
  declare.positional("RUN", options->run,
                     "Folder of a run, or an experiment, whose newest run is used.");
  declare.repeatable("--metric NAME", options->metrics,
                     "Metric or glob to measure in addition to the experiment's metrics.");
  declare.option("-j,--jobs N", options->jobs,
                 "Number of cells that are measured at a time (default 1).");
  declare.flag("--json", options->json, "Print the counts as JSON instead of the run's folder.");
  return [options, &global] { return measure(*options, global); };
}

SPCA_COMMAND("measure", CommandGroup::kResults,
             "Measure a run's metrics from its stored loadings, without solving",
             "  spca measure quickstart\n"
             "  spca measure quickstart --metric score_correlation\n"
             "  spca measure results/runs/quickstart/full --metric 'theorem5_*' --json",
             declare_measure);

}  // namespace
}  // namespace spca::cli
