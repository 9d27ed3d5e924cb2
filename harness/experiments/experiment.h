#pragma once

/// An experiment is one JSON file in experiments/: one file, one claim, with the paper's own
/// numbers inside. docs/EXPERIMENTS.md describes the format. Reading goes in these steps:
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

/// Everything that determines an answer, except the repeat. Not changed after loading.
struct Variant {
  std::string grid;
  const DatasetEntry* dataset = nullptr;
  std::string dataset_label;
  Json dataset_options;  // complete
  const SolverEntry* solver = nullptr;
  std::string solver_label;
  Json solver_options;  // complete
  Index components = 1;
  /// r numbers, as asked for. A penalty solver is tuned to them unless `tune` is false.
  std::vector<Index> cardinality;
  /// False for a penalty solver whose penalty the experiment gives. The cardinality is then not
  /// enforced.
  bool tune = true;
  const DeflationEntry* deflation =
      nullptr;  // null if the solver takes all components at once, or r = 1
  Index repeats = 1;
  std::vector<std::string> metrics;
  double penalty = kNotMeasured;  // rho of the penalised objective
  bool trace = false;             // the record keeps how the objective rose
  /// By how many processes a cell is solved, each with some rows of X (harness/runs/rank_job.h). 0:
  /// by one that holds all.
  Index ranks = 0;
  /// The part of a cell's identity that no repeat changes. load_experiment works it out once. If it
  /// is null (in a variant made by hand), each call works it out.
  std::shared_ptr<const VariantIdentity> identity;
};

struct Cell {
  std::size_t variant = 0;  // into Experiment::variants
  Index repeat = 0;
};

/// In a match, this selects cells whose components were found without deflation.
inline const std::string kNoDeflation = "none";

/// Selects cells. Empty lists select all. Words may have * and ?. A cardinality of one number
/// stands for that number in every component.
struct CellMatch {
  std::vector<std::string> grids;
  std::vector<std::string> datasets;    // labels
  std::vector<std::string> solvers;     // labels
  std::vector<std::string> deflations;  // kNoDeflation if the solver finds all components itself
  std::vector<std::vector<Index>> cardinalities;
  /// Option -> its value, or a list of values of which it must have one. A solver or data set
  /// without such an option is not selected.
  Json dataset_options = Json::object();
  Json solver_options = Json::object();
  bool matches(const Variant& variant) const;
  /// By labels alone, without the options.
  bool matches(const VariantLabels& labels) const;

 private:
  bool match_labels(const std::vector<Index>& cardinality, const std::string& grid,
                    const std::string& dataset, const std::string& solver,
                    const std::string& deflation) const;
};

enum class Selection { kEach, kBest };

/// Where a number comes from. Each has a count of its own.
enum class Origin {
  kPaper,      // printed by the paper
  kByHand,     // follows from a formula
  kCertified,  // our own optimum, proven
};
/// Whose answer is held against a number that a paper prints.
enum class Method {
  kOwn,       // the method that the paper proposes, run as the paper says
  kBaseline,  // another method for which the paper prints the number, run as the paper says
  kOther,     // any other solver, or a number that counts elsewhere
};
/// "paper", "by hand", "certified".
const char* origin_name(Origin origin);
/// "own", "baseline", "other".
const char* method_name(Method method);

/// A table of published numbers: what its numbers have in common.
struct PublishedTable {
  std::string name;   // unique in its experiment
  std::string title;  // default: `where`
  std::string where;  // "Table 2"
  Origin origin = Origin::kPaper;
};

/// One published number. A curve of numbers in a file of the data directory is expanded to one for
/// each cardinality. If that file is missing, it is one cell without a value.
struct PublishedCell {
  std::size_t table = 0;    // into Experiment::published_tables
  std::string row, column;  // labels in that table; the column is "" if the table has none
  Origin origin = Origin::kPaper;
  Method method = Method::kOwn;  // of no meaning unless the paper prints the number
  CellMatch match;
  Selection select = Selection::kEach;  // every matching variant is compared, or the best
  std::string metric;
  double value = kNotMeasured;
  std::string unavailable;  // why there is no value
  /// Why no answer of ours can be compared with the number: other data, or another metric.
  std::string not_comparable;
  bool is_public = true;       // false: the data are not public, no cell is sought
  bool is_of_curve = false;    // one of the numbers of a curve
  std::string printed;         // as it stands in the paper, ".98"
  double tolerance = 0;        // half a unit of the last printed digit, or as the experiment states
  std::string tolerance_rule;  // in words, for the table
  double published_repeats =
      0;              // > 0: a mean over so many; the standard errors of both enter the tolerance
  std::string where;  // "Table 2, KOS, TPower"
};

