#pragma once

#include <string>
#include <vector>

#include "spca/covariance/deflation.h"
#include "spca/data/dataset.h"

namespace spca {

/// The default cardinality of one component, with the reason for it.
struct SuggestedCardinality {
  Index cardinality = 1;
  std::string reason;  // for example "where the variance bends most against k"
};

/// Returns the cardinalities of a path if the caller names none: from 1 to the lesser of 100 and p.
/// Each after 3 is at most a third more than the one before.
std::vector<Index> tried_cardinalities(Index p);

/// Suggests the cardinality of each component, one after the other, from paths of
/// suggestion_solver() over tried_cardinalities(), or of the solver that takes its place on samples
/// if there are more than a million data entries. The rule is that of ComponentPath if S comes from
/// at least 10 samples and at most a million data entries. Otherwise it is the knee, which needs no
/// samples. Only the first component has a suggestion if there are fewer samples, or if data
/// entries times components are more than a million. May return fewer than `components`, but at
/// least one. `deflation` keeps the data form if `components` > 1.
/// Deterministic unless `seconds`, the limit of each solve, runs out.
std::vector<SuggestedCardinality> suggest_cardinalities(const Dataset& dataset, Index components,
                                                        const DeflationEntry& deflation,
                                                        std::uint64_t seed, double seconds);

/// Returns the default cardinality of each component: the lesser of `wanted` and p / components, so
/// that disjoint components leave each other variables, but at least 1.
Index default_cardinality(Index wanted, Index p, Index components);

}  // namespace spca
