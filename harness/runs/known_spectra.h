#pragma once

/// Eigenvalues that the children of a run have found for the metrics. Each child loads its data
/// itself, but what metrics need of the eigenvalues is computed once for a data set, and not in each
/// child anew. No solver sees these values: its own eigenpairs are part of its time.

#include <map>
#include <string>

#include "harness/runs/runner_cell.h"

namespace spca {

class KnownSpectra {
 public:
  /// From a child, as the parent receives it: the values of the data of this cell.
  void add(const RunContext& context, std::size_t cell, const Vector& values) {
    known_[name_of_data(context, cell)][values.size()] = values;
  }
  /// Hands what is known of the data of this cell to their spectrum.
  void give(const RunContext& context, std::size_t cell, Spectrum& spectrum) const {
    const auto found = known_.find(name_of_data(context, cell));
    if (found != known_.end()) {
      for (const auto& [count, values] : found->second) {
        spectrum.seed_with(values);
      }
    }
  }

 private:
  static std::string name_of_data(const RunContext& context, std::size_t cell);

  std::map<std::string, std::map<Index, Vector>> known_;  // by the data, by the number of values
};

}  // namespace spca
