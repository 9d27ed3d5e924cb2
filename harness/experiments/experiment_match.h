#pragma once

/// Selects cells of an experiment. Only experiment*.cpp and baseline_file.cpp call the readers.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/experiments/cell_identity.h"
#include "spca/base/options.h"
#include "spca/base/types.h"

namespace spca {

class JsonNode;
struct Variant;

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
  /// Returns whether a statement of the file with this match is about the variant. None is about a
  /// variant that the command line added.
  bool is_about(const Variant& variant) const;
  /// Compares the labels alone, without the options.
  bool matches(const VariantLabels& labels) const;

 private:
  bool match_labels(const std::vector<Index>& cardinality, const std::string& grid,
                    const std::string& dataset, const std::string& solver,
                    const std::string& deflation) const;
};

/// Returns true if the word is a pattern: if it has a "*" or "?".
bool is_glob(std::string_view word);
/// Matches "*" and "?" as a shell does.
bool glob_matches(std::string_view pattern, std::string_view text);

/// Reads a match: an object whose keys are among match_keys().
CellMatch read_match(const JsonNode& node);
/// Reads the name of a registered metric.
std::string read_metric(const JsonNode& node);
/// Reads the member "match"; if there is none, returns a match of everything.
CellMatch match_or_all(const JsonNode& node);
/// Returns the wide match, in which each key that the narrow match has gets the value of the narrow
/// match.
CellMatch narrowed(CellMatch wide, const JsonNode& narrow);

}  // namespace spca
