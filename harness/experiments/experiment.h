#pragma once

/// An experiment is one JSON file in experiments/: one file states one claim and holds the paper's
/// own numbers. docs/EXPERIMENTS.md describes the format. A file is read in these steps:
///
///   file -> JSON (no duplicate keys) -> profile merged in -> validated -> variants
///
/// A variant and a repeat make a cell.

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/experiments/cell_identity.h"
#include "spca/data/dataset.h"
#include "spca/data/readers/readers.h"
#include "spca/measure/metrics.h"
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
  Index repeats = 1;
  std::vector<std::string> metrics;
  double penalty = kNotMeasured;  // rho of the penalised objective
  bool trace = false;             // true if records keep the objective of each iteration
  /// Number of processes that solve a cell, each with some rows of X (harness/runs/rank_job.h). 0:
  /// one process holds all rows.
  Index ranks = 0;
  /// The part of a cell's identity that does not depend on the repeat. load_experiment computes it
  /// once. While it is null (in a variant made by hand), each call computes it.
  std::shared_ptr<const VariantIdentity> identity;
};

struct Cell {
  std::size_t variant = 0;  // index into Experiment::variants
  Index repeat = 0;
};

/// The word by which a match selects cells whose components were found without deflation.
inline const std::string kNoDeflation = "none";

/// Selects cells. Empty lists select all. Words may contain * and ?. A cardinality of one number
/// stands for that number in every component.
struct CellMatch {
  std::vector<std::string> grids;
  std::vector<std::string> datasets;    // labels
  std::vector<std::string> solvers;     // labels
  std::vector<std::string> deflations;  // kNoDeflation if the solver finds all components itself
  std::vector<std::vector<Index>> cardinalities;
  /// Maps each option to a value, or to a list of values one of which must hold. A solver or data
  /// set without such an option is not selected.
  Json dataset_options = Json::object();
  Json solver_options = Json::object();
  bool matches(const Variant& variant) const;
  /// Compares the labels alone, without the options.
  bool matches(const VariantLabels& labels) const;

 private:
  bool match_labels(const std::vector<Index>& cardinality, const std::string& grid,
                    const std::string& dataset, const std::string& solver,
                    const std::string& deflation) const;
};

enum class Selection { kEach, kBest };

/// The origin of a number. Numbers of different origins are counted apart.
enum class Origin {
  kPaper,      // printed by the paper
  kByHand,     // follows from a formula
  kCertified,  // an optimum that this project has proven
};
/// The kind of answer that is compared with a paper's number.
enum class Method {
  kOwn,       // the method that the paper proposes, run as the paper says
  kBaseline,  // another method for which the paper prints the number, run as the paper says
  kOther,     // any other solver, or a number counted elsewhere
};
/// Returns "paper", "by hand" or "certified".
const char* origin_name(Origin origin);
/// Returns "own", "baseline" or "other".
const char* method_name(Method method);

/// The properties that all numbers of a published table share.
struct PublishedTable {
  std::string name;   // unique in its experiment
  std::string title;  // default: `where`
  std::string where;  // "Table 2"
  Origin origin = Origin::kPaper;
};

/// One published number. A curve in a file of the data directory is expanded to one number for each
/// cardinality. If that file is missing, the curve is one cell without a value.
struct PublishedCell {
  std::size_t table = 0;    // index into Experiment::published_tables
  std::string row, column;  // labels in that table; the column is "" if the table has none
  Origin origin = Origin::kPaper;
  Method method = Method::kOwn;  // meaningless unless the paper prints the number
  CellMatch match;
  Selection select = Selection::kEach;  // compares every matching variant, or the best
  std::string metric;
  double value = kNotMeasured;
  std::string unavailable;  // the reason if there is no value
  /// The reason why no answer can be compared with the number: other data, or another metric.
  std::string not_comparable;
  bool is_public = true;       // false: the data are not public, and no cell is sought
  bool is_of_curve = false;    // true if the number belongs to a curve
  std::string printed;         // as printed in the paper: ".98"
  double tolerance = 0;        // half a unit of the last printed digit, or the experiment's own
  std::string tolerance_rule;  // in words, for the table
  /// Number of draws if the number is a mean; the tolerance then includes both standard errors.
  double published_repeats = 0;
  std::string where;  // "Table 2, KOS, TPower"
};

