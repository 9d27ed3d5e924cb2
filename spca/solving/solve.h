#pragma once

/// One solve as the harness does it: tuning of penalties, deflation between components,
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

struct SolveRequest {
  std::shared_ptr<const Covariance> covariance;
  const SolverEntry* solver = nullptr;
  Json options;          // complete (SolverEntry::complete_options)
  Index components = 1;  // r
  std::vector<Index>
      cardinality;  // empty, or r numbers; for penalty solvers: tune until these are met
  const DeflationEntry* deflation =
      nullptr;  // needed where r > 1 and the solver takes one component
  /// Null, or what a solver with `warm_start` begins from as well; only where r = 1.
  const Component* start = nullptr;
  std::uint64_t seed = 0;
  double seconds = std::numeric_limits<double>::infinity();
  int threads = 1;
  bool trace = false;
  /// False: a penalty solver runs with the penalty of its options, whatever the cardinality.
  bool tune = true;
};

struct SolveOutcome {
  Solution solution;  // canonical sign; components in the order found
  Json options;       // as used: with the tuned value where the penalty was tuned
  bool tuned = false;
  /// The cardinality asked for could not be hit; the answer is the nearest from below.
  bool cardinality_missed = false;
  bool disjoint =
      false;  // supports had to be disjoint: deflation remove-support, or the solver promises it
  /// Where a later component failed, those that were found before it; otherwise empty.
  std::vector<Component> found_before;
  SolveCost cost;  // peak_bytes is the runner's
  /// Solution::facts, one number for each component that the solver was called for.
  std::map<std::string, std::vector<double>> facts;
  /// Of all calls of the solver: counts and time run on from call to call. The objective is the
  /// solver's own; it starts anew with each component, start and penalty tried.
  std::vector<TracePoint> trace;
};

/// Components of a one-component solver are found one after the other on the deflated S; a penalty
/// solver is tuned for each of them by bisection (spca/solving/tuning.h; one that finds several
/// components itself and takes a list of penalties, for all of them together), and the search's
/// time and products are the solver's. Where the deflated S has no variance left the status is
/// skipped. A method that breaks down is status numerical_failure, not an exception. Throws
/// InputError for k < 1, k > p, a wrong number of cardinalities, or no deflation where one is
/// needed.
SolveOutcome solve(const SolveRequest& request);

/// A bound on what any feasible answer to the same problem explains: lambda_1 + ... + lambda_r,
/// which bounds Tr(V'SV) over all orthonormal V; where the answer's supports are disjoint the least
/// of that, of the sum of what one component of each k_j can explain, and of the sum of the
/// k_1 + ... + k_r largest variances, all of which bound every disjoint answer; for one component
/// the least of that of k nonzeros (Spectrum::cardinality_bound), of what the solution's
/// certificate, checked, says, and of the value itself of a solver whose traits say that it is
/// `exact` and that ended by its own rule. `cardinality`: what bound the solver; empty where
/// nothing did. NaN where the eigenvalues do not converge.
double upper_bound(const SolverEntry& solver, const Solution& solution,
                   const std::vector<Index>& cardinality, const Covariance& covariance,
                   const Spectrum& spectrum);

/// Whether the supports of an answer may share no variable: the solver promises it for several
/// components, or the deflation between them (null: none) enforces it.
bool must_be_disjoint(const SolverEntry& solver, Index components, const DeflationEntry* deflation);

/// Empty where the components are feasible: unit length to kUnitTolerance, finite, supports
/// ascending within 0..p-1, cardinalities within `cardinality` (unless that is empty), disjoint
/// where asked. Otherwise what is wrong.
std::string find_infeasibility(const std::vector<Component>& components, Index p,
                               const std::vector<Index>& cardinality, bool disjoint);

inline constexpr double kUnitTolerance =
    1e-8;  // rounding of a normalisation over p <= 1e6 entries stays far below

}  // namespace spca
