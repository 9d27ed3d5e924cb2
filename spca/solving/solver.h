#pragma once

/// The contract of a solver. A solver is one file in solvers/ with three parts:
///
/// - an options struct XOptions;
/// - a function `Solution solve_x(const Problem&, const XOptions&, Budget&)`;
/// - a line `SPCA_SOLVER("x", solve_x, traits)`.
///
/// A solver has no timer, iteration limit, metric, output or global random state of its own.

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "spca/base/options.h"
#include "spca/base/registry.h"
#include "spca/solving/budget.h"
#include "spca/solving/certificate.h"
#include "spca/solving/problem.h"
#include "spca/solving/status.h"

namespace spca {

/// One component of a solver that returns all cardinalities 1..k from one run.
struct PathPoint {
  Component component;  // unit length; path[j] has cardinality (at most) j + 1
  double seconds = 0;   // wall time from the start of the solve until this component was found
};

/// The answer of a solver. It starts as a failure that says "not run".
struct Solution {
  Status status = Status::kFailed;  // how the solve ended
  std::string message = "not run";  // one line if the status needs a reason, else empty
  /// r components of unit length. Loadings that are exactly zero are not listed.
  std::vector<Component> components;
  /// Only solvers whose traits say `path` fill this: path[j] has cardinality (at most) j + 1.
  std::vector<PathPoint> path;
  /// Numbers that the solver reports ("variables_left", "gap"), under names of its own. They are
  /// written to the record; no metric reads them.
  std::vector<std::pair<std::string, double>> facts = {};
  /// Null, or a certificate that bounds the optimum on the S of the problem: of one component, or
  /// of several with disjoint supports or orthonormal loadings if the solver's traits say
  /// `disjoint` or `orthogonal`.
  std::shared_ptr<const BoundCertificate> certificate = nullptr;
};

/// Returns a solution with a status that says whether the stopping rule was met or the budget ran
/// out before.
Solution make_solution(std::vector<Component> components, const Budget& budget);
/// Returns a solution with status skipped and this reason.
Solution skipped(std::string reason);

/// The rule that makes a solver's answers sparse.
enum class SparsityRule {
  kCardinality,  // takes k for each component
  kPenalty,      // takes a penalty; the harness tunes it to a cardinality
  kDense,        // no sparsity: a reference, not a competitor
};

/// How the harness reaches a cardinality with a penalty solver: it bisects the option named here
/// over its range. If no value gives the cardinality, the option `truncate` decides, which every
/// penalty solver has besides its own options (tuning.h).
struct Tuning {
  std::string option;        // its JSON name, e.g. "penalty"
  double minimum = 0;        // bisection starts here; depends only on the solver's scaling
  double maximum = 1;        // and ends here; minimum < maximum
  bool increasing = false;   // whether a larger value gives more nonzeros
  bool logarithmic = false;  // bisect on the logarithm; needs minimum > 0
};

/// The value of Traits::rank if the option "rank" gives the rank.
inline constexpr Index kRankOption = -1;

/// The properties of a solver's answers, and its needs from the harness.
struct Traits {
  std::string summary = {};                        // one line for `spca list`
  std::string problem = {};                        // the optimisation problem, as a formula
  std::string source = {};                         // authors, venue, year
  SparsityRule rule = SparsityRule::kCardinality;  // the parameter that makes answers sparse
  bool multiple_components = false;  // takes r > 1 itself; otherwise the harness deflates
  bool disjoint = false;  // supports of r > 1 components share no variable: checked by the harness
  /// The loadings of r > 1 components are orthonormal: checked by the harness (orthogonality_of()).
  bool orthogonal = false;
  bool path = false;        // returns all cardinalities up to k from one run, for one component
  bool seeded = false;      // uses Problem::seed
  bool warm_start = false;  // also starts from Problem::start
  bool exact = false;       // the answer is a certified optimum
  /// The name of a faster solver of the same problem, which takes the place of this one on the
  /// resamples and folds of a path, where many similar problems are solved. Empty: none.
  std::string on_samples = {};
  /// d, if the answer is at least as good as the best support on S_d, the best approximation of
  /// rank d to S. kRankOption if the option "rank" gives d. 0 for all other solvers.
  Index rank = 0;
  /// Names of metrics that, by a theorem, are never negative for an answer of this solver. The
  /// harness measures them in each run. An answer with a negative one is invalid.
  std::vector<std::string> laws = {};
  /// The reason why the method needs a positive semidefinite S: "the regressions need an S = X'X".
  /// If a deflation has made S indefinite, the solver is not called, and its answer is skipped with
  /// this reason. Empty if the solver takes any symmetric S.
  std::string semidefinite = {};
  Index largest_p =
      std::numeric_limits<Index>::max();  // above this p the harness skips the problem
  Tuning tuning = {};                     // for penalty solvers
};

/// A registered solver.
struct SolverEntry {
  std::string name;  // lower-case letters, digits and dashes
  std::string file;  // the source that registered it
  Traits traits;     // its description, and the properties that it declares
  /// Returns every option written out. `options` are as in the experiment's JSON, and `where` is
  /// their JSON pointer. Throws InputError.
  std::function<Json(const Json& options, const std::string& where)> complete_options;
  /// Solves. The options are complete (complete_options). Throws InputError if they are not, or if
  /// the solver refuses them; NumericalError if the method breaks down.
  std::function<Solution(const Problem&, const Json& options, Budget&)> solve;
  /// Returns every option with its type, default, range and help, as `spca describe --json` prints
  /// it.
  std::function<Json()> describe;
  static constexpr const char* kKind = "solver";  // in messages
};

/// Returns Traits::rank, or the value of the option "rank" if the trait is kRankOption.
Index rank_of(const SolverEntry& solver, const Json& options);

/// The constraints on several components of a solver with the trait `orthogonal`.
struct Orthogonality {
  bool of_loadings = false;  // v_i'v_j = 0 for i < j
  bool of_scores = false;    // v_i'Sv_j = 0 for i < j
};
/// Returns the constraints named by `constraint`: kOrthogonal, kUncorrelated or kBoth.
Orthogonality orthogonality_named(const std::string& constraint);
/// Returns no constraint without the trait. Otherwise the option "constraint" decides, if the
/// solver has one: kOrthogonal, kUncorrelated or kBoth. Without this option the loadings are
/// orthogonal.
Orthogonality orthogonality_of(const SolverEntry& solver, const Json& options);
inline constexpr const char* kOrthogonal = "orthogonal";      // of the loadings
inline constexpr const char* kUncorrelated = "uncorrelated";  // of the scores
inline constexpr const char* kBoth = "both";                  // of loadings and scores
/// The reason for skipping a problem with r > p.
inline constexpr const char* kMoreThanVariables =
    "more components than variables cannot be orthogonal";

extern template class Registry<SolverEntry>;
/// All linked solvers, by name.
using SolverRegistry = Registry<SolverEntry>;

/// A solver's function and its options with their type erased, so that the code below is compiled
/// once for all solvers. Converts implicitly from the function.
struct ErasedSolver {
  /// Stores a pointer to the solver's function.
  template <class Options>
  ErasedSolver(Solution (*function)(const Problem&, const Options&, Budget&))
      : options(options_type<Options>()),
        solve([function](const Problem& problem, const void* chosen, Budget& budget) {
          return function(problem, *static_cast<const Options*>(chosen), budget);
        }) {}

  OptionsType options;  // makes and describes the options' struct
  /// Calls the function; `options` points to the options' struct.
  std::function<Solution(const Problem&, const void* options, Budget&)> solve;
};

/// Returns the registry entry of the solver.
SolverEntry make_solver_entry(const char* name, const char* file, ErasedSolver solver,
                              const Traits& traits);
/// Adds a solver to the registry. If the name is taken, the program stops (Registry::add). Not
/// inline: otherwise the file of each solver would compile the registry again.
bool register_solver(const char* name, const char* file, ErasedSolver solver, const Traits& traits);

}  // namespace spca

/// Registers a solver: SPCA_SOLVER("tpower", solve_tpower, traits) at namespace scope of its file.
#define SPCA_SOLVER(name, function, traits)                                        \
  [[maybe_unused]] static const bool SPCA_CONCATENATE(spca_solver_, __COUNTER__) = \
      ::spca::register_solver(name, __FILE__, function, traits)
