#pragma once

/// Computes the record of a cell in this process.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cells/runner_schedule.h"
#include "harness/records/record.h"
#include "spca/solving/solve.h"

namespace spca {

/// The data that all blocks of a run share. Read-only once the first child is forked.
struct RunContext {
  const Experiment& experiment;
  std::vector<Cell> cells;  // in canonical order; blocks hold indices into it
  std::filesystem::path data_dir;
  int threads = 1;
  std::vector<Json> identities;      // variant_identity of each variant
  std::vector<std::string> digests;  // identity_digest of each
  std::vector<std::string> metrics;  // metrics_source of each; empty: metrics are kept as they are

  const Variant& variant(std::size_t cell) const {
    return experiment.variants[cells[cell].variant];
  }
  double time_limit(std::size_t cell) const { return experiment.time_limit_of(variant(cell)); }
  std::string key(std::size_t cell) const;
  CellIdentity identity(std::size_t cell) const {
    return cell_identity(variant(cell), cells[cell].repeat);
  }
  /// Matches the solver's label or name, the data set's, or "solver/dataset" of labels or of names.
  bool cell_matches(std::size_t cell, std::string_view glob) const;
};

/// Reads all files of the experiment's data sets once, for their checksums.
RunContext make_context(const Experiment& experiment, std::vector<Cell> cells,
                        const std::filesystem::path& data_dir, int threads);

/// Returns the record of a cell with only the request filled in.
Record make_record(const RunContext& context, std::size_t cell);

/// The same as is_failure() of status.h, for the status and the loadings of the record.
bool is_failure(const Record& record);

/// Loads a data set in several processes, each of which holds some rows. The argument loads the
/// whole data set in one of them.
using LoadTogether = std::function<Dataset(const std::function<Dataset()>& load)>;

struct Judgement;
class KnownSpectra;
class RankJob;

/// Callbacks for the progress of a cell. Each may be empty.
struct CellListener {
  /// The cell has this answer, which is judged and measured next. Called again with the bound once
  /// its certificate is checked.
  std::function<void(std::size_t cell, const Record& record)> on_found = {};
  /// Measuring this metric of the cell begins. The empty name means the upper bound.
  std::function<void(std::size_t cell, const std::string& metric)> on_metric = {};
  /// Eigenvalues were computed for the metrics of a cell with these data.
  std::function<void(std::size_t cell, const Vector& values)> on_spectrum = {};
};

/// Runs cells in this process, or cells of a variant with ranks in a job of several processes.
/// Keeps the data set of the last cell for the next.
class CellRunner {
 public:
  /// `known` contains eigenvalues that need not be computed; it may be null.
  explicit CellRunner(const RunContext& context, CellListener listener = {},
                      const KnownSpectra* known = nullptr);
  /// Runs in one of several processes that solve each cell together. An error of the solve, or a
  /// lack of memory, leaves load() or run() as an exception, because the other processes cannot
  /// continue without this one. Other errors of loading are kept for run().
  CellRunner(const RunContext& context, CellListener listener, LoadTogether together);
  ~CellRunner();
  CellRunner(const CellRunner&) = delete;
  CellRunner& operator=(const CellRunner&) = delete;

  /// Returns whether load() would do nothing.
  bool has_loaded(const Job& job) const;
  /// Loads the data of this job, which is not part of its time. An error is kept for run().
  void load(const Job& job);
  /// Returns one record for each cell of the job, in order. A job of several cells is a path.
  std::vector<Record> run(const Job& job);
  /// Judges feasibility, laws and metrics of a cell again, from the loadings of its line, and
  /// returns the new record. Throws if a stored record cannot be measured, so that the caller keeps
  /// the stored record. The record of a new answer (Job::found) keeps whatever can be measured.
  Record measure(const Job& job, const std::string& line);
  /// Returns whether memory ran out in this process, which may affect its later answers.
  bool out_of_memory() const { return out_of_memory_; }

 private:
  struct Loaded;
  struct Circumstances;
  bool holds_data_of(const Job& job) const;
  void load_here(const Job& job);
  void start_ranks(const Job& job);
  std::vector<Record> run_in_ranks(const Job& job);
  bool is_for_ranks(const Job& job) const;
  /// Writes the data's shape into the record, or the error if they could not be loaded.
  void describe_data(Record& record) const;
  SolveRequest make_request(std::size_t cell) const;
  void limit_measuring(std::size_t cell);
  void report_found(std::size_t cell, const Record& record) const;
  Judgement judge(std::size_t cell, Circumstances circumstances, Record& record);
  void hold_against_library(std::size_t cell, Record& record) const;
  void solve_one(std::size_t cell, Record& record);
  void solve_path(const Job& job, std::vector<Record>& records);
  template <class Solve>
  void guard(Record* records, std::size_t count, Solve solve);
  std::string memory_message() const;

  const RunContext& context_;
  CellListener listener_;
  LoadTogether together_;
  const KnownSpectra* known_ = nullptr;
  std::unique_ptr<Loaded> loaded_;
  std::unique_ptr<RankJob> rank_job_;
  std::string no_ranks_;  // reason why there is no such job
  bool out_of_memory_ = false;
};

}  // namespace spca
