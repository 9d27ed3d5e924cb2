#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "harness/records/record_index.h"
#include "harness/runs/finished_run.h"
#include "harness/runs/run_plan.h"
#include "harness/tables/number_text.h"
#include "spca/io/json_file.h"
#include "spca/io/progress.h"

namespace spca::cli {
namespace {

struct RunOptions {
  std::string experiment;
  RunArguments arguments;
  bool json = false;
};

/// Returns k, and the deflation if there is one.
std::string rule_text(const Variant& variant) {
  const std::string deflation = deflation_name(variant);
  return "k=" + cardinality_text(variant.cardinality) + (deflation.empty() ? "" : " " + deflation);
}

Json plan_json(const RunRequest& request, const RunPlan& plan) {
  Json cells = Json::array();
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const Variant& variant = request.experiment->variants[plan.cells[i].variant];
    const PlannedCell& planned = plan.planned[i];
    const bool is_hit = planned.source != CellSource::kSolve;
    cells.push_back({{"key", planned.key},
                     {"grid", variant.grid},
                     {"dataset", variant.dataset_label},
                     {"solver", variant.solver_label},
                     {"deflation", deflation_name(variant)},
                     {"cardinality", variant.cardinality},
                     {"repeat", plan.cells[i].repeat},
                     {"hit", is_hit},
                     {"from", is_hit ? Json(cell_source_name(planned.source)) : Json(nullptr)},
                     {"reason", is_hit ? Json(nullptr) : Json(planned.reason)},
                     {"predicted_seconds", number_to_json(planned.predicted_seconds)}});
  }
  return {{"experiment", request.experiment->name},
          {"profile", request.experiment->profile},
          {"directory", request.directory.string()},
          {"cache", request.cache_dir.empty() ? Json(nullptr) : Json(request.cache_dir.string())},
          {"shard", request.shard.of > 1 ? Json(shard_text(request.shard)) : Json(nullptr)},
          {"cells", cells},
          {"totals",
           {{"cells", plan.cells.size()},
            {"hits_in_run", plan.count(CellSource::kRun)},
            {"hits_in_cache", plan.count(CellSource::kCache)},
            {"only_measured", plan.count(CellSource::kMeasure)},
            {"misses", plan.count(CellSource::kSolve)},
            {"predicted_seconds", plan.predicted_seconds},
            {"unpredicted", plan.unpredicted}}}};
}

std::string totals_text(const RunRequest& request, const RunPlan& plan) {
  const std::size_t misses = plan.count(CellSource::kSolve);
  std::string time = "nothing to solve";
  if (misses > 0 && plan.unpredicted == misses) {
    time = "time unknown";
  } else if (misses > 0) {
    time = fmt::format(
        "about {} of solving, with -j {} about {}{}", format_duration(plan.predicted_seconds),
        request.jobs, format_duration(plan.predicted_seconds / request.jobs),
        plan.unpredicted == 0 ? ""
                              : fmt::format(", and {} cells of unknown time", plan.unpredicted));
  }
  const std::size_t measured = plan.count(CellSource::kMeasure);
  return fmt::format(
      "{} cells: {} hits in the run, {} hits in the cache, {}{} misses: {}\n", plan.cells.size(),
      plan.count(CellSource::kRun), plan.count(CellSource::kCache),
      measured == 0 ? "" : fmt::format("{} only to be measured, ", measured), misses, time);
}

/// Describes where a cell that is not solved has its answer.
std::string where_text(CellSource source) {
  return source == CellSource::kMeasure ? "metrics are measured again"
                                        : fmt::format("in the {}", cell_source_name(source));
}

std::string plan_text(const RunRequest& request, const RunPlan& plan) {
  constexpr std::size_t kShortKey = 12;
  std::vector<std::vector<std::string>> rows = {
      {"key", "dataset", "solver", "rule", "repeat", "state", "why", "predicted"}};
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const Variant& variant = request.experiment->variants[plan.cells[i].variant];
    const PlannedCell& planned = plan.planned[i];
    const bool is_hit = planned.source != CellSource::kSolve;
    const std::string predicted = std::isfinite(planned.predicted_seconds)
                                      ? fmt::format("{:.3g} s", planned.predicted_seconds)
                                      : "unknown";
    rows.push_back({planned.key.substr(0, kShortKey), variant.dataset_label, variant.solver_label,
                    rule_text(variant), std::to_string(plan.cells[i].repeat),
                    is_hit ? "hit" : "miss", is_hit ? where_text(planned.source) : planned.reason,
                    is_hit ? "" : predicted});
  }
  return aligned(rows) + totals_text(request, plan);
}

int show_plan(const RunOptions& options, const GlobalOptions& global) {
  const Experiment experiment = load_with(options.experiment, options.arguments, global);
  const RunRequest request =
      run_request(experiment, options.arguments, options.arguments.directory, global);
  const RunPlan plan = plan_run(request);
  if (options.json) {
    write_json(plan_json(request, plan));
  } else {
    write_stdout(plan_text(request, plan));
  }
  return kExitOk;
}

int run(const RunOptions& options, const GlobalOptions& global) {
  const FinishedRun run =
      run_once(options.experiment, options.arguments, options.arguments.directory, global);
  if (options.json) {
    Json json = {{"experiment", run.experiment.name},
                 {"profile", run.experiment.profile},
                 {"directory", run.directory.string()}};
    json.update(summary_json(run.summary));
    write_json(json);
  } else {
    write_stdout(run.directory.string() + "\n");
  }
  return exit_code(run.summary);
}

std::function<int()> declare_run(Declarations& declare, const GlobalOptions& global) {
  const auto options = std::make_shared<RunOptions>();
  RunArguments& arguments = options->arguments;
  declare.positional("EXPERIMENT", options->experiment, "File or name of an experiment.");
  declare_profile_and_jobs(declare, arguments);
  declare_cell_words(declare, arguments);
  declare.option("--shard I/N", arguments.shard,
                 "Run only the I-th of N parts; `spca merge` joins them.");
  declare.flag_or_value("--force[=GLOB]", arguments.force, kForceAll,
                        "Solve all cells again, or only those whose solver, data set or "
                        "SOLVER/DATASET matches GLOB.");
  declare.flag("--dry-run", arguments.dry_run,
               "Print for each cell whether its answer is in the cache, why, and its predicted "
               "time. Run nothing.");
  declare_quiet(declare, arguments);
  declare.flag(
      "--json", options->json,
      "Print the summary, or with --dry-run the cells, as JSON instead of the run's folder.");
  return [options, &global] {
    return options->arguments.dry_run ? show_plan(*options, global) : run(*options, global);
  };
}

SPCA_COMMAND("run", CommandGroup::kExperiments, "Run the unfinished cells of an experiment",
             "  spca run quickstart\n"
             "  spca run quickstart --dry-run\n"
             "  spca run quickstart --force='tpower/*'\n"
             "  spca run spannogram/spiked --shard 1/2\n"
             "  spca run spannogram/spiked --profile smoke -j 2 --only solver 'tp*'\n"
             "  spca run quickstart --set /grids/spiked/repeats=20 --set "
             "'/grids/spiked/cardinality=[5, 10]'",
             declare_run);

}  // namespace
}  // namespace spca::cli
