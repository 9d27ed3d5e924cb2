#pragma once

/// One solve as the harness runs it: tuning of penalties, deflation between components,
/// feasibility, timing.

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "spca/covariance/deflation.h"
#include "spca/solving/solve_cost.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/spectrum.h"

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
  bool disjoint = false;  // supports had to be disjoint, by the deflation or by the solver's traits
  /// The components found before one that failed; otherwise empty. If a later component ran out of
  /// time instead, the earlier ones are the answer in `solution`, with the status time_limit.
  std::vector<Component> found_before;
  SolveCost cost;  // the runner fills in peak_bytes and instructions
  /// Solution::facts. A solver that is called for each component has one number for each, in their
  /// order, NaN if it did not report it; a solver of all components has one. A name that is
  /// reported several times in a call, as for each step of a path, has all its numbers.
  std::map<std::string, std::vector<double>> facts;
  /// Leading eigenvalues of S that the solver computed exactly; the key is how many. Empty for a
  /// small S, for which they take no time.
  std::map<Index, Vector> eigenvalues;
  /// The trace of all calls of the solver; counts and time continue from call to call. The
  /// objective is the solver's own, and starts again with each component, start and penalty.
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
/// the status is incomplete (time_limit if an earlier component has it), and the message gives the
/// reason. If the method breaks down on the first component, the status is numerical_failure; no
/// exception is thrown. Throws InputError for k or a number of components below 1 or above p, a
/// wrong number of cardinalities, a missing cardinality, or a missing deflation.
SolveOutcome solve(const SolveRequest& request);

/// Returns true if the supports of an answer must be disjoint: the solver's traits declare this for
/// several components, or the deflation between them (null: none) enforces it.
bool must_be_disjoint(const SolverEntry& solver, Index components, const DeflationEntry* deflation);

}  // namespace spca
