#pragma once

/// An experiment is one JSON file in experiments/: one file states one claim and holds the paper's
/// own numbers. docs/EXPERIMENTS.md describes the format. A file is read in these steps:
///
///   file -> JSON (no duplicate keys) -> profile merged in -> validated -> variants
///
/// A variant and a repeat make a cell.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/experiments/experiment_claims.h"
#include "harness/experiments/experiment_figures.h"
#include "harness/experiments/experiment_match.h"
#include "harness/experiments/experiment_published.h"
#include "harness/experiments/experiment_tables.h"
#include "spca/data/dataset.h"
#include "spca/solving/solve.h"

namespace spca {

struct VariantIdentity;

/// Everything that determines an answer, except the repeat. Does not change after loading.
struct Variant {
  std::string grid;
  const DatasetEntry* dataset = nullptr;
  std::string dataset_label;
  Json dataset_options;  // complete, with defaults
  const SolverEntry* solver = nullptr;
  std::string solver_label;
  Json solver_options;  // complete, with defaults
  Index components = 1;
  /// The requested cardinalities, one for each component. A penalty solver is tuned to them unless
  /// `tune` is false.
  std::vector<Index> cardinality;
  /// False for a penalty solver whose penalty the experiment gives. The cardinality is then not
  /// enforced.
  bool tune = true;
  const DeflationEntry* deflation =
      nullptr;  // null if the solver takes all components at once, or r = 1
  /// True if the command line added the solver (ExperimentOverrides::also). No published number,
  /// known difference or claim of the file is about such a variant.
  bool joined = false;
  Index repeats = 1;
  std::vector<std::string> metrics;
  double penalty = kNotMeasured;  // rho of the penalised objective
  bool trace = false;             // true if records keep the objective of each iteration
  bool alone = false;             // true if no other cell of the run may be solved at the same time
  bool may_time_out = false;      // true if an end at the time limit without an answer is a result
  std::optional<double> time_limit = {};  // in place of Experiment::time_limit
  /// Number of processes that solve a cell, each with some rows of X (harness/cells/rank_job.h). 0:
  /// one process holds all rows.
  Index ranks = 0;
  /// The part of a cell's identity that does not depend on the repeat. load_experiment computes it
  /// once. If it is null (in a variant made by hand), it is computed at each use.
  std::shared_ptr<const VariantIdentity> identity;
};

struct Cell {
  std::size_t variant = 0;  // index into Experiment::variants
  Index repeat = 0;
};

/// The settings that the command line may override.
struct ExperimentOverrides {
  std::string profile = "full";
  std::optional<Index> repeats = {};
  std::optional<std::uint64_t> seed = {};
  std::optional<double> time_limit = {};
  std::optional<double> memory_limit = {};
  std::vector<std::string> only_solvers = {};  // globs on labels and names
  std::vector<std::string> only_datasets = {};
  /// "/json/pointer=value" each, set in this order after the profile is merged in. A pointer names
  /// an existing element, or a key that may exist.
  std::vector<std::string> settings = {};
  std::optional<Index> maximum_cells = {};  // replaces the document's
  /// Solvers that join every grid that takes them: registered names, "peers/NAME", and absolute
  /// paths of peers' files.
  std::vector<std::string> also = {};
};

struct Experiment {
  std::string name;
  std::filesystem::path path;
  /// Absolute. Relative paths of data sets are relative to it (DatasetRequest::base_dir). For a
  /// run, this is the folder of the original experiment, not of the copy in the run's folder.
  std::filesystem::path folder;
  std::string title;
  std::string source;
  std::vector<std::string> remarks;  // on how the numbers were obtained
  std::string profile;
  std::uint64_t seed = 1;
  double time_limit = 0;          // seconds for each cell, unless its grid has another; 0: no limit
  double memory_limit = 0;        // MB for each cell; 0: no limit
  Json json;                      // as written, with all profiles
  ExperimentOverrides overrides;  // as given to load_experiment; already applied to the variants
  std::vector<Variant> variants;
  std::vector<PublishedTable> published_tables;
  /// All numbers of the tables, including those whose cells are only in other profiles. For a
  /// curve, only the points that have a cell.
  std::vector<PublishedCell> published;
  std::vector<KnownDifference> known_differences;
  std::vector<Claim> claims;
  std::vector<TableSpec> tables;
  std::vector<BoundTableSpec> bound_tables;
  std::vector<FigureSpec> figures;
  std::vector<Cell> cells() const;  // canonical order: variant by variant, repeat by repeat
  /// Returns the seconds that a cell of the variant may take; 0: no limit.
  double time_limit_of(const Variant& variant) const {
    return variant.time_limit.value_or(time_limit);
  }
};

/// Returns the names of all experiments that are found: "quickstart", "spannogram/spiked".
std::vector<std::string> experiment_names();
/// Returns the file of an experiment, given the file or the name. If there is none, throws
/// InputError that suggests a similar name.
std::filesystem::path find_experiment(const std::string& name_or_file);
/// Reads, validates and expands an experiment. Published curves are read from `data_dir`. Throws
/// InputError with file, line and JSON pointer.
Experiment load_experiment(const std::filesystem::path& path, const ExperimentOverrides& overrides,
                           const std::filesystem::path& data_dir);

}  // namespace spca
