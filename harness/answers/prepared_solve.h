#pragma once

/// Turns what a caller asks for into a request to a solver. The command line, Python and R come here
/// with values that their own words gave.

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "spca/data/dataset.h"
#include "spca/solving/solve.h"

namespace spca {

/// The values that a caller gave. Each is in range by itself.
struct SolveValues {
  const SolverEntry* solver = nullptr;
  Json options;                    // of the solver, as given
  std::vector<Index> cardinality;  // empty, one for all components, or one for each
  std::optional<Index> components;
  std::string deflation;  // empty: not given
  std::uint64_t seed = 1;
  int threads = 1;
  double seconds = std::numeric_limits<double>::infinity();
};

/// The names that messages give to the arguments.
struct ArgumentNames {
  std::string prefix;         // before a name: "--"
  std::string options;        // "--set"
  std::string cardinalities;  // what a list of them looks like
  std::string cardinality = "cardinality", components = "components";
};

struct PreparedSolve {
  Dataset dataset;
  std::uint64_t seed = 1;
  SolveRequest request;
  std::vector<std::string> metrics;  // to be measured; empty: those that are by default
  /// True if no cardinality binds: for a dense solver, or a penalty taken as it is set.
  bool unconstrained = false;
  double reading_seconds = 0;  // wall time until S was there
  Json data = nullptr;         // how the data were taken; null unless the command line says it
  /// The defaults that were taken, one line each.
  std::vector<std::string> notes = {};
  /// Seconds that measuring may take: the eigenvalues of S, and the check of a certificate. The
  /// limit of the solve holds for each of them too (check_time_limit).
  double measuring_limit = std::numeric_limits<double>::infinity();
};

/// The solver if none is named. It needs no option, takes any p, ends by itself, and begins with the
/// answer of tpower: so none of the cheap methods is often better.
inline constexpr const char* kDefaultSolver = "search";

/// Checks what can be checked before the data are loaded, loads them, and checks the rest. Throws
/// InputError that opens with the argument's name.
PreparedSolve prepare_solve(const SolveValues& values, const ArgumentNames& names,
                            const std::function<Dataset()>& load);
}  // namespace spca
