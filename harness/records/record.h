#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/experiments/experiment.h"
#include "harness/records/run_seal.h"

namespace spca {

/// What is known of one cell after it ran: one line of cells.jsonl. results/README.md is the
/// schema. A line is the answer, which whoever solves writes, in the envelope of whoever keeps it
/// (harness/records/record_line.h): key, grid, dataset, solver, contended, origin, elsewhere.
struct Record : CellIdentity {
  std::string key;
  std::string solver_name, dataset_name;
  Json dataset_options, options;  // complete; `options` with the tuned value
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
  bool contended = false;  // ran beside other cells: its timings are left out of tables and gates
  std::map<std::string, std::vector<double>> metrics;  // NaN: not measured
  std::map<std::string, std::vector<double>> timing;   // metrics whose traits say `timing`
  std::string measured_by;      // metrics_source of the variant when the metrics were measured
  double bound = kNotMeasured;  // Judgement::upper_bound
  SolveCost cost;
  std::vector<Component> loadings;
  /// What the solver counted, one number a component (Solution::facts).
  std::map<std::string, std::vector<double>> facts;
  /// Where the record was taken from the cache: origin_digest of who measured it (manifest.json has
  /// it under "reused_from"); empty where this run did.
  std::string origin;
  bool elsewhere = false;         // that was another machine, or another number of threads
  std::vector<TracePoint> trace;  // empty unless the experiment asks for it
};

/// Whether the time ran out after some of the components: the loadings and their metrics are an
/// answer to a smaller question, and stand in no table beside whole ones.
bool is_partial(const Record& record);

/// Whether the timings of a record may stand in tables and gates of its run: measured alone, and on
/// its machine.
bool has_comparable_timing(const Record& record);

/// The record without its envelope, as a JSON object: what the solve gave. NaN becomes null; a
/// metric that is not per component is a number, otherwise a list. What may differ between two
/// solves of a cell stands at the end: see stable_part.
std::string answer_text(const Record& record);
/// One line, no line feed: the answer in its envelope, and the check of the line.
std::string record_to_line(const Record& record);
/// Throws InputError, which names what is missing or wrong. Does not look at the check.
Record record_from_line(const std::string& line);

/// Makes a record invalid whose value is above its own bound (spca/measure/contradiction.h), as runs
/// of older versions have some: no reader prints the gap of such a record.
void refuse_contradiction(Record& record);

/// All records of a run directory in the order of the file. One that contradicts itself is invalid
/// (refuse_contradiction). A torn last line (kill -9) is dropped;
/// any other line that does not match its check, or cannot be read, throws InputError with file and
/// line. If damage is tolerated, what can be read counts, and one line on stderr says how many
/// lines are not as they were written. Of two records of one cell the later one counts, at the
/// place of the first.
std::vector<Record> read_records(const std::filesystem::path& cells_file,
                                 Damage damage = Damage::kRefused);

/// manifest.json: what was run, by which build, on which machine.
Json make_manifest(const Experiment& experiment, const Json& invocation);
/// The member "overrides" of a manifest. Reading throws Json::exception.
Json overrides_to_json(const ExperimentOverrides& overrides);
ExperimentOverrides overrides_from_json(const Json& json);
/// The experiment whose run is in `directory`, as it was then: from manifest.json and
/// experiment.json there. `data_dir` is where published curves are looked up. Throws InputError, and
/// as require_intact_run does.
Experiment experiment_of_run(const std::filesystem::path& directory,
                             const std::filesystem::path& data_dir,
                             Damage damage = Damage::kRefused);
Json build_information();    // version, compiler, flags, build type, digests of the sources
Json machine_information();  // processor, cores, memory, operating system

}  // namespace spca
