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
#include <string>
#include <string_view>
#include <vector>

#include "spca/data/dataset.h"
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
  /// By labels alone, without the options; `deflation` "" where there is none.
  bool matches(const std::string& grid, const std::string& dataset, const std::string& solver,
               const std::string& deflation, const std::vector<Index>& cardinality) const;
};

enum class Selection { kEach, kBest };

/// One published number. A curve of numbers in a file of the data directory is expanded to one for
/// each cardinality. If that file is missing, it is one cell without a value.
struct PublishedCell {
  CellMatch match;
  Selection select = Selection::kEach;  // every matching variant is compared, or the best
  std::string metric;
  double value = kNotMeasured;
  std::string unavailable;     // why there is no value
  std::string printed;         // as it stands in the paper, ".98"
  double tolerance = 0;        // half a unit of the last printed digit, or as the experiment states
  std::string tolerance_rule;  // in words, for the table
  double published_repeats =
      0;              // > 0: a mean over so many; the standard errors of both enter the tolerance
  std::string where;  // "Table 2, KOS, TPower"
};

struct KnownDifference {
  CellMatch match;
  std::string metric;  // empty: any
  std::string why;
};

struct TableSpec {
  std::string title;
  std::string metric;
  std::string rows = "solver";  // solver | dataset | cardinality | deflation | grid
  std::string columns = "cardinality";
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
  std::string title;
  std::string source;
  std::string profile;
  std::uint64_t seed = 1;
  double time_limit = 0;          // seconds a cell; 0: none
  double memory_limit = 0;        // MB a cell; 0: none
  Json json;                      // as written, with all profiles
  ExperimentOverrides overrides;  // as given to load_experiment; the variants have them already
  std::vector<Variant> variants;
  std::vector<PublishedCell> published;
  std::vector<KnownDifference> known_differences;
  std::vector<TableSpec> tables;
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

/// Returns the part of a cell's identity that no repeat changes. Opaque.
std::shared_ptr<const VariantIdentity> identify(const Variant& variant);
/// Everything that determines the answers of a variant's cells but seed and repeat, as JSON with
/// sorted keys. `data_checksum` is the SHA-256 of the data set's files, "" for generators and what
/// is built in.
Json variant_identity(const Experiment& experiment, const Variant& variant,
                      const std::string& data_checksum);
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
