#pragma once

/// The functions that packages of other languages call. They take values and return the JSON of the
/// commands. Two packages use this header: bindings/python, and bindings/r, which is compiled
/// against the installed headers. The message of InputError begins with an argument's name.

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

/// Returns a registered solver, or the peer "peers/NAME". The entry lives as long as the process.
/// Throws InputError whose message begins with `where` if there is none.
const SolverEntry& solver_named(const std::string& name, const std::string& where);

/// The arguments of a solve, named as those of `spca solve`. Empty or none: not given.
struct SolveArguments {
  const SolverEntry* solver = nullptr;
  Json options = {};
  std::vector<Index> cardinality = {};
  std::optional<Index> components = {};
  std::string deflation = {};
  std::uint64_t seed = 1;
  /// The seed in a cell's record. If given, the solver draws from it instead of from a seed derived
  /// from `seed`.
  std::optional<std::uint64_t> cell_seed = {};
  int threads = 1;
  double seconds = std::numeric_limits<double>::infinity();
  /// True if the optimum is to be bounded, which may take longer than the solve.
  bool bound = true;
  /// The names of these two arguments in messages.
  std::string cardinality_name = "cardinality", components_name = "components";
  /// The name of the caller's function that suggests cardinalities, in messages.
  std::string suggest_name = "suggest";
};

/// One solve, in steps between which a caller may look for signals.
class Solve {
 public:
  Solve(const Data& data, const SolveArguments& arguments);
  ~Solve();
  Solve(const Solve&) = delete;
  Solve& operator=(const Solve&) = delete;

  void run();
  /// Returns the output of `spca solve --json`. Called once, after run(). If a signal ended the
  /// solve (run_watched), returns null, or with `is_cut_short` the best answer so far without a
  /// bound.
  Json judged(bool is_cut_short = false);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct PathArguments {
  std::vector<const SolverEntry*> solvers = {};
  Json options = {};                      // options of every solve
  std::vector<Index> cardinalities = {};  // strictly ascending, 1 <= k <= p; empty: up to 100
  Index resamples = 20, folds = 5;
  std::uint64_t seed = 1;
  double seconds = std::numeric_limits<double>::infinity();  // time limit of each solve
};

/// Returns the output of `spca path --json`.
Json path(const Data& data, const PathArguments& arguments);

struct SuggestArguments {
  Index most = 10;                         // largest number of components
  std::optional<Index> permutations = {};  // 0, or 19 or more; none: by the size of the data
  Index folds = 5;                         // >= 2
  std::vector<Index> cardinalities = {};   // strictly ascending, 1 <= k <= p; empty: up to 100
  std::string deflation = {};              // empty: remove-support
  std::uint64_t seed = 1;
  double seconds = std::numeric_limits<double>::infinity();  // time limit of each solve
};

/// Returns the output of `spca path --components --json`. Throws InputError if there are no
/// samples, or too few.
Json suggest(const Data& data, const SuggestArguments& arguments);

/// Loadings as a JSON answer has them: (indices, values) for each component.
using Loadings = std::vector<std::pair<std::vector<Index>, std::vector<double>>>;

struct CertifyArguments {
  std::uint64_t seed = 1;
  int threads = 1;
  double seconds = std::numeric_limits<double>::infinity();  // time limit of each bound
  /// The cardinality limits: one number for all components, or one for each, as in
  /// "cardinality_asked" of an answer of Solve. Empty: the numbers of nonzeros.
  std::vector<Index> cardinality = {};
};

/// Bounds the variance of every answer with the same cardinalities. The bound comes from
/// branch-bound for one component, from branch-price for disjoint ones, from the metric
/// upper_bound_orthogonal for orthogonal ones, and in every case also from the spectrum. Returns
///
///   value        the projected variance of the loadings
///   upper_bound  the least of the bounds;  gap = (upper_bound - value) / upper_bound
///   problem      "one component", "disjoint supports", "orthogonal loadings" or "any loadings"
///   cardinality  of each component, for which the bound holds
///   cardinality_source  "asked", or "nonzeros" if no cardinality was given
///   source       origin of the bound: the solver, the metric, or "spectrum"
///   metrics      of the loadings
///   proof        the answer of the search in the form of Solve, or null
///
/// Throws InputError if the loadings are not unit vectors on p variables or have more nonzeros than
/// `arguments.cardinality`. Throws NumericalError if there is no bound, or if a value is above a
/// bound.
Json certify(const Data& data, const Loadings& loadings, const CertifyArguments& arguments);

/// Returns the variance of the data on the span of the first j components, for j = 1 ... r
/// (docs/VARIANCE.md, projected). Throws InputError as certify does.
std::vector<double> projected_variances(const Data& data, const Loadings& loadings);

/// Adds a folder of experiments and peers: the folder share/spca of an installation.
void add_installed_folder(const std::string& folder);

/// Returns the default cardinality of each component, as in `spca solve`: the lesser of `wanted`
/// and p / components, but at least 1.
Index default_cardinality(Index wanted, Index p, Index components);

/// Returns the default solvers of `spca compare-solvers` for this number of components.
std::vector<std::string> compared_solvers(Index components);

/// Returns the output of `spca list WHAT --json`.
Json list_of(const std::string& what);
/// Returns the output of `spca describe KIND NAME --json`; a solver may be "peers/NAME".
Json describe(const std::string& kind, const std::string& name, const std::string& where);

}  // namespace spca::calls
