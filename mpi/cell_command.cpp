/// `spca-mpi cell REQUEST`: started in ranks by a run (harness/cells/rank_job.h).

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cells/rank_job.h"
#include "harness/cli/ranks.h"
#include "harness/experiments/experiment_identity.h"
#include "spca/base/error.h"
#include "spca/base/interrupt.h"

namespace spca::cli {
namespace {

/// Creates an empty file, on rank 0 alone: the job reports through files to the process that
/// started it.
void say_by_file(const std::filesystem::path& file) {
  if (speaks_for_all()) {
    std::ofstream(file).flush();
  }
}

int run_cells(const std::string& file) {
  const RankRequest request = read_rank_request(file);
  // Keys are computed by the process that stores the records.
  RunContext context{.experiment = request.experiment,
                     .cells = request.cells,
                     .data_dir = request.data_dir,
                     .threads = 1,
                     .identities = {},
                     .digests = std::vector<std::string>(request.experiment.variants.size(),
                                                         std::string(kIdentityDigits, '0')),
                     .metrics = {}};
  Job job;
  for (std::size_t cell = 0; cell < request.cells.size(); ++cell) {
    job.cells.push_back(cell);
    check_ranks(*context.variant(cell).solver, context.threads);
  }
  std::ofstream found;
  const auto on_found = [&](std::size_t cell, const Record& record) {
    if (speaks_for_all()) {
      if (!found.is_open()) {
        found.open(request.folder / kRanksFound);
      }
      found << cell << " " << record_to_line(record) << "\n" << std::flush;
    }
  };
  CellRunner runner(context, {.on_found = on_found}, load_in_ranks);
  runner.load(job);
  say_by_file(request.folder / kRanksHaveLoaded);
  const std::vector<Record> records = runner.run(job);
  if (speaks_for_all()) {
    std::ofstream lines(request.folder / kRankRecords);
    for (const Record& record : records) {
      lines << record_to_line(record) << "\n";
    }
    if (!lines.flush()) {
      throw InputError((request.folder / kRankRecords).string() + ": cannot be written");
    }
  }
  return kExitOk;
}

std::function<int()> declare_cell(Declarations& declare, const GlobalOptions&) {
  const auto file = std::make_shared<std::string>();
  declare.positional("REQUEST", *file, "File that a run of a grid with \"ranks\" wrote.");
  return [file] { return run_cells(*file); };
}

SPCA_COMMAND("cell", CommandGroup::kExperiments,
             "Solve cells of an experiment in ranks, as `spca run` does",
             "  mpirun -n 4 spca-mpi cell request.json", declare_cell);

}  // namespace
}  // namespace spca::cli