/// The experiment and its grid that measure an explanation.
struct Measurement {
  std::string experiment, grid;
};

/// A difference between published numbers and ours that is known beforehand. It holds for the
/// differences in its range alone.
struct KnownDifference {
  CellMatch match;
  std::string metric;
  bool better = false;         // ours is better than the published number; else worse
  double least = 0, most = 0;  // 0 <= least <= most: |ours - published|
  bool is_relative = false;    // the range is of |published|
  std::string why;
  std::optional<Measurement> measured_by;  // without it nothing is explained
};

/// What a claim says of left and right.
enum class Relation { kAtLeast, kAtMost, kAbove, kBelow };
/// ">=", "<=", ">", "<".
const char* relation_sign(Relation relation);

/// An ordinal statement: left IS factor * right, for every pair of cells. harness/verdicts/claims.h
/// says when it holds.
struct Claim {
  std::string text;
  std::string where;  // the place in the paper that says so; "": the claim is ours
  CellMatch left;
  std::optional<CellMatch> right;  // empty: `number` stands there
  double number = kNotMeasured;
  /// Two cells make a pair if their grid, data set and cardinality agree, but for those of the
  /// three that left or right names.
  bool names_grid = false, names_dataset = false, names_cardinality = false;
  Relation is = Relation::kAtLeast;
  std::string metric;    // of both sides; or
  bool is_fact = false;  // the metric is a fact of the records, compared component by component
  Index component = 0;   // of a metric with one number a component: only this one, from 1; 0: total
  double factor = 1;     // > 0
  double slack = 0;      // >= 0: a difference of at most this is none
  bool slack_is_relative = false;  // the slack is one of |factor * right|
  std::string why;                 // it fails, if that is known
  std::optional<Measurement> measured_by;
};

/// Two cells of which a claim speaks; `right` is null if the claim has a number there.
struct ClaimPair {
  const Variant* left = nullptr;
  const Variant* right = nullptr;
};
/// The pairs of a claim, in the order of the left cells.
std::vector<ClaimPair> claim_pairs(const Claim& claim, const std::vector<Variant>& variants);

struct TableSpec {
  std::string title;
  std::string metric;
  std::string rows = "solver";  // solver | dataset | cardinality | deflation | grid
  std::string columns = "cardinality";
  CellMatch where;
};

/// The value that certified bounds bound.
inline constexpr const char* kBoundedMetric = "explained_variance";

/// A table of kind "bounds": what is proven of values (harness/verdicts/bound_tables.h).
struct BoundTableSpec {
  std::string title;
  CellMatch where;
};

/// A figure that plotting/ draws from the records.
struct FigureSpec {
  std::string kind;  // a file of plotting/figures/, with - for _
  std::string name;  // of the file that is written, without its suffix
  std::string title;
  Json options;  // complete: what the kind takes
  CellMatch where;
};
/// One "/json/pointer=value" of --set.
struct Setting {
  std::string pointer;
  Json value;  // JSON if the text is JSON, else a word
};
/// Throws InputError whose message opens with "--set".
Setting parse_setting(const std::string& assignment);

/// What the command line may override.
struct ExperimentOverrides {
  std::string profile = "full";
  std::optional<Index> repeats = {};
  std::optional<std::uint64_t> seed = {};
  std::optional<double> time_limit = {};
  std::optional<double> memory_limit = {};
  std::vector<std::string> only_solvers = {};  // globs on labels and names
  std::vector<std::string> only_datasets = {};
  /// "/json/pointer=value" each, set in this order after the profile is merged in. A pointer names
  /// what is there, or a key that may be there.
  std::vector<std::string> settings = {};
  std::optional<Index> maximum_cells = {};  // instead of the document's
};

