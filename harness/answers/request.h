#pragma once

/// Turns a caller's values into a request to a solver. The command line, Python and R each parse
/// their own arguments and call make_request() with the values.

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/instances/library_comparison.h"
#include "spca/data/dataset.h"
#include "spca/solving/solve.h"

namespace spca {

/// The deflation between components if none is named.
inline constexpr const char* kDefaultDeflation = "remove-support";

/// The values that the caller gave. Each value is in range by itself.
struct SolveValues {
  const SolverEntry* solver = nullptr;
  Json options;                    // options of the solver, as the caller gave them
  std::vector<Index> cardinality;  // empty, one for all components, or one for each
  std::optional<Index> components;
  std::string deflation;  // empty: the caller gave none
  std::uint64_t seed = 1;
  int threads = 1;
  double seconds = std::numeric_limits<double>::infinity();
};

/// The names of the arguments in messages.
struct ArgumentNames {
  std::string prefix;         // precedes a name: "--"
  std::string options;        // "--set"
  std::string cardinalities;  // example of a list of cardinalities
  std::string cardinality = "cardinality", components = "components";
};

/// The checked values of a caller, with the data.
struct Request {
  Dataset dataset;
  std::uint64_t seed = 1;
  SolveRequest solve;
  std::vector<std::string> metrics;  // metrics to be measured; empty: the default ones
  /// True if no cardinality binds: for a dense solver, or if the penalty is used as given.
  bool unconstrained = false;
  double reading_seconds = 0;  // wall time of reading the data and forming S
  Json data = nullptr;         // origin of the data; only the command line sets it
  /// Set if the data are a registered data set in its own form, which may have instances.
  std::optional<DataOrigin> origin = {};
  /// The defaults that were applied, one line each.
  std::vector<std::string> notes = {};
  /// Time limit in seconds of measuring: of the eigenvalues of S and of the check of a certificate.
  /// The time limit of the solve holds for each of these as well (check_time_limit).
  double measuring_limit = std::numeric_limits<double>::infinity();
};

/// The solver if the caller names none. "search" needs no option, takes any p, ends by itself, and
/// begins with the answer of tpower, so a cheaper solver is seldom better.
inline constexpr const char* kDefaultSolver = "search";

/// Checks what can be checked before the data are loaded, loads the data, and checks the rest.
/// Throws InputError whose message begins with the argument's name.
Request make_request(const SolveValues& values, const ArgumentNames& names,
                     const std::function<Dataset()>& load);
}  // namespace spca
