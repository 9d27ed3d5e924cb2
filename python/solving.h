#pragma once

/// What the package calls: solve, path, certify.

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <vector>

#include "harness/calls/calls.h"
#include "python/data.h"

namespace spca::python {

/// What is asked for, in the words of `spca solve`. Empty or none: not given.
struct SolveWords {
  std::string solver;
  pybind11::dict options;
  std::vector<Index> cardinality;
  std::optional<Index> components;
  std::string deflation;
  std::uint64_t seed = 1;
  /// If given, what the solver draws from, instead of what derives from `seed`: the seed that a
  /// record of a run has.
  std::optional<std::uint64_t> cell_seed;
  int threads = 1;
  double seconds = 0;
  /// Whether the optimum is bounded. That may take longer than the solve.
  bool bound = true;
};

/// What `spca solve --json` prints, as a dict. Throws InputError that opens with an argument's name.
pybind11::dict solve(const Data& data, const SolveWords& words);

/// What `spca path --json` prints, as a dict. `solvers` are names.
pybind11::dict path(const Data& data, const std::vector<std::string>& solvers,
                    const pybind11::dict& options, const std::vector<Index>& cardinalities,
                    Index resamples, Index folds, std::uint64_t seed, double seconds);

using calls::Loadings;

/// What harness/calls/calls.h says, as a dict. `cardinality`: what the loadings were held to, or
/// empty; `seconds`: for each bound.
pybind11::dict certify(const Data& data, const Loadings& loadings,
                       const std::vector<Index>& cardinality, std::uint64_t seed, int threads,
                       double seconds);

/// The variance of the data on the span of the first j components, for j = 1 ... r
/// (docs/VARIANCE.md, projected).
std::vector<double> projected_variances(const Data& data, const Loadings& loadings);

}  // namespace spca::python
