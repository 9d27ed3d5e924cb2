#pragma once

/// The choice of k. One component is computed at every cardinality of a range and judged like any
/// other answer (judge.h): its value, a bound on it, the stability of its support under resampling,
/// and its reconstruction error on samples left out. Four rules each suggest a k. Used by `spca
/// path`, and by `spca solve` without a cardinality.

#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "spca/covariance/deflation.h"
#include "spca/data/dataset.h"
#include "spca/measure/sample_folds.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/cardinality_bound.h"

namespace spca {

/// A solver of a path.
struct PathSolver {
  const SolverEntry* entry = nullptr;  // not null
  Json options;                        // complete (SolverEntry::complete_options)
  /// Solves on resamples and folds; null: this one does.
  std::shared_ptr<const PathSolver> on_samples = nullptr;

  /// The solver of resamples and folds.
  const PathSolver& for_samples() const { return on_samples == nullptr ? *this : *on_samples; }
};

/// A fold of the cross-validation with its S. Earlier components may have been deflated from both.
struct PathFold {
  SampleFold samples;                       // kept and left out
  Dataset training;                         // of the samples kept
  std::shared_ptr<const Covariance> whole;  // of all samples; the scores of those left out
  std::vector<Component> components = {};   // found on `training`, one for each cardinality
};

/// The request to solve_path().
struct PathRequest {
  Dataset dataset;                                           // of p variables
  std::vector<PathSolver> solvers;                           // at least one; each is sparse
  std::vector<Index> cardinalities;                          // strictly ascending, 1 <= k <= p
  std::uint64_t seed = 0;                                    // of solves, resamples and folds
  double seconds = std::numeric_limits<double>::infinity();  // for each solve
  Index resamples = 20;  // random halves of the samples; fewer than 2: no stability
  Index folds = 5;       // of the cross-validation; fewer than 2: none
  /// Folds that earlier components were deflated from. Null: `dataset` is divided into `folds`.
  std::vector<PathFold>* divided = nullptr;
  /// Called after each path with the number of finished paths and the number of all paths.
  std::function<void(std::size_t, std::size_t)> progress = [](std::size_t, std::size_t) {};
};

/// The message of an answer that a signal interrupted (stop_requested()).
inline constexpr const char* kInterrupted = "interrupted";

/// The answer of a solver at one cardinality.
struct CardinalityAnswer {
  /// Invalid, with the reason in `message`, if the answer is not feasible, breaks a law of its
  /// solver, or is above a bound. Skipped until the solver reaches this cardinality. time_limit,
  /// with the message kInterrupted, if a signal ended the solve.
  Status status = Status::kSkipped;
  std::string message = "not reached";  // one line if the status needs a reason, else empty
  Component component;                  // empty unless there is an answer that is not invalid
  double value = kNotMeasured;          // v'Sv
  double seconds = 0;                   // of solving, over all tries
  bool cardinality_missed = false;      // of a penalty solver: the answer has fewer nonzeros than k
  bool truncated = false;               // SolveOutcome::truncated

