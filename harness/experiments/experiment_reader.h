#pragma once

/// Reads the parts of an experiment's JSON. Internal to experiment*.cpp.

#include <optional>
#include <string>
#include <vector>

#include "harness/experiments/experiment.h"
#include "spca/io/json_node.h"

namespace spca {

/// Return the keys of each kind of object, for the reader and for the JSON Schema.
const std::vector<std::string>& document_keys();
const std::vector<std::string>& grid_keys();
const std::vector<std::string>& entry_keys();
const std::vector<std::string>& match_keys();
const std::vector<std::string>& published_table_keys();
const std::vector<std::string>& published_column_keys();
const std::vector<std::string>& published_row_keys();
const std::vector<std::string>& known_difference_keys();
const std::vector<std::string>& claim_keys();
const std::vector<std::string>& measurement_keys();
const std::vector<std::string>& table_keys();
const std::vector<std::string>& bound_table_keys();
/// Returns the keys that a profile may hold: the keys of the document except its name, its schema
/// and its profiles.
std::vector<std::string> profile_keys();

/// The profile that stands for the document itself, whether the document declares it or not.
inline const std::string kFullProfile = "full";

/// At most this number of cells by default. A million records are about a gigabyte, and a day of
/// solves of a tenth of a second each. The largest experiment of the project has 80,000 cells.
inline constexpr Index kDefaultMaximumCells = 1'000'000;
/// At most this number of components in one cell.
inline constexpr Index kMostComponents = 10'000;
/// At most this number of ranks, more than any job has: a mistyped digit must not start that number
/// of processes.
inline constexpr Index kMostRanks = 65'536;
/// At most this number of combinations for each cell that may remain, if combinations are excluded.
inline constexpr Index kCombinationsPerCell = 10;
inline constexpr const char* kHowToRaiseTheLimit = "\"maximum_cells\" or --max-cells";

/// The document after one profile and the settings of the command line are applied.
struct SelectedDocument {
  JsonSource source;
  Json json;  // without "profiles"
};
std::vector<std::string> profile_names(const Json& document);
SelectedDocument select_document(const std::shared_ptr<const JsonText>& text,
                                 const std::string& profile,
                                 const std::vector<std::string>& settings);

/// The limits on the number of cells that the command line sets.
struct ExpansionLimits {
  std::optional<Index> maximum_cells;  // replaces the document's
  std::optional<Index> repeats;
};
struct Expansion {
  /// The variants of the document's grids, in the order of the file.
  std::vector<Variant> variants;
  /// Elements of an "exclude" that match nothing.
  std::vector<JsonNode> unused;
};
/// Expands the grids. Throws InputError, before anything is expanded, if there are more cells than
/// allowed.
Expansion expand_grids(const JsonNode& document, const ExpansionLimits& limits);
/// Reads [k | [k_1, ..., k_r] | {"from", "to", "step"}, ...]; a lone k stands for a list of one. If
/// `components` is 0, any length is accepted (in a match). Accepts at most `most` cardinalities.
std::vector<std::vector<Index>> read_cardinalities(const JsonNode& node, Index components,
                                                   Index most = kDefaultMaximumCells);

/// Reads a match: an object of match_keys().
CellMatch read_match(const JsonNode& node);
/// Reads the name of a registered metric.
std::string read_metric(const JsonNode& node);
/// Reads the member "match"; if there is none, returns a match of everything.
CellMatch match_or_all(const JsonNode& node);
/// Returns the wide match with each key that the narrow match has replaced by the narrow match's
/// value.
CellMatch narrowed(CellMatch wide, const JsonNode& narrow);

/// A table of published numbers. `nodes` has the place in the file of each cell.
struct ReadTable {
  PublishedTable table;
  std::vector<PublishedCell> cells;  // without the cells that the paper leaves empty
  std::vector<JsonNode> nodes;
};
ReadTable read_published_table(const JsonNode& node, const std::filesystem::path& data_dir);
KnownDifference read_known_difference(const JsonNode& node);
Claim read_claim(const JsonNode& node);
/// Returns whether a table's "kind" is "bounds". Throws if it is neither "bounds" nor "metric", the
/// default.
bool is_bound_table(const JsonNode& node);
TableSpec read_table(const JsonNode& node);
BoundTableSpec read_bound_table(const JsonNode& node);
/// The kinds of tables, the default first.
inline const std::vector<std::string> kTableKinds = {"metric", "bounds"};
/// Reads a figure. The options of a kind of figure are named by the line `OPTIONS = {...}` of its
/// file in plotting/figures/. A default word is the name of a metric, a default number is a whole
/// number >= 1, and a list holds the accepted words, the default first.
FigureSpec read_figure(const JsonNode& node);
/// Returns the object OPTIONS of each kind of figure.
const std::map<std::string, Json>& figure_kinds();
/// Returns the keys of every figure, apart from the options of its kind.
const std::vector<std::string>& figure_keys();

}  // namespace spca
