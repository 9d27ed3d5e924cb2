#pragma once

/// Stores eigenvalues that the children of a run have computed for the metrics. Each child loads
/// its data itself, but a child that starts later does not compute known eigenvalues again. No
/// solver sees these values: the eigenpairs that a solver computes are part of its time.

#include <map>
#include <string>

#include "harness/cells/runner_cell.h"

namespace spca {

class KnownSpectra {
 public:
  /// Adds values that a child sent to the parent: eigenvalues of the data of this cell.
  void add(const RunContext& context, std::size_t cell, const Vector& values) {
    known_[name_of_data(context, cell)][values.size()] = values;
  }
  /// Seeds the spectrum with the known eigenvalues of this cell's data.
  void seed(const RunContext& context, std::size_t cell, Spectrum& spectrum) const {
    const auto found = known_.find(name_of_data(context, cell));
    if (found != known_.end()) {
      for (const auto& [count, values] : found->second) {
        spectrum.seed_with(values);
      }
    }
  }

 private:
  static std::string name_of_data(const RunContext& context, std::size_t cell);

  std::map<std::string, std::map<Index, Vector>> known_;  // data -> number of values -> values
};

}  // namespace spca
