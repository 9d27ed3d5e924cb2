#include "harness/runs/run_plan.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/runs/cell_cache.h"
#include "harness/runs/missing_data.h"
#include "harness/runs/run_history.h"
#include "harness/runs/run_writer.h"

namespace spca {

const char* cell_source_name(CellSource source) {
  switch (source) {
    case CellSource::kRun:
      return "run";
    case CellSource::kCache:
      return "cache";
    case CellSource::kMeasure:
      return "measure";
    case CellSource::kSolve:
      return "solve";
  }
  return "solve";
}

std::size_t RunPlan::count(CellSource source) const {
  return static_cast<std::size_t>(
      std::count_if(planned.begin(), planned.end(),
                    [source](const PlannedCell& cell) { return cell.source == source; }));
}

RunPlan plan_run(const RunRequest& request) {
  RunContext context =
      make_context(*request.experiment, cells_of_shard(*request.experiment, request.shard),
                   request.data_dir, request.threads);
  keep_answers_without_data(request, context);
  const std::vector<bool> forced = forced_cells(request, context);
  const bool all_forced = request.force && request.force_glob.empty();
  const Json build = timing_origin(request.threads)["build"];
  CellCache cache(request.cache_dir, SqlAccess::kExisting);
  RunPlan plan{.cells = context.cells, .planned = {}};
  plan.planned.resize(context.cells.size());
  if (!all_forced) {
    const std::vector<StoredRecord> records = find_finished_cells(context, request.directory);
    std::vector<std::size_t> wanted;
    for (std::size_t cell = 0; cell < records.size(); ++cell) {
      if (!forced[cell] && !needs_solve(records[cell])) {
        plan.planned[cell].source =
            needs_measuring(records[cell]) ? CellSource::kMeasure : CellSource::kRun;
      } else if (!forced[cell]) {
        wanted.push_back(cell);
      }
    }
    for_each_hit(cache, context, wanted, build,
                 [&](std::size_t cell, const std::string& line, const Json&) {
                   const StoredRecord record = as_stored(context, cell, line);
                   plan.planned[cell].source = needs_solve(record)       ? CellSource::kSolve
                                               : needs_measuring(record) ? CellSource::kMeasure
                                                                         : CellSource::kCache;
                 });
  }
  RunHistory history(context);
  if (plan.count(CellSource::kSolve) > 0) {  // otherwise nothing of the whole cache is needed
    history.add_cache(cache, build);
    history.add_run(request.directory);
  }
  for (std::size_t cell = 0; cell < plan.planned.size(); ++cell) {
    PlannedCell& planned = plan.planned[cell];
    planned.key = context.key(cell);
    if (planned.source == CellSource::kSolve) {
      planned.reason = forced[cell] ? "forced" : history.why_missing(cell);
      planned.predicted_seconds = history.predict_seconds(context.cells[cell].variant);
      const bool is_known = std::isfinite(planned.predicted_seconds);
      plan.predicted_seconds += is_known ? planned.predicted_seconds : 0;
      plan.unpredicted += is_known ? 0 : 1;
    }
  }
  return plan;
}

}  // namespace spca
