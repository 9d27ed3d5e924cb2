#include "harness/cli/reproduction_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/runs/run_plan.h"

namespace spca::cli {
namespace {

/// The assumed time of each further repeat of a variant, as a share of that of its first repeat:
/// experiments repeat only short cells many times.
constexpr double kRepeatedSeconds = 0.01;

/// Returns the assumed solving time, in seconds, of a cell without a known time.
double usual_seconds(const Experiment& experiment, const RunPlan& plan) {
  const std::size_t known = plan.count(CellSource::kSolve) - plan.unpredicted;
  if (known > 0) {
    return plan.predicted_seconds / static_cast<double>(known);
  }
  const double once = experiment.time_limit > 0 ? std::min(1.0, experiment.time_limit) : 1.0;
  double cells = 0;
  double seconds = 0;
  for (const Variant& variant : experiment.variants) {
    const auto repeats = static_cast<double>(variant.repeats);
    cells += repeats;
    seconds += once * (1 + (repeats - 1) * kRepeatedSeconds);
  }
  return cells > 0 ? seconds / cells : once;
}

PlannedRun planned_run(const std::string& name, const std::filesystem::path& directory,
                       const RunArguments& arguments, const GlobalOptions& global) {
  const Experiment experiment = load_with(name, arguments, global);
  const RunRequest request = run_request(experiment, arguments, directory, global);
  const RunPlan plan = plan_run(request);
  const double solving = plan.predicted_seconds +
                         static_cast<double>(plan.unpredicted) * usual_seconds(experiment, plan);
  return {.name = name,
          .directory = directory,
          .cells = plan.count(CellSource::kSolve) + plan.count(CellSource::kMeasure),
          .seconds = solving / request.jobs};
}

}  // namespace

std::vector<PlannedRun> plan_reproduction(const std::vector<std::string>& names,
                                          const RunArguments& arguments,
                                          const GlobalOptions& global) {
  const std::filesystem::path base = arguments.directory;
  std::vector<PlannedRun> planned;
  planned.reserve(names.size());
  for (const std::string& name : names) {
    planned.push_back(planned_run(name, base.empty() ? base : base / name, arguments, global));
  }
  std::stable_sort(planned.begin(), planned.end(),
                   [](const PlannedRun& a, const PlannedRun& b) { return a.seconds < b.seconds; });
  return planned;
}

}  // namespace spca::cli
