#pragma once

/// Which k? One component at every cardinality of a range, judged like any other answer (judge.h):
/// its value, a bound on it, how stable its support is under resampling, and its reconstruction
/// error on samples that were left out. Three rules each suggest a k. Behind `spca path`.

#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "spca/algebra/cardinality_bound.h"
#include "spca/data/dataset.h"
#include "spca/solving/solver.h"

namespace spca {

/// A solver of a path.
struct PathSolver {
  const SolverEntry* entry = nullptr;  // not null
  Json options;                        // complete (SolverEntry::complete_options)
};

/// What solve_path() is asked.
struct PathRequest {
  Dataset dataset;                                           // of p variables
  std::vector<PathSolver> solvers;                           // at least one; each is sparse
  std::vector<Index> cardinalities;                          // strictly ascending, 1 <= k <= p
  std::uint64_t seed = 0;                                    // of solves, resamples and folds
  double seconds = std::numeric_limits<double>::infinity();  // for each solve
  Index resamples = 20;  // random halves of the samples; 0: no stability
  Index folds = 5;       // of the cross-validation; 0: none
  /// Called after each path with the number of paths that are done and of all.
  std::function<void(std::size_t, std::size_t)> progress = [](std::size_t, std::size_t) {};
};

/// The message of an answer that a signal cut short (stop_requested).
inline constexpr const char* kInterrupted = "interrupted";

/// What a solver found at one cardinality.
struct CardinalityAnswer {
  /// Invalid, with the reason in `message`, if the answer is not feasible, breaks a law of its
  /// solver, or is above a bound. Skipped until the solver comes to this cardinality. time_limit, with the message
  /// kInterrupted, if a signal ended the solve.
  Status status = Status::kSkipped;
  std::string message = "not reached";  // one line if the status needs a reason, else empty
  Component component;                  // empty unless there is an answer that is not invalid
  double value = kNotMeasured;          // v'Sv
  double seconds = 0;                   // of solving, over all tries
  bool cardinality_missed = false;      // a penalty solver: the nearest from below
  bool truncated = false;               // SolveOutcome::truncated

  /// Whether there is a component.
  bool has_answer() const { return !component.support.empty(); }
};

/// One cardinality of a path.
struct PathPointSummary {
  CardinalityAnswer answer;  // on all samples
  /// Stability of the support over the resamples: 1 if it is always the same, 0 as by chance. NaN
  /// if it was not measured or k = p. Source: Nogueira, Sechidis, Brown, JMLR 2018, equation (4).
  double stability = kNotMeasured;
  /// Mean over the folds of ||X - Xvv'||_F^2 / ||X||_F^2 on the samples left out, and the standard
  /// error of that mean. If the data are centred, the mean of the other samples is subtracted
  /// first.
  double reconstruction_error = kNotMeasured;
  double reconstruction_standard_error = kNotMeasured;  // of the mean over the folds
};

/// Each is a cardinality, and empty if its rule does not apply.
struct PathSuggestion {
  /// The smallest mean reconstruction error.
  std::optional<Index> cross_validation;
  /// The smallest k whose error is within one standard error of that.
  std::optional<Index> one_standard_error;
  /// The k at which the value lies farthest above the diagonal, if k and value are scaled to [0,
  /// 1]. Source: Satopaa et al., Finding a "kneedle" in a haystack, ICDCS Workshops 2011.
  std::optional<Index> knee;
};

/// The path of one solver.
struct SolverPath {
  PathSolver solver;                     // whose path it is
  std::vector<PathPointSummary> points;  // one for each cardinality
  PathSuggestion suggestion;             // of the three rules
  /// False until the last cardinality, resample and fold. Stabilities and errors that are not
  /// finished are NaN, and nothing is suggested before all is done.
  bool is_complete = false;
};

/// The paths of all solvers, and what bounds them.
struct PathReport {
  double lambda_1 = kNotMeasured;        // NaN if it does not converge
  double total_variance = kNotMeasured;  // the sum of all S_jj
  /// One for each cardinality. The values of exact solvers count as bounds too.
  std::vector<CardinalityBound> bounds;
  std::vector<SolverPath> solvers;  // those that have begun
  /// Why there is no stability; empty if there is.
  std::string without_resamples;
  /// Why there is no cross-validation; empty if there is.
  std::string without_folds;
};

/// Solves, resamples and cross-validates. Every answer is judged, those on resamples and folds too:
/// one that is invalid counts nowhere.
///
/// A solver whose traits say `path` runs once. One that takes a warm start goes up from the
/// smallest k and down again, each time from its neighbour's answer, and keeps the better; on
/// resamples and folds it only goes up. Others solve each k alone. Deterministic. Throws InputError
/// if the cardinalities do not ascend within 1 ... p, or a solver is not sparse.
///
/// Ends early if stop_requested(): the report then has what was found before, and says which paths
/// are not complete.
PathReport solve_path(const PathRequest& request);

/// A report that grows while another thread may look at it.
class GrowingPathReport {
 public:
  /// A copy of what there is.
  PathReport so_far() const;
  /// Calls `change` with the report, while nobody looks.
  void change(const std::function<void(PathReport&)>& change);

 private:
  mutable std::mutex mutex_;
  PathReport report_;
};
/// The same. `report` gets every answer as soon as it is there.
void solve_path(const PathRequest& request, GrowingPathReport& report);

/// Exposed for tests. `supports` of the resamples; p variables. In (-inf, 1], NaN for fewer than
/// two.
double support_stability(const std::vector<Support>& supports, Index p);
/// Exposed for tests. ||X - Xvv'||_F^2 / ||X||_F^2 over the samples `left_out`, one number for each
/// v. If the data are centred, it is measured from the mean of the samples `kept`. NaN for an empty
/// v, or if these samples are all zero. S must have a data form.
std::vector<double> left_out_errors(const Covariance& covariance, const std::vector<Index>& kept,
                                    const std::vector<Index>& left_out,
                                    const std::vector<Component>& components);
/// Exposed for tests: values[i] at cardinalities[i]; NaN are passed over.
std::optional<Index> knee(const std::vector<Index>& cardinalities,
                          const std::vector<double>& values);

}  // namespace spca