/// The experiment and the grid of it that measure an explanation.
struct Measurement {
  std::string experiment, grid;
};

/// A difference between published and measured numbers that is known beforehand. It explains only
/// differences within its range.
struct KnownDifference {
  CellMatch match;
  std::string metric;
  bool better = false;         // true if the measured number is better than the published one
  double least = 0, most = 0;  // 0 <= least <= most: |measured - published|
  bool is_relative = false;    // true if the range is relative to |published|
  std::string why;
  std::optional<Measurement> measured_by;  // if empty, the difference explains nothing
};

/// The relation between the left and right sides of a claim.
enum class Relation { kAtLeast, kAtMost, kAbove, kBelow };
/// Returns ">=", "<=", ">" or "<".
const char* relation_sign(Relation relation);

/// An ordinal statement: left IS factor * right for every pair of cells. harness/verdicts/claims.h
/// defines when it holds.
struct Claim {
  std::string text;
  std::string where;  // place in the paper that states the claim; "": this project states it
  CellMatch left;
  std::optional<CellMatch> right;  // empty: the right side is `number`
  double number = kNotMeasured;
  /// Two cells make a pair if they agree in grid, data set and cardinality. Each flag is true if
  /// left or right names that property, which then need not agree.
  bool names_grid = false, names_dataset = false, names_cardinality = false;
  Relation is = Relation::kAtLeast;
  std::string metric;  // metric of both sides; or
  /// True if the metric is a fact of the records, compared component by component.
  bool is_fact = false;
  /// The component to compare, from 1, of a metric with one number for each; 0: the total.
  Index component = 0;
  double factor = 1;               // > 0
  double slack = 0;                // >= 0: smaller differences do not count
  bool slack_is_relative = false;  // true if the slack is relative to |factor * right|
  std::string why;                 // the reason why the claim fails, if it is known
  std::optional<Measurement> measured_by;
};

/// Two cells that a claim compares; `right` is null if the right side is a number.
struct ClaimPair {
  const Variant* left = nullptr;
  const Variant* right = nullptr;
};
/// Returns the pairs of a claim in the order of the left cells.
std::vector<ClaimPair> claim_pairs(const Claim& claim, const std::vector<Variant>& variants);

struct TableSpec {
  std::string title;
  std::string metric;
  std::string rows = "solver";  // solver | dataset | cardinality | deflation | grid
  std::string columns = "cardinality";
  CellMatch where;
};

/// The metric whose value certified bounds limit.
inline constexpr const char* kBoundedMetric = "explained_variance";

/// A table of kind "bounds": the proven bounds on values (harness/verdicts/bound_tables.h).
struct BoundTableSpec {
  std::string title;
  CellMatch where;
};

/// A figure that plotting/ draws from the records.
struct FigureSpec {
  std::string kind;  // stem of a file in plotting/figures/, with - for _
  std::string name;  // stem of the file that is written
  std::string title;
  Json options;  // complete: every option of the kind
  CellMatch where;
};
/// One "/json/pointer=value" of --set.
struct Setting {
  std::string pointer;
  Json value;  // JSON if the text is JSON, otherwise the text as a string
};
/// Parses an assignment. Throws InputError whose message opens with "--set".
Setting parse_setting(const std::string& assignment);

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
};

