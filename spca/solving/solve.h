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

/// What the harness asks for: one solver on one S.
struct SolveRequest {
  std::shared_ptr<const Covariance> covariance;  // S, not null
  const SolverEntry* solver = nullptr;  // SolverRegistry::instance().get("tpower", "solver")
  Json options;                         // complete (SolverEntry::complete_options)
  Index components = 1;                 // r
  std::vector<Index> cardinality;       // empty, or r numbers; a penalty solver is tuned to them
  const DeflationEntry* deflation = nullptr;  // needed if r > 1 and the solver takes one component
  /// Null, or a component from which a solver with `warm_start` begins as well. Only for r = 1.
  const Component* start = nullptr;
  std::uint64_t seed = 0;                                    // Problem::seed
  double seconds = std::numeric_limits<double>::infinity();  // wall time of all components
  int threads = 1;                                           // Problem::threads
  bool trace = false;  // whether SolveOutcome::trace is filled
  /// Null, or who looks on from another thread; it must outlive the solve.
  SolveWatch* watch = nullptr;
  /// If false, a penalty solver runs with the penalty of its options, whatever the cardinality.
  bool tune = true;
};

/// The answer, and what it cost.
struct SolveOutcome {
  Solution solution;   // canonical sign; components in the order found
  Json options;        // as used: with the tuned value if the penalty was tuned
  bool tuned = false;  // whether the harness searched for the penalty
  /// True if the cardinality asked for could not be hit. The answer is then the nearest from below.
  bool cardinality_missed = false;
  /// True if a component is a larger answer's, of which the largest loadings were kept and refitted
  /// (tuning.h). The message of the solution says which.
  bool truncated = false;
  bool disjoint =
      false;  // supports had to be disjoint, by the deflation or by the solver's promise
  /// If a later component failed, those that were found before it; otherwise empty. If it ran out
  /// of time, they are the answer: `solution` has them, with the status time_limit.
  std::vector<Component> found_before;
  SolveCost cost;  // the runner fills in peak_bytes and instructions
  /// Solution::facts: one number for each component for which the solver was called, in their order;
  /// NaN for one of which the solver did not say it.
  std::map<std::string, std::vector<double>> facts;
  /// Leading eigenvalues of S that the solver computed exactly, by their number. Empty for small S,
  /// where they take no time.
  std::map<Index, Vector> eigenvalues;
  /// The trace of all calls of the solver; counts and time run on from call to call. The objective
  /// is the solver's own. It starts anew with each component, start and penalty that is tried.
  std::vector<TracePoint> trace;
};

/// Runs the solver on the request.
///
/// A solver of one component finds components one after the other, on the deflated S. A penalty
/// solver is tuned by bisection (spca/solving/tuning.h) for each of them. If it finds several
/// components itself and takes a list of penalties, it is tuned for all of them together. The time
/// and the products of the search count as the solver's.
///
/// Each component may take its share of the time that is left: one of three a third. What it leaves
/// is the others'. If the time runs out between components, those that were found are the answer. Its
/// status is time_limit, and its message says how many there are ("6 of 8 components"). If it runs
/// out before there is any, the variables of largest variance are the first component, and the
/// message says so; not so for a solver with laws, or for another program.
///
/// If S has no variance, the status is skipped. If nothing is left of it for a later component, or
/// the solver does not take what is left or breaks down on it, the components before are the answer:
/// its status is incomplete, and its message says why. If the method breaks down on the first one,
/// the status is numerical_failure and not an exception. Throws InputError for k < 1, k > p, a wrong
/// number of cardinalities, or if a deflation is needed and there is none.
SolveOutcome solve(const SolveRequest& request);

