#pragma once

/// What packages of other languages call: values in, the JSON of the commands out. python/ stands on
/// this, and rbench/, which is compiled against the installed headers. InputError opens with an
/// argument's name.

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/calls/data.h"

namespace spca {
struct SolverEntry;
}

namespace spca::calls {

/// A registered solver, or "peers/NAME". Lives as long as the process. Throws InputError that opens
/// with `where` if there is none.
const SolverEntry& solver_named(const std::string& name, const std::string& where);

/// What is asked for, in the words of `spca solve`. Empty or none: not given.
struct SolveWords {
  const SolverEntry* solver = nullptr;
  Json options = {};
  std::vector<Index> cardinality = {};
  std::optional<Index> components = {};
  std::string deflation = {};
  std::uint64_t seed = 1;
  /// If given, what the solver draws from, instead of what derives from `seed`: the seed that a
  /// record of a run has.
  std::optional<std::uint64_t> cell_seed = {};
  int threads = 1;
  double seconds = std::numeric_limits<double>::infinity();
  /// Whether the optimum is bounded. That may take longer than the solve.
  bool bound = true;
  /// How messages call two of these arguments.
  std::string cardinality_name = "cardinality", components_name = "components";
};

/// One solve, in the steps between which a caller may look for signals.
class Solve {
 public:
  Solve(const Data& data, const SolveWords& words);
  ~Solve();
  Solve(const Solve&) = delete;
  Solve& operator=(const Solve&) = delete;

  void run();
  /// What `spca solve --json` prints. Called once, after run(). If a signal ended the solve
  /// (run_watched), null; but with `is_cut_short` what was found before, without a bound.
  Json judged(bool is_cut_short = false);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct PathWords {
  std::vector<const SolverEntry*> solvers = {};
  Json options = {};                      // of each of the solvers
  std::vector<Index> cardinalities = {};  // strictly ascending, 1 <= k <= p
  Index resamples = 20, folds = 5;
  std::uint64_t seed = 1;
  double seconds = std::numeric_limits<double>::infinity();  // for each solve
};

/// What `spca path --json` prints.
Json path(const Data& data, const PathWords& words);

/// Loadings as a JSON answer has them: (indices, values) for each component.
using Loadings = std::vector<std::pair<std::vector<Index>, std::vector<double>>>;

struct CertifyWords {
  std::uint64_t seed = 1;
  int threads = 1;
  double seconds = std::numeric_limits<double>::infinity();  // for each bound
  /// The cardinalities asked for: one number for all components, or one for each, as an answer of
  /// Solve has them under "cardinality_asked". Empty: the nonzeros of each.
  std::vector<Index> cardinality = {};
};

/// Bounds what any loadings with the same cardinalities explain. One component is held against
/// branch-bound, disjoint ones against branch-price, orthogonal ones against the metric
/// upper_bound_orthogonal, and all against the spectrum. Returns
///
///   value        the projected variance of the loadings
///   upper_bound  the least of the bounds;  gap = (upper_bound - value) / upper_bound
///   problem      "one component", "disjoint supports", "orthogonal loadings" or "any loadings"
///   cardinality  of each component, for which the bound holds
///   cardinality_source  "asked", or "nonzeros" if no cardinality was given
///   source       what gave the bound: the solver, the metric, or "spectrum"
///   metrics      of the loadings
///   proof        the answer of the search as Solve has it, or null
///
/// Throws InputError if the loadings are no unit vectors on p variables or have more nonzeros than
/// `words.cardinality`, and NumericalError if there is no bound, or if a value is above one.
Json certify(const Data& data, const Loadings& loadings, const CertifyWords& words);

/// The variance of the data on the span of the first j components, for j = 1 ... r
/// (docs/VARIANCE.md, projected). Throws InputError as certify does.
std::vector<double> projected_variances(const Data& data, const Loadings& loadings);

/// Where experiments and peers lie: the folder share/spca of an installation.
void add_installed_folder(const std::string& folder);

/// Returns the default cardinality of each component, as in `spca solve`: `wanted`, but no more than
/// p / components, and at least 1.
Index default_cardinality(Index wanted, Index p, Index components);

/// What `spca list WHAT --json` prints.
Json list_of(const std::string& what);
/// What `spca describe KIND NAME --json` prints; a solver may be "peers/NAME".
Json describe(const std::string& kind, const std::string& name, const std::string& where);

}  // namespace spca::calls