struct Experiment {
  std::string name;
  std::filesystem::path path;
  /// Absolute: relative paths of data sets are relative to it (DatasetRequest::base_dir). Of a run,
  /// that of the experiment that was run, not that of its copy in the run's folder.
  std::filesystem::path folder;
  std::string title;
  std::string source;
  std::string profile;
  std::uint64_t seed = 1;
  double time_limit = 0;          // seconds a cell; 0: none
  double memory_limit = 0;        // MB a cell; 0: none
  Json json;                      // as written, with all profiles
  ExperimentOverrides overrides;  // as given to load_experiment; the variants have them already
  std::vector<Variant> variants;
  std::vector<PublishedTable> published_tables;
  /// All numbers of the tables, also those whose cells are in other profiles only; of curves those
  /// that have a cell.
  std::vector<PublishedCell> published;
  std::vector<KnownDifference> known_differences;
  std::vector<Claim> claims;
  std::vector<TableSpec> tables;
  std::vector<BoundTableSpec> bound_tables;
  std::vector<FigureSpec> figures;
  std::vector<Cell> cells() const;  // canonical order: variant by variant, repeat by repeat
};

/// Returns the names of all experiments found: "quickstart", "spannogram/spiked".
std::vector<std::string> experiment_names();
/// Returns the file of an experiment, given the file or the name. Throws InputError with a "did you
/// mean".
std::filesystem::path find_experiment(const std::string& name_or_file);
/// Reads, validates and expands an experiment. Published curves are looked up in `data_dir`. Throws
/// InputError with file, line and JSON pointer.
Experiment load_experiment(const std::filesystem::path& path, const ExperimentOverrides& overrides,
                           const std::filesystem::path& data_dir);

/// Checks that what measures a known difference or a failing claim is there: an experiment that is
/// found, with a grid of that name. Throws InputError with file, line and JSON pointer.
void check_measurements(const std::filesystem::path& path, const std::string& profile);

/// Returns the part of a cell's identity that no repeat changes. Opaque.
std::shared_ptr<const VariantIdentity> identify(const Variant& variant);
/// What a data set's files are now.
struct DataFiles {
  std::string checksum;  // SHA-256 over all files; "" for generators and what is built in
  std::set<FileFormat> formats = {};
};
/// Reads all files that the data set may read once. One that is not there is part of the checksum
/// too: with the file, the cell is another one.
DataFiles data_files(const DatasetEntry& dataset, const std::filesystem::path& data_dir);
/// The same with the files that the options of a data set name (DatasetTraits::path_options).
DataFiles data_files(const DatasetEntry& dataset, const Json& options,
                     const DatasetRequest& request);
/// Everything that determines the answers of a variant's cells but seed and repeat, as JSON with
/// sorted keys.
Json variant_identity(const Experiment& experiment, const Variant& variant, const DataFiles& files);
/// Counted up if the harness itself comes to answer a cell differently: its sources are no part of
/// an identity, so that nothing else would tell.
inline constexpr int kRecordFormat = 1;
/// With what the metrics of a variant's records are measured: 16 digits over the names of the
/// metrics, the penalty that one of them takes, the sources of these metrics and of the solver's
/// laws, and all that these reach. A record of other digits is measured again, not solved again.
std::string metrics_source(const Variant& variant);
/// Whether this program has all sources that an identity names, as they were.
bool is_of_these_sources(const Json& identity);
inline constexpr std::size_t kIdentityDigits = 32;
/// Returns the first 32 of the 64 hexadecimal digits of the SHA-256 of `identity`.
std::string identity_digest(const Json& identity);
/// Returns the key of a record: 32 digits of the SHA-256 of digest, seed of the experiment and
/// repeat, then the digest itself. Equal keys, equal answers.
std::string cell_key(std::string_view identity_digest, std::uint64_t seed, Index repeat);
/// Returns the identity_digest with which `key` ends.
std::string_view identity_of_key(std::string_view key);
/// Returns the SHA-256 of this program's own file. In the identity it stands for the source of a
/// plugin that is outside of this project's folders. It is "" if the system does not show the file.
const std::string& program_digest();
/// The seeds depend on what a cell is, not on the revision of the sources: a change of code does
/// not change the draws. All solvers of one repeat see the same data.
std::uint64_t data_seed(const Experiment& experiment, const Cell& cell);
std::uint64_t solver_seed(const Experiment& experiment, const Cell& cell);

/// Matches "*" and "?" as a shell does.
bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace spca