struct Experiment {
  std::string name;
  std::filesystem::path path;
  /// Absolute. Relative paths of data sets are relative to it (DatasetRequest::base_dir). For a
  /// run, this is the folder of the original experiment, not of the copy in the run's folder.
  std::filesystem::path folder;
  std::string title;
  std::string source;
  std::string profile;
  std::uint64_t seed = 1;
  double time_limit = 0;          // seconds for each cell; 0: no limit
  double memory_limit = 0;        // MB for each cell; 0: no limit
  Json json;                      // as written, with all profiles
  ExperimentOverrides overrides;  // as given to load_experiment; already applied to the variants
  std::vector<Variant> variants;
  std::vector<PublishedTable> published_tables;
  /// All numbers of the tables, including those whose cells are only in other profiles. Of a curve,
  /// only the points that have a cell.
  std::vector<PublishedCell> published;
  std::vector<KnownDifference> known_differences;
  std::vector<Claim> claims;
  std::vector<TableSpec> tables;
  std::vector<BoundTableSpec> bound_tables;
  std::vector<FigureSpec> figures;
  std::vector<Cell> cells() const;  // canonical order: variant by variant, repeat by repeat
};

/// Returns the names of all experiments that are found: "quickstart", "spannogram/spiked".
std::vector<std::string> experiment_names();
/// Returns the file of an experiment, given the file or the name. Throws InputError that suggests a
/// similar name.
std::filesystem::path find_experiment(const std::string& name_or_file);
/// Reads, validates and expands an experiment. Published curves are read from `data_dir`. Throws
/// InputError with file, line and JSON pointer.
Experiment load_experiment(const std::filesystem::path& path, const ExperimentOverrides& overrides,
                           const std::filesystem::path& data_dir);

/// Checks that the measurement of each known difference and of each failing claim exists: an
/// experiment that is found, with a grid of that name. Throws InputError with file, line and JSON
/// pointer.
void check_measurements(const std::filesystem::path& path, const std::string& profile);

/// Returns the part of a cell's identity that does not depend on the repeat. Opaque.
std::shared_ptr<const VariantIdentity> identify(const Variant& variant);
/// The present state of a data set's files.
struct DataFiles {
  std::string checksum;  // SHA-256 over all files; "" for generators and built-in data
  std::set<FileFormat> formats = {};
};
/// Reads all files of the data set, each once. A missing file is part of the checksum too, because
/// the cell changes when the file appears.
DataFiles data_files(const DatasetEntry& dataset, const std::filesystem::path& data_dir);
/// Like data_files above, with the files that the options of a data set name
/// (DatasetTraits::path_options).
DataFiles data_files(const DatasetEntry& dataset, const Json& options,
                     const DatasetRequest& request);
/// Returns everything that determines the answers of a variant's cells, except seed and repeat, as
/// JSON with sorted keys.
Json variant_identity(const Experiment& experiment, const Variant& variant, const DataFiles& files);
/// The version of an identity. It must be increased when the harness changes how it answers a cell:
/// the sources of the harness are not part of an identity, so that nothing else would show the
/// change.
inline constexpr int kRecordFormat = 1;
/// Returns what the metrics of a variant's records are measured with, as 16 digits. They are a
/// digest of the names of the metrics, the penalty that one metric takes, the sources of these
/// metrics and of the solver's laws, and everything that these sources reach. A record with other
/// digits is measured again, not solved again.
std::string metrics_source(const Variant& variant);
/// Returns whether this program has all sources that an identity names in the same version.
bool is_of_these_sources(const Json& identity);
inline constexpr std::size_t kIdentityDigits = 32;
/// Returns the first 32 of the 64 hexadecimal digits of the SHA-256 of `identity`.
std::string identity_digest(const Json& identity);
/// Returns the key of a record: 32 digits of the SHA-256 of digest, seed of the experiment and
/// repeat, followed by the digest itself. Equal keys mean equal answers.
std::string cell_key(std::string_view identity_digest, std::uint64_t seed, Index repeat);
/// Returns the identity_digest with which `key` ends.
std::string_view identity_of_key(std::string_view key);
/// Returns the SHA-256 of this program's own file, or "" if the system does not show the file. In
/// an identity it stands for the source of a plugin outside of this project's folders.
const std::string& program_digest();
/// Return seeds that depend on the contents of a cell and not on the revision of the sources, so
/// that a change of code does not change the draws. All solvers of one repeat see the same data.
std::uint64_t data_seed(const Experiment& experiment, const Cell& cell);
std::uint64_t solver_seed(const Experiment& experiment, const Cell& cell);

/// Matches "*" and "?" as a shell does.
bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace spca
