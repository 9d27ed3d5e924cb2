#pragma once

/// Reads the "datasets" and "solvers" of a grid: lists of strings or of objects with the keys
/// "name", "label", "options" and "grid". Internal to experiment*.cpp.

#include <string>
#include <vector>

#include "harness/experiments/experiment.h"
#include "spca/io/json_node.h"

namespace spca {

/// A data set or a solver with one choice of its options.
template <class Entry>
struct Named {
  const Entry* entry = nullptr;
  std::string label;  // unique among all entries that were read together
  Json options;       // complete, with defaults
  bool tune = true;
  bool joined = false;  // Variant::joined
};

/// Returns the registered entry of this name. Throws InputError with the place of `node`.
template <class Entry>
const Entry& registered(const JsonNode& node, const std::string& name) {
  return node.source().located(node.pointer(), [&]() -> const Entry& {
    return Registry<Entry>::instance().get(name, node.pointer());
  });
}

/// Read the entries of a grid. Throw InputError if there are more than `max_count`. Exclusions in
/// the "grid" of an entry that match nothing are appended to `unused`.
std::vector<Named<DatasetEntry>> read_datasets(const JsonNode& grid, Index max_count,
                                               std::vector<JsonNode>& unused);
std::vector<Named<SolverEntry>> read_solvers(const JsonNode& grid, Index max_count,
                                             std::vector<JsonNode>& unused);

}  // namespace spca
