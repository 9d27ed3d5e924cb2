#pragma once

#include <string>

#include "spca/data/dataset.h"

namespace spca {

/// The solver of a path if none is named: fast enough for many cardinalities, resamples and folds.
inline constexpr const char* kPathSolver = "tpower";

/// The default cardinality of one component, with the reason for it.
struct SuggestedCardinality {
  Index cardinality = 1;
  std::string reason;  // "where the variance bends most against k (knee)"
};

/// A path of kPathSolver over some k up to 100. By cross-validation and one standard error if S is of
/// data with at most a million entries; otherwise, and for S itself, by the knee, which needs no
/// samples (cardinality_path.h). Deterministic unless `seconds`, for each solve, run out.
SuggestedCardinality suggest_cardinality(const Dataset& dataset, std::uint64_t seed,
                                         double seconds);

/// Returns the default cardinality of each of r components: `wanted`, or p / r if that is less,
/// so that disjoint components leave each other variables. It is at least 1.
Index default_cardinality(Index wanted, Index p, Index components);

}  // namespace spca
