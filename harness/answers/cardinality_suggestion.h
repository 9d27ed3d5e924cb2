#pragma once

#include <string>

#include "spca/data/dataset.h"

namespace spca {

/// The solver of a path if the caller names none: fast enough for many cardinalities, resamples and
/// folds.
inline constexpr const char* kPathSolver = "tpower";

/// The default cardinality of one component, with the reason for it.
struct SuggestedCardinality {
  Index cardinality = 1;
  std::string reason;  // for example "where the variance bends most against k (knee)"
};

/// Suggests a cardinality from a path of kPathSolver over values of k up to 100. The rule is
/// cross-validation with one standard error if S comes from data with at most a million entries.
/// Otherwise, and if S itself was given, the rule is the knee, which needs no samples
/// (cardinality_path.h). Deterministic unless `seconds`, the limit of each solve, runs out.
SuggestedCardinality suggest_cardinality(const Dataset& dataset, std::uint64_t seed,
                                         double seconds);

/// Returns the default cardinality of each component: the lesser of `wanted` and p / components, so
/// that disjoint components leave each other variables, but at least 1.
Index default_cardinality(Index wanted, Index p, Index components);

}  // namespace spca
