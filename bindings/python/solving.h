#pragma once

/// The functions by which the package solves: solve, path, suggest, certify, projected_variances.

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <vector>

#include "bindings/python/data.h"
#include "harness/calls/calls.h"

namespace spca::python {

/// The arguments of a solve: those of `spca solve`. An empty value means that an argument is not
/// given.
struct SolveArguments {
  std::string solver;
  pybind11::dict options;
  std::vector<Index> cardinality;
  std::optional<Index> components;
  std::string deflation;
  std::uint64_t seed = 1;
  /// The seed that a run's record stores. If it is given, the solver draws from it instead of from
  /// a seed derived from `seed`.
  std::optional<std::uint64_t> cell_seed;
  int threads = 1;
  double seconds = 0;
  /// If true, the optimum is bounded, which may take longer than the solve.
  bool bound = true;
};

/// Returns the output of `spca solve --json` as a dict. Throws InputError whose message begins with
/// the name of an argument.
pybind11::dict solve(const Data& data, const SolveArguments& arguments);

/// Returns the output of `spca path --json` as a dict. `solvers` are names.
pybind11::dict path(const Data& data, const std::vector<std::string>& solvers,
                    const pybind11::dict& options, const std::vector<Index>& cardinalities,
                    Index resamples, Index folds, std::uint64_t seed, double seconds);

/// Returns the output of `spca path --components --json` as a dict.
pybind11::dict suggest(const Data& data, Index most, std::optional<Index> permutations, Index folds,
                       const std::vector<Index>& cardinalities, const std::string& deflation,
                       std::uint64_t seed, double seconds);

using calls::Loadings;

/// Returns the result of calls::certify() (harness/calls/calls.h) as a dict. `cardinality` has the
/// cardinalities that bound the loadings, or is empty; `seconds` is the limit for each bound.
pybind11::dict certify(const Data& data, const Loadings& loadings,
                       const std::vector<Index>& cardinality, std::uint64_t seed, int threads,
                       double seconds);

/// Returns the variance of the data on the span of the first j components, for j = 1 ... r
/// (docs/VARIANCE.md, projected).
std::vector<double> projected_variances(const Data& data, const Loadings& loadings);

}  // namespace spca::python
