#pragma once

/// The published numbers of an experiment. The reader is internal to experiment*.cpp.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/experiments/experiment_match.h"
#include "spca/io/json_node.h"

namespace spca {

enum class Selection { kEach, kBest };

/// The origin of a number. Numbers of different origins are counted apart.
enum class Origin {
  kPaper,      // printed by the paper
  kByHand,     // follows from a formula
  kCertified,  // an optimum that this project has proven
  kProgram,    // computed by another program, apart from this project
};
/// The kind of answer that is compared with a paper's number.
enum class Method {
  kOwn,       // the method that the paper proposes, run as the paper says
  kBaseline,  // another method for which the paper prints the number, run as the paper says
  kOther,     // any other solver, or a number counted elsewhere
  kCheck,     // a number that the set-up fixes: to differ would be a mistake of ours
};
/// Returns "paper", "by hand", "certified" or "another program".
const char* origin_name(Origin origin);
/// Returns "own", "baseline", "other" or "check".
const char* method_name(Method method);

/// The properties that all numbers of a published table share.
struct PublishedTable {
  std::string name;   // unique in its experiment
  std::string title;  // default: `where`
  std::string where;  // "Table 2"
  Origin origin = Origin::kPaper;
  std::vector<std::string> columns = {};  // their labels, in the paper's order
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
  double half_unit = 0;        // half a unit of the last printed digit
  double tolerance = 0;        // half_unit, or the experiment's own
  std::string tolerance_rule;  // in words, for the table
  /// Number of repeats of which the number is the mean, or 0. compare_with_published() then raises
  /// the tolerance to the half-width of the 99 % interval of the difference of the two means.
  double published_repeats = 0;
  std::string where;  // "Table 2, KOS, TPower"
};

/// A table of published numbers. `nodes` has the place in the file of each cell.
struct ReadTable {
  PublishedTable table;
  std::vector<PublishedCell> cells;  // without the cells that the paper leaves empty
  std::vector<JsonNode> nodes;
};
ReadTable read_published_table(const JsonNode& node, const std::filesystem::path& data_dir);

}  // namespace spca
