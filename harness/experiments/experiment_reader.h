#pragma once

/// The parts of an experiment's JSON. Internal to experiment*.cpp.

#include <optional>
#include <string>
#include <vector>

#include "harness/experiments/experiment.h"
#include "spca/io/json_node.h"

namespace spca {

/// The keys of each kind of object, for the reader and for the JSON Schema.
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
/// What a profile may hold: keys of the document but for its name, its schema and the profiles.
std::vector<std::string> profile_keys();

/// The profile that a document itself is, whether it is written or not.
inline const std::string kFullProfile = "full";

/// A million records are about a gigabyte, and a day of solves of a tenth of a second each. The
/// largest experiment of the project has 80,000 cells.
inline constexpr Index kDefaultMaximumCells = 1'000'000;
/// Of one cell.
inline constexpr Index kMostComponents = 10'000;
/// More than any job has: a mistyped digit must not start so many processes.
inline constexpr Index kMostRanks = 65'536;
/// If combinations are excluded, so many are examined for each cell that may be left.
inline constexpr Index kCombinationsPerCell = 10;
inline constexpr const char* kHowToRaiseTheLimit = "\"maximum_cells\" or --max-cells";

/// The document after one profile and the settings of the command line have been applied.
struct SelectedDocument {
  JsonSource source;
  Json json;  // without "profiles"
};
std::vector<std::string> profile_names(const Json& document);
SelectedDocument select_document(const std::shared_ptr<const JsonText>& text,
                                 const std::string& profile,
                                 const std::vector<std::string>& settings);

/// What the command line changes of the count of cells.
struct ExpansionLimits {
  std::optional<Index> maximum_cells;  // instead of the document's
  std::optional<Index> repeats;
};
struct Expansion {
  /// The variants of the document's grids, in the order in which they are written.
  std::vector<Variant> variants;
  /// Elements of an "exclude" that match nothing.
  std::vector<JsonNode> unused;
};
/// Throws InputError, before anything is expanded, if there are more cells than allowed.
Expansion expand_grids(const JsonNode& document, const ExpansionLimits& limits);
/// Reads [k | [k_1, ..., k_r] | {"from", "to", "step"}, ...]; a lone k stands for a list of one. If
/// `components` is 0, any length is accepted (in a match). Accepts at most `most` of them.
std::vector<std::vector<Index>> read_cardinalities(const JsonNode& node, Index components,
                                                   Index most = kDefaultMaximumCells);

/// A match is an object of match_keys().
CellMatch read_match(const JsonNode& node);
/// The name of a registered metric.
std::string read_metric(const JsonNode& node);
/// The member "match", or a match of everything.
CellMatch match_or_all(const JsonNode& node);
/// The wide match, in which each key of the narrow one replaces what the wide one says.
CellMatch narrowed(CellMatch wide, const JsonNode& narrow);

/// A table of published numbers. `nodes` has for each cell where it is printed.
struct ReadTable {
  PublishedTable table;
  std::vector<PublishedCell> cells;  // those that the paper leaves empty are left out
  std::vector<JsonNode> nodes;
};
ReadTable read_published_table(const JsonNode& node, const std::filesystem::path& data_dir);
KnownDifference read_known_difference(const JsonNode& node);
Claim read_claim(const JsonNode& node);
/// Whether a table's "kind" is "bounds". Throws if it is neither that nor "metric", the default.
bool is_bound_table(const JsonNode& node);
TableSpec read_table(const JsonNode& node);
BoundTableSpec read_bound_table(const JsonNode& node);
/// The kinds of tables, the default first.
inline const std::vector<std::string> kTableKinds = {"metric", "bounds"};
/// A kind of figure takes the options that its file in plotting/figures/ names in the line
/// `OPTIONS = {...}`. A default word is a metric's name. A default number is a whole one >= 1. A
/// list holds the words to choose from, the default first.
FigureSpec read_figure(const JsonNode& node);
/// Returns that object for each kind of figure.
const std::map<std::string, Json>& figure_kinds();
/// The keys of any figure, beside the options of its kind.
const std::vector<std::string>& figure_keys();

}  // namespace spca
