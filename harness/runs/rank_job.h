#pragma once

/// Cells of a grid with "ranks": they are solved by a job of several processes, each of which holds
/// some rows of X (spca-mpi). Here nothing is loaded.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/runs/runner_cell.h"
#include "spca/io/external_program.h"

namespace spca {

/// The words that start a job: SPCA_MPIRUN, with blanks between them, or else `mpirun -q`.
std::vector<std::string> rank_launcher();

/// A job that solves the cells of a Job. It and all its ranks end with this object.
class RankJob {
 public:
  /// Starts it. Throws InputError if there can be no folder or no process.
  RankJob(const RunContext& context, const Job& job);

  /// Why there can be no such job: a program is missing. Empty if there is none of these reasons.
  static std::string missing();

  /// Returns when the data are read, or when the job has ended.
  void wait_until_loaded();
  /// One record for each cell. `on_found` is called as CellListener says. If the job ends without
  /// them, they are what was found, without metrics, or failures; both say how it ended.
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
  std::map<std::size_t, Record> found_;  // answers that are judged now
};

/// What the job is asked, as it reads it: the experiment with its cells.
struct RankRequest {
  Experiment experiment;
  std::vector<Cell> cells;
  std::filesystem::path data_dir;
  std::filesystem::path folder;  // in which it answers
};
/// Throws InputError that names the file.
RankRequest read_rank_request(const std::filesystem::path& file);

/// Files of the job's folder.
inline constexpr const char* kRankRequest = "request.json";
inline constexpr const char* kRanksHaveLoaded = "loaded";
inline constexpr const char* kRanksFound = "found.jsonl";
inline constexpr const char* kRankRecords = "records.jsonl";

}  // namespace spca