  /// Returns true if there is a component.
  bool has_answer() const { return !component.support.empty(); }
};

/// One cardinality of a path.
struct PathPointSummary {
  CardinalityAnswer answer;  // on all samples
  /// Stability of the support over the resamples: 1 if it is always the same, 0 as by chance. NaN
  /// if it was not measured, if fewer than two resamples have an answer, or if k = p. Source:
  /// Nogueira, Sechidis, Brown, JMLR 2018, equation (4).
  double stability = kNotMeasured;
  /// Mean over the folds of ||X - Xvv'||_F^2 / ||X||_F^2 on the samples left out, and the standard
  /// error of that mean. If the data are centred, the mean of the other samples is subtracted
  /// first.
  double reconstruction_error = kNotMeasured;
  double reconstruction_standard_error = kNotMeasured;  // of the mean over the folds
  /// The correlation of two scores of the samples left out, without its sign: of the component that
  /// the other samples give, and of the reference, which all samples give at the k of
  /// `one_standard_error`. The mean over the folds.
  double score_correlation = kNotMeasured;
  double score_correlation_standard_error = kNotMeasured;  // of that mean
  /// The same as score_correlation, but with the reference of this k: 1 if every fold finds the
  /// component of all samples, also where this is a poor one.
  double repeat_correlation = kNotMeasured;
  double repeat_correlation_standard_error = kNotMeasured;  // of that mean
};

/// The suggested cardinalities, each empty if its rule does not apply.
struct PathSuggestion {
  /// The smallest mean reconstruction error.
  std::optional<Index> cross_validation;
  /// The smallest k whose error is within one standard error of the smallest mean error.
  std::optional<Index> one_standard_error;
  /// Among k from 2 to half of the variables that have variance, with a score correlation whose
  /// square is at least 1/2: the smallest k whose repeat correlation is within one standard error
  /// of the largest. Source: the correlations of tune.spca in Rohart, Gautier, Singh, Le Cao,
  /// mixOmics, PLoS Computational Biology 13(11), 2017.
  std::optional<Index> scores;
  /// The k at which the value lies farthest above the diagonal, if k and value are scaled to [0,
  /// 1]. Source: Satopaa et al., Finding a "kneedle" in a haystack, ICDCS Workshops 2011.
  std::optional<Index> knee;
};

/// The path of one solver.
struct SolverPath {
  PathSolver solver;                     // with its options
  std::vector<PathPointSummary> points;  // one for each cardinality
  PathSuggestion suggestion;             // of the four rules
  /// False until the last cardinality, resample and fold are done. Until then unfinished
  /// stabilities and errors are NaN, and the suggestions are empty.
  bool is_complete = false;
};

/// The paths of all solvers, and the bounds on them.
struct PathReport {
  double lambda_1 = kNotMeasured;        // NaN if it does not converge
  double total_variance = kNotMeasured;  // the sum of all S_jj
  /// One for each cardinality. The values of exact solvers count as bounds too.
  std::vector<CardinalityBound> bounds;
  std::vector<SolverPath> solvers;  // only solvers that have begun
  /// The reason for missing stability; empty if stability is measured.
  std::string without_resamples;
  /// The reason for missing cross-validation; empty if it is done.
  std::string without_folds;
};

/// Solves, resamples and cross-validates. Every answer is judged, including those on resamples and
/// folds; invalid answers are not used anywhere.
///
/// A solver whose traits say `path` runs once. One that takes a warm start goes up from the
/// smallest k and down again, each time from its neighbour's answer, and keeps the better answer;
/// on resamples and folds it only goes up. Other solvers solve each k independently. Deterministic.
/// Throws InputError if the cardinalities do not ascend within 1 ... p, or a solver is not sparse.
///
/// Ends early if stop_requested(): the report then has the results so far, and says which paths are
/// not complete.
PathReport solve_path(const PathRequest& request);

/// A report that grows while other threads may read it.
class GrowingPathReport {
 public:
  /// A copy of the report as it is now.
  PathReport so_far() const;
  /// Calls `change` with the report, under the lock.
  void change(const std::function<void(PathReport&)>& change);

 private:
  mutable std::mutex mutex_;
  PathReport report_;
};
/// The same as solve_path() above, but adds each answer to `report` as soon as it is found.
void solve_path(const PathRequest& request, GrowingPathReport& report);

/// Components one after the other.
struct ComponentsRequest {
  PathRequest path;                           // its `dataset` is that of the first component
  Index components = 1;                       // at most this number
  const DeflationEntry* deflation = nullptr;  // between them; keeps a data form
};
/// The path of one component, given the components before it.
struct ComponentPath {
  Index varying = 0;                 // number of variables that have variance
  std::vector<Index> cardinalities;  // those of the request that the remaining variables allow
  PathReport report;                 // of S after the deflations; one solver
  std::optional<Index> chosen = {};  // k; empty if no rule gives one or the path is not complete
  /// The rule of the choice: "one_standard_error"; "scores" if that k is more than half of the
  /// variables that have variance and this rule suggests one; "knee" without cross-validation.
  const char* rule = "";
};
/// Solves the path of each component with the first solver of the request, chooses its k, and
/// deflates by the answer at this k: S of all samples, and in each fold S of the samples kept by
/// the fold's own answer. Ends early if fewer variables have variance than the smallest
/// cardinality, if a component has no choice, or after a signal.
std::vector<ComponentPath> solve_component_paths(const ComponentsRequest& request);

/// Exposed for tests. Returns the stability of the `supports` of the resamples, among p variables:
/// at most 1. NaN for fewer than two supports, or if they are all empty or all have p variables.
double support_stability(const std::vector<Support>& supports, Index p);
/// Exposed for tests. ||X - Xvv'||_F^2 / ||X||_F^2 over the samples `left_out`, one number for each
/// v. If the data are centred, it is measured from the mean of the samples `kept`. NaN for an empty
/// v, or if these samples are all zero. S must have a data form.
std::vector<double> left_out_errors(const Covariance& covariance, const std::vector<Index>& kept,
                                    const std::vector<Index>& left_out,
                                    const std::vector<Component>& components);
/// Exposed for tests. Returns the suggestion of the knee for values[i] at cardinalities[i], without
/// NaNs. Empty for fewer than three values, or if the last one is not above the first.
std::optional<Index> knee(const std::vector<Index>& cardinalities,
                          const std::vector<double>& values);

}  // namespace spca
