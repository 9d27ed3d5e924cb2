#pragma once

/// Judges each record of a benchmark by its instance of the library.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/instances/instance_library.h"
#include "harness/instances/library_comparison.h"
#include "harness/records/record.h"

namespace spca {

enum class CellOutcome {
  kAnswered,
  kFailed,         // no complete answer, or a wrong one
  kNotApplicable,  // the solver does not take the instance, or answers another question
};

/// One solver on one instance.
struct BenchmarkCell {
  KnownInstance known;
  const Record* record = nullptr;
  double time_limit = 0;  // of the solve, in seconds
  CellOutcome outcome = CellOutcome::kFailed;
  std::string message;             // the reason; of an answer, Record::message
  InstanceStanding standing = {};  // of an answer
  bool is_proof = false;           // the solver's own bound proves its answer
  bool is_wrong = false;           // the answer is invalid, or beyond a proved bound

  /// Returns the distance from the best known value as a share of that value: 0 if the answer
  /// reaches it, NaN without an answer.
  double shortfall() const;
  /// Returns whether the answer is better than the best known one.
  bool is_improvement() const;
};

/// Returns the cells of the records of variants that solve an instance, in the order of the
/// experiment. Only the first repeat counts. The cells refer to `records` and `library`.
std::vector<BenchmarkCell> benchmark_cells(const Experiment& experiment,
                                           const std::vector<Record>& records,
                                           const InstanceLibrary& library,
                                           const std::filesystem::path& data_dir);

/// Returns the time limits of the cells, ascending, each once.
std::vector<double> time_limits_of(const std::vector<BenchmarkCell>& cells);

}  // namespace spca
