#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/experiments/experiment.h"
#include "harness/records/run_seal.h"

namespace spca {

/// The result of one cell: one line of cells.jsonl, whose schema is in results/README.md. A line is
/// the answer, which the solving process writes, in an envelope, which the process that stores the
/// answer writes (harness/records/record_line.h): key, grid, dataset, solver, contended, origin,
/// elsewhere.
struct Record : CellIdentity {
  std::string key;
  std::string solver_name, dataset_name;
  Json dataset_options, options;  // complete; `options` contains the tuned value
  Index components = 1;
  std::uint64_t seed = 0;
  Index n = 0, p = 0;
  Status status = Status::kFailed;
  std::string message = "not run";
  bool tuned = false;
  bool cardinality_missed = false;
  bool truncated = false;      // SolveOutcome::truncated
  bool unconstrained = false;  // the cardinality did not bind: a dense solver, or a penalty that
                               // the experiment gives
  bool unoptimised = false;    // the solver was compiled without optimisation
  bool contended = false;      // other cells ran at the same time: tables and gates omit its times
  std::map<std::string, std::vector<double>> metrics;  // NaN: not measured
  std::map<std::string, std::vector<double>> timing;   // metrics whose traits say `timing`
  std::string measured_by;      // metrics_source of the variant when the metrics were measured
  double bound = kNotMeasured;  // Judgement::upper_bound
  SolveCost cost;
  std::vector<Component> loadings;
  /// The numbers that the solver counted, one for each component (Solution::facts).
  std::map<std::string, std::vector<double>> facts;
  /// For a record from the cache, the origin_digest of the run that measured it (which
  /// manifest.json lists under "reused_from"); otherwise empty.
  std::string origin;
  bool elsewhere = false;         // the origin has another machine or number of threads
  std::vector<TracePoint> trace;  // empty unless the experiment requests it
};

/// Returns whether the time ran out after some of the components. The loadings and their metrics
/// then answer a smaller question, and tables do not show them with complete answers.
bool is_partial(const Record& record);

/// Returns whether tables and gates may use the timings of a record: it was measured alone, and on
/// the machine of the run.
bool has_comparable_timing(const Record& record);

/// Returns the record without its envelope, as a JSON object: the result of the solve. NaN becomes
/// null; a metric with one number for each component is a list, any other metric a number. Members
/// that may differ between two solves of a cell are at the end: see stable_part.
std::string answer_text(const Record& record);
/// Returns one line without line feed: the answer in its envelope, and the check of the line.
std::string record_to_line(const Record& record);
/// Reads a line. Throws InputError that names a missing or wrong field. Does not verify the check.
Record record_from_line(const std::string& line);

/// Makes a record invalid if its value is above its own bound (spca/measure/contradiction.h). Runs
/// of older versions contain such records, and no reader may print their gap.
void refuse_contradiction(Record& record);

/// Returns all records of a cells.jsonl in the order of the file. A record that contradicts
/// itself becomes invalid (refuse_contradiction). A torn last line (kill -9) is dropped; any other
/// line that does not match its check, or cannot be read, throws InputError with file and line. If
/// damage is tolerated, every readable line is used, and one line on stderr reports the number of
/// damaged lines. If a cell has two records, the later one is returned, at the position of the
/// first.
std::vector<Record> read_records(const std::filesystem::path& cells_file,
                                 Damage damage = Damage::kRefused);

}  // namespace spca
