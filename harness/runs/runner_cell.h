#pragma once

/// From a cell to its record, in this process.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/records/record.h"
#include "harness/runs/runner_schedule.h"
#include "spca/solving/solve.h"

namespace spca {

/// What all blocks of a run share. Read-only once the first child is forked.
struct RunContext {
  const Experiment& experiment;
  std::vector<Cell> cells;  // in canonical order; blocks hold indices into it
  std::filesystem::path data_dir;
  int threads = 1;
  std::vector<Json> identities;      // one a variant, as variant_identity makes it
  std::vector<std::string> digests;  // identity_digest of each
  std::vector<std::string> metrics;  // metrics_source of each; empty: metrics are as they are

  const Variant& variant(std::size_t cell) const {
    return experiment.variants[cells[cell].variant];
  }
  std::string key(std::size_t cell) const;
  CellIdentity identity(std::size_t cell) const {
    return cell_identity(variant(cell), cells[cell].repeat);
  }
  /// On the solver's label or name, the data set's, or "solver/dataset" of labels or of names.
  bool cell_matches(std::size_t cell, std::string_view glob) const;
};

/// Reads all files of the experiment's data sets once, for their checksums.
RunContext make_context(const Experiment& experiment, std::vector<Cell> cells,
                        const std::filesystem::path& data_dir, int threads);

/// The record of a cell of which nothing is known but what was asked.
Record make_record(const RunContext& context, std::size_t cell);

/// As in status.h.
bool is_failure(const Record& record);

/// How several processes load a data set of which each holds some rows. The argument loads all of
/// it in one of them.
using LoadTogether = std::function<Dataset(const std::function<Dataset()>& load)>;

struct Judgement;
class KnownSpectra;
class RankJob;

/// Who is told what happens to a cell. Each may be empty.
struct CellListener {
  /// The cell has this answer, which is judged and measured from now on. Called again once its
  /// certificate is checked: the record has the bound then.
  std::function<void(std::size_t cell, const Record& record)> on_found = {};
  /// This metric of the cell is measured from now on. The empty name is the upper bound.
  std::function<void(std::size_t cell, const std::string& metric)> on_metric = {};
  /// Eigenvalues were computed for the metrics of a cell with these data.
  std::function<void(std::size_t cell, const Vector& values)> on_spectrum = {};
};

/// Runs cells in this process, or, of a variant with ranks, in a job of several. The data set of the
/// last cell is kept for the next.
class CellRunner {
 public:
  /// `known`, if it is not null, has eigenvalues that need not be computed.
  explicit CellRunner(const RunContext& context, CellListener listener = {},
                      const KnownSpectra* known = nullptr);
  /// This process is one of several that solve each cell together. What goes wrong in one then
  /// leaves run() as an exception: the others cannot go on without it.
  CellRunner(const RunContext& context, CellListener listener, LoadTogether together);
  ~CellRunner();
  CellRunner(const CellRunner&) = delete;
  CellRunner& operator=(const CellRunner&) = delete;

  /// Whether load() would have nothing to do.
  bool has_loaded(const Job& job) const;
  /// Makes the data of this job ready, which is no part of its time. What goes wrong is kept for
  /// run().
  void load(const Job& job);
  /// One record for each cell of the job, in their order. A job of several cells is a path.
  std::vector<Record> run(const Job& job);
  /// The record of a cell with its feasibility, laws and metrics judged anew, from the loadings of
  /// its line. Throws whatever stands in the way of a stored record, which stays the better one. One
  /// that was found only now (Job::found) is kept as far as it can be measured.
  Record measure(const Job& job, const std::string& line);
  /// Memory ran out in this process: what it answers from now on may suffer from that.
  bool out_of_memory() const { return out_of_memory_; }

 private:
  struct Loaded;
  struct Circumstances;
  bool holds_data_of(const Job& job) const;
  void load_here(const Job& job);
  void start_ranks(const Job& job);
  std::vector<Record> run_in_ranks(const Job& job);
  bool is_for_ranks(const Job& job) const;
  /// The data's shape; where they could not be loaded, what went wrong.
  void describe_data(Record& record) const;
  SolveRequest make_request(std::size_t cell) const;
  void limit_measuring();
  void tell_found(std::size_t cell, const Record& record) const;
  Judgement judge(std::size_t cell, Circumstances circumstances, Record& record);
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
  std::string no_ranks_;  // why there is no such job
  bool out_of_memory_ = false;
};

}  // namespace spca
