#pragma once

/// What the encoder solvers ask of a problem before they begin.

#include <optional>

#include "spca/methods/encoders/column_choice.h"
#include "spca/solving/solver.h"

namespace spca {

/// Skipped where r components with orthonormal columns on k common rows are not asked for: unequal
/// cardinalities, or k < r.
std::optional<Solution> refuse_common_rows(const Problem& problem);

/// Skipped where S has fewer than r positive eigenvalues: fewer components lose nothing already.
/// `leading`: the r leading eigenpairs.
std::optional<Solution> refuse_rank(const Eigenpairs& leading);

/// The r leading eigenpairs of S, timed as the phase "eigenpairs".
Eigenpairs encoder_eigenpairs(const Problem& problem, Budget& budget);

/// The batch encoder: columns by `method`, then the blackbox.
Solution solve_encoder_batch(const Problem& problem, const std::string& method, Budget& budget);

}  // namespace spca
