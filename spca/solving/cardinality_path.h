#pragma once

/// Which k? One component at every cardinality of a range: its value, a bound, how stable its
/// support is under resampling, its reconstruction error on samples that were left out, and the k
/// that each of three rules suggests. Behind `spca path`.

#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "spca/algebra/cardinality_bound.h"
#include "spca/solving/solver.h"

namespace spca {

struct PathSolver {
  const SolverEntry* entry = nullptr;
  Json options;  // complete
};

struct PathRequest {
  std::shared_ptr<const Covariance> covariance;
  std::vector<PathSolver> solvers;
  std::vector<Index> cardinalities;  // strictly ascending, 1 <= k <= p
  std::uint64_t seed = 0;
  double seconds = std::numeric_limits<double>::infinity();  // for each solve
  Index resamples = 20;  // subsamples of half of the samples; 0: no stability
  Index folds = 5;       // of the cross-validation; 0: none
  /// Called after each path with the number of paths that are done and of all.
  std::function<void(std::size_t, std::size_t)> progress = [](std::size_t, std::size_t) {};
};

/// What a solver found at one cardinality.
struct CardinalityAnswer {
  Status status = Status::kFailed;
  std::string message;
  Component component;          // empty unless usable and feasible
  double value = kNotMeasured;  // v'Sv
  double seconds = 0;
  bool cardinality_missed = false;  // a penalty solver: the nearest from below
};

struct PathPointSummary {
  CardinalityAnswer answer;
  /// Stability of the support over the resamples, 1 where it is always the same, 0 as by chance;
  /// NaN where it was not measured or k = p (Nogueira, Sechidis, Brown, JMLR 2018, equation (4)).
  double stability = kNotMeasured;
  /// Mean over the folds of ||X - Xvv'||_F^2 / ||X||_F^2 on the samples left out, less the mean of
  /// the others where the data are centred; and its standard error.
  double reconstruction_error = kNotMeasured;
  double reconstruction_standard_error = kNotMeasured;
};

/// Each a cardinality; empty where its rule does not apply.
struct PathSuggestion {
  /// The smallest mean reconstruction error.
  std::optional<Index> cross_validation;
  /// The smallest k whose error is within one standard error of that.
  std::optional<Index> one_standard_error;
  /// Where the value against k, both scaled to [0, 1], lies farthest above the diagonal (Satopaa et
  /// al., Finding a "kneedle" in a haystack, ICDCS Workshops 2011).
  std::optional<Index> knee;
};

struct SolverPath {
  PathSolver solver;
  std::vector<PathPointSummary> points;  // one a cardinality
  PathSuggestion suggestion;
};

struct PathReport {
  double lambda_1 = kNotMeasured;
  double trace = kNotMeasured;
  std::vector<CardinalityBound> bounds;  // one a cardinality, the values of exact solvers included
  std::vector<SolverPath> solvers;
  /// Why there is no stability or no cross-validation; empty where there is.
  std::string without_resamples, without_folds;
};

/// A solver whose traits say `path` runs once; one that takes a warm start goes up from the
/// smallest k and down again, each time from its neighbour's answer, and keeps the better (on
/// resamples and folds only up); others solve each k alone. Deterministic. Throws InputError for
/// cardinalities that do not ascend within 1 ... p, or no solver that is sparse.
PathReport solve_path(const PathRequest& request);

/// Exposed for tests. `supports` of the resamples; p variables.
double support_stability(const std::vector<Support>& supports, Index p);
/// Exposed for tests. ||X - Xvv'||_F^2 / ||X||_F^2 over the samples `left_out`, measured from the
/// mean of the samples `kept` where the data are centred. One number for each v; NaN for an empty
/// one, or where these samples are all zero. Only where S has a data form.
std::vector<double> left_out_errors(const Covariance& covariance, const std::vector<Index>& kept,
                                    const std::vector<Index>& left_out,
                                    const std::vector<Component>& components);
/// Exposed for tests: values[i] at cardinalities[i]; NaN are passed over.
std::optional<Index> knee(const std::vector<Index>& cardinalities,
                          const std::vector<double>& values);

}  // namespace spca
