#pragma once

/// Solves the cells of a grid with "ranks" by a job of several processes, each of which holds some
/// rows of X (spca-mpi). This process loads no data.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/cells/runner_cell.h"
#include "spca/io/external_program.h"

namespace spca {

/// Returns the words of the command that starts a job: SPCA_MPIRUN, split at blanks, or `mpirun
/// -q`.
std::vector<std::string> rank_launcher();

/// A job that solves the cells of a Job. It and all its ranks end when this object is destroyed.
class RankJob {
 public:
  /// Starts the job. Throws InputError if the folder or the process cannot be created.
  RankJob(const RunContext& context, const Job& job);

  /// Returns the reason why there can be no such job: a missing program. Empty if nothing is
  /// missing.
  static std::string missing();

  /// Returns when the data are read or the job has ended.
  void wait_until_loaded();
  /// Returns one record for each cell. `on_found` is called as CellListener says. If the job fails
  /// or writes too few records, each record is the answer found so far, without metrics, or a
  /// failure; its message gives the reason.
  std::vector<Record> wait(
      const std::function<void(std::size_t cell, const Record& record)>& on_found);

 private:
  bool has_file(const char* name) const;
  std::vector<Record> read_records() const;
  std::vector<Record> without_metrics(const std::string& message) const;
  Record completed(std::size_t cell, const std::string& line) const;

  const RunContext& context_;
  Job job_;
  ExternalProgram program_;
  std::optional<ProgramEnd> end_;
  std::map<std::size_t, Record> found_;  // the answers found so far, without metrics
};

/// The request that the job reads: the experiment with its cells.
struct RankRequest {
  Experiment experiment;
  std::vector<Cell> cells;
  std::filesystem::path data_dir;
  std::filesystem::path folder;  // the job writes its answers there
};
/// Reads a request. Throws InputError that names the file.
RankRequest read_rank_request(const std::filesystem::path& file);

/// Names of files in the job's folder.
inline constexpr const char* kRankRequest = "request.json";
inline constexpr const char* kRanksHaveLoaded = "loaded";
inline constexpr const char* kRanksFound = "found.jsonl";
inline constexpr const char* kRankRecords = "records.jsonl";

}  // namespace spca