/// Returns a bound on what any feasible answer to the same problem explains, NaN if the eigenvalues
/// do not converge. `cardinality` is what the solver was held to, empty if nothing was. The bound
/// is the least of those that apply:
///
///   any answer            lambda_1 + ... + lambda_r, which bounds Tr(V'SV) over orthonormal V
///   orthogonal loadings   the sum over j of what one component of cardinality k_j can explain
///   disjoint supports     the same, and the sum of the k_1 + ... + k_r largest variances
///                         what the solution's certificate says, after a check, if the solver's
///                         traits say `disjoint`
///   one component         what k nonzeros can explain (Spectrum::cardinality_bound)
///                         what the solution's certificate says, after a check
///   a solver of which traits say `exact`, if it ended by its own rule
///                         the value of its answer
double upper_bound(const SolverEntry& solver, const Solution& solution,
                   const std::vector<Index>& cardinality, const Covariance& covariance,
                   const Spectrum& spectrum);

/// A bound on what any feasible answer explains, and what its check took.
struct CheckedBound {
  double value = kNotMeasured;  // in the units of S; NaN as upper_bound()
  /// What gives it, as the noun of a sentence: "the certificate of branch-bound, checked".
  std::string source = {};
  double check_seconds = kNotMeasured;  // wall time of the check; NaN if nothing was checked
  /// Whether time ran out. The certificate then counts only as far as it was checked: the bound
  /// holds, but may be weaker.
  bool was_stopped = false;
};
/// As upper_bound() if eigenvalues and the check of the certificate together may take `check_limit`
/// seconds. The eigenvalues' share is what the spectrum's own limit is (Spectrum::limit).
CheckedBound upper_bound_within(double check_limit, const SolverEntry& solver,
                                const Solution& solution, const std::vector<Index>& cardinality,
                                const Covariance& covariance, const Spectrum& spectrum);

/// How many seconds the check of a certificate may take if the solve was given `time_limit`: as
/// many, for a check may take as long as the search did, and at least kLeastCheckSeconds.
double check_time_limit(double time_limit);
/// Seconds that the check of a certificate may take however short the solve was.
inline constexpr double kLeastCheckSeconds = 0.5;

/// Whether the supports of an answer may share no variable: the solver promises it for several
/// components, or the deflation between them (null: none) enforces it.
bool must_be_disjoint(const SolverEntry& solver, Index components, const DeflationEntry* deflation);

/// Returns the cardinalities that bind the components of a solution: all of them, or, if it may have
/// fewer (may_lack_components), those of the ones that it has.
std::vector<Index> binding_cardinality(const Solution& solution,
                                       const std::vector<Index>& cardinality);

/// Returns why the component is no vector of p finite entries, or an empty string if it is one: as
/// many values as indices, all of them finite, and indices that ascend within 0..p-1. Only such a
/// component may be computed with, or be written down and read again.
std::string find_malformation(const Component& component, Index p);

/// Whatever computes with components that the judge has not seen yet calls this first: tuning,
/// deflation, a solver that calls another. If a component is malformed, the solution becomes
/// invalid, with the reason, and has none. `before` components of the whole answer precede these.
void refuse_malformed(Solution& solution, Index p, std::size_t before = 0);

/// Returns what is wrong with the components, or an empty string if they are feasible:
///
/// - well formed (find_malformation);
/// - unit length to kUnitTolerance;
/// - cardinalities within `cardinality`, unless that is empty;
/// - disjoint supports, if `disjoint`.
std::string find_infeasibility(const std::vector<Component>& components, Index p,
                               const std::vector<Index>& cardinality, bool disjoint);

/// Rounding of a normalisation over p <= 1e6 entries stays far below this.
inline constexpr double kUnitTolerance = 1e-8;

/// Returns what is wrong with the components' products with each other, or an empty string:
///
/// - |V'V - I| <= kOrthogonalTolerance, if the loadings have to be orthogonal;
/// - |v_i'Sv_j| <= kUncorrelatedTolerance max_t v_t'Sv_t, i < j, if the scores have to be.
///
/// The components are well formed. One component has nothing to be orthogonal to.
std::string find_dependence(const std::vector<Component>& components, const Covariance& covariance,
                            const Orthogonality& asked);

/// Rounding of a product of two unit vectors with 1000 nonzeros is a hundredth of this.
inline constexpr double kOrthogonalTolerance = 1e-12;
/// Products with S of data sum over samples as well, after their centring.
inline constexpr double kUncorrelatedTolerance = 1e-10;

}  // namespace spca
