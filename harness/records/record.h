#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/experiments/experiment.h"

namespace spca {

/// What is known of one cell after it ran: one line of cells.jsonl. results/README.md is the
/// schema.
struct Record {
  std::string key;
  std::string grid, dataset, solver, deflation;  // labels; deflation "" where none
  std::string solver_name, dataset_name;
  Json dataset_options, options;  // complete; `options` with the tuned value
  Index components = 1;
  std::vector<Index> cardinality;  // asked for
  Index repeat = 0;
  std::uint64_t seed = 0;
  Index n = 0, p = 0;
  Status status = Status::kFailed;
  std::string message = "not run";
  bool tuned = false;
  bool cardinality_missed = false;
  bool unconstrained = false;  // the cardinality did not bind: a dense solver, or a penalty that
                               // the experiment gives
  bool contended = false;  // ran beside other cells: its timings are left out of tables and gates
  std::map<std::string, std::vector<double>> metrics;  // NaN: not measured
  std::map<std::string, std::vector<double>> timing;   // metrics whose traits say `timing`
  std::vector<Component> loadings;
  /// What the solver counted, one number a component (Solution::facts).
  std::map<std::string, std::vector<double>> facts;
  /// Where the record was taken from the cache: origin_digest of who measured it (manifest.json has
  /// it under "reused_from"); empty where this run did.
  std::string origin;
  bool elsewhere = false;         // that was another machine, or another number of threads
  std::vector<TracePoint> trace;  // empty unless the experiment asks for it
};

/// "5" where all components have 5 nonzeros, otherwise "7,2,1".
std::string cardinality_text(const std::vector<Index>& cardinality);

/// Whether the timings of a record may stand in tables and gates of its run: measured alone, and on
/// its machine.
bool has_comparable_timing(const Record& record);

/// One line, no line feed. NaN becomes null; a metric that is not per component is a number,
/// otherwise a list.
std::string record_to_line(const Record& record);
/// Throws InputError, which names what is missing or wrong.
Record record_from_line(const std::string& line);

/// All records of a run directory in the order of the file. A torn last line (kill -9) is dropped;
/// any other line that cannot be read throws InputError with file and line. Of two records of one
/// key (a failed cell that was run again) the later one counts, at the place of the first.
std::vector<Record> read_records(const std::filesystem::path& cells_file);

/// manifest.json: what was run, by which build, on which machine.
Json make_manifest(const Experiment& experiment, const Json& invocation);
/// The member "overrides" of a manifest. Reading throws Json::exception.
Json overrides_to_json(const ExperimentOverrides& overrides);
ExperimentOverrides overrides_from_json(const Json& json);
/// The experiment whose run is in `directory`, as it was then: from manifest.json and
/// experiment.json there. `data_dir` is where published curves are looked up. Throws InputError.
Experiment experiment_of_run(const std::filesystem::path& directory,
                             const std::filesystem::path& data_dir);
Json build_information();    // version, compiler, flags, build type, digests of the sources
Json machine_information();  // processor, cores, memory, operating system

}  // namespace spca
