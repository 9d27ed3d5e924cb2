#pragma once

/// One solve as the harness runs it: tuning of penalties, deflation between components,
/// feasibility, timing.

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "spca/algebra/deflation.h"
#include "spca/algebra/spectrum.h"
#include "spca/solving/solve_cost.h"
#include "spca/solving/solver.h"

namespace spca {

/// The request for one solve: one solver on one S.
struct SolveRequest {
  std::shared_ptr<const Covariance> covariance;  // S, not null
  const SolverEntry* solver = nullptr;  // SolverRegistry::instance().get("tpower", "solver")
  Json options;                         // complete (SolverEntry::complete_options)
  Index components = 1;                 // r
  std::vector<Index> cardinality;       // empty, or r numbers; a penalty solver is tuned to them
  const DeflationEntry* deflation = nullptr;  // needed if r > 1 and the solver takes one component
  /// Null, or a component from which a solver with `warm_start` also starts. Only for r = 1.
  const Component* start = nullptr;
  std::uint64_t seed = 0;                                    // Problem::seed
  double seconds = std::numeric_limits<double>::infinity();  // wall time of all components
  int threads = 1;                                           // Problem::threads
  bool trace = false;  // whether SolveOutcome::trace is filled
  /// Null, or an observer that another thread reads; it must outlive the solve.
  SolveWatch* watch = nullptr;
  /// If false, a penalty solver runs with the penalty of its options and ignores the cardinality.
  bool tune = true;
};

/// The answer and its cost.
struct SolveOutcome {
  Solution solution;   // canonical sign; components in the order found
  Json options;        // as used: with the tuned value if the penalty was tuned
  bool tuned = false;  // whether the harness searched for the penalty
  /// True if the requested cardinality could not be reached. The answer is then the nearest below.
  bool cardinality_missed = false;
  /// True if a component was truncated: it keeps the largest loadings of a larger answer, refitted
  /// (tuning.h). The message of the solution says which component.
  bool truncated = false;
  bool disjoint =
      false;  // supports had to be disjoint, by the deflation or by the solver's promise
  /// The components found before one that failed; otherwise empty. If a later component ran out of
  /// time instead, the earlier ones are the answer in `solution`, with the status time_limit.
  std::vector<Component> found_before;
  SolveCost cost;  // the runner fills in peak_bytes and instructions
  /// Solution::facts: one number for each component for which the solver was called, in their
  /// order; NaN if the solver did not report it for a component.
  std::map<std::string, std::vector<double>> facts;
  /// Leading eigenvalues of S that the solver computed exactly, by their number. Empty for small S,
  /// for which they take no time.
  std::map<Index, Vector> eigenvalues;
  /// The trace of all calls of the solver; counts and time continue from call to call. The
  /// objective is the solver's own, and starts anew with each component, start and penalty.
  std::vector<TracePoint> trace;
};

/// Runs the solver on the request.
///
/// A solver of one component finds components one after the other, on the deflated S. A penalty
/// solver is tuned by bisection (spca/solving/tuning.h) for each component. A solver that finds
/// several components itself and takes a list of penalties is tuned for all components together.
/// The time and the products of the search count as the solver's.
///
/// Each component may use its share of the remaining time: the first of three a third. Unused time
/// goes to the later components. If the time runs out between components, the components found so
/// far are the answer. The status is time_limit, and the message gives their number ("6 of 8
/// components"). If the time runs out before the first component is found, the variables of largest
/// variance are the first component, and the message says so; this is not done for a solver with
/// laws, or for another program.
///
/// If S has no variance, the status is skipped. If S has no variance left for a later component, or
/// the solver refuses the deflated S or breaks down on it, the components before are the answer:
/// the status is incomplete, and the message gives the reason. If the method breaks down on the
/// first component, the status is numerical_failure; no exception is thrown. Throws InputError for
/// k < 1, k > p, a wrong number of cardinalities, or a missing deflation.
SolveOutcome solve(const SolveRequest& request);

/// Returns a bound on the variance that any feasible answer to the same problem explains, NaN if
/// the eigenvalues do not converge. `cardinality` has the cardinalities that bound the solver, or
/// is empty. The bound is the least of those that apply:
///
///   any answer            lambda_1 + ... + lambda_r, which bounds Tr(V'SV) over orthonormal V
///   orthogonal loadings   the sum over j of the bound on one component of cardinality k_j
///   disjoint supports     that sum, and the sum of the k_1 + ... + k_r largest variances;
///                         the checked certificate of the solution, if the solver's traits say
///                         `disjoint`
///   one component         the bound for k nonzeros (Spectrum::cardinality_bound);
///                         the checked certificate of the solution
///   a solver whose traits say `exact`, if it ended by its own rule
///                         the value of its answer
double upper_bound(const SolverEntry& solver, const Solution& solution,
                   const std::vector<Index>& cardinality, const Covariance& covariance,
                   const Spectrum& spectrum);

/// A bound on the variance that any feasible answer explains, and the cost of its check.
struct CheckedBound {
  double value = kNotMeasured;  // in the units of S; NaN as upper_bound()
  /// The source of the bound, as a noun phrase: "the certificate of branch-bound, checked".
  std::string source = {};
  double check_seconds = kNotMeasured;  // wall time of the check; NaN if nothing was checked
  /// True if time ran out. The certificate then counts only as far as it was checked: the bound
  /// holds, but may be weaker.
  bool was_stopped = false;
};
/// The same as upper_bound(), with `check_limit` seconds for the eigenvalues and the check of the
/// certificate together. The limit of the spectrum (Spectrum::limit) bounds the eigenvalues' part.
CheckedBound upper_bound_within(double check_limit, const SolverEntry& solver,
                                const Solution& solution, const std::vector<Index>& cardinality,
                                const Covariance& covariance, const Spectrum& spectrum);

/// Returns the time limit of the check of a certificate: the time limit of the solve, because a
/// check may take as long as the search, but at least kLeastCheckSeconds.
double check_time_limit(double time_limit);
/// At least this number of seconds are allowed for the check of a certificate.
inline constexpr double kLeastCheckSeconds = 0.5;

/// Returns true if the supports of an answer must be disjoint: the solver promises this for several
/// components, or the deflation between them (null: none) enforces it.
bool must_be_disjoint(const SolverEntry& solver, Index components, const DeflationEntry* deflation);

/// Returns the cardinalities that bind the components of a solution: all cardinalities or, if the
/// solution may lack components (may_lack_components), those of the components that it has.
std::vector<Index> binding_cardinality(const Solution& solution,
                                       const std::vector<Index>& cardinality);

/// Returns an empty string if the component is a vector of p finite entries, otherwise the reason:
/// it must have one finite value for each index, and indices that ascend within 0..p-1. Only such a
/// component may be used in computations, or written to a file.
std::string find_malformation(const Component& component, Index p);

/// Makes a solution with a malformed component invalid, with the reason, and removes its
/// components. Called before any computation with components that were not judged yet: in tuning,
/// in deflation, in a solver that calls another. `before` components of the whole answer precede
/// these.
void refuse_malformed(Solution& solution, Index p, std::size_t before = 0);

/// Returns the first fault of the components, or an empty string if they are feasible:
///
/// - well formed (find_malformation);
/// - unit length to kUnitTolerance;
/// - cardinalities within `cardinality`, unless that is empty;
/// - disjoint supports, if `disjoint`.
std::string find_infeasibility(const std::vector<Component>& components, Index p,
                               const std::vector<Index>& cardinality, bool disjoint);

/// At most this deviation from unit length is accepted. Rounding of a normalisation over p <= 1e6
/// entries stays far below it.
inline constexpr double kUnitTolerance = 1e-8;

/// Returns the first fault of the products of the components with each other, or an empty string:
///
/// - |V'V - I| <= kOrthogonalTolerance, if the loadings have to be orthogonal;
/// - |v_i'Sv_j| <= kUncorrelatedTolerance max_t v_t'Sv_t, i < j, if the scores have to be.
///
/// The components are well formed. A single component is always accepted.
std::string find_dependence(const std::vector<Component>& components, const Covariance& covariance,
                            const Orthogonality& asked);

/// At most this deviation from orthonormality is accepted. The rounding of a product of two unit
/// vectors with 1000 nonzeros is a hundredth of it.
inline constexpr double kOrthogonalTolerance = 1e-12;
/// At most this relative covariance of scores is accepted. It is larger than kOrthogonalTolerance
/// because products with S also sum over the samples, after their centring.
inline constexpr double kUncorrelatedTolerance = 1e-10;

}  // namespace spca
