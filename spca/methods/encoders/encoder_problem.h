#pragma once

/// Conditions of the encoder solvers on a problem.

#include <optional>

#include "spca/methods/encoders/column_choice.h"
#include "spca/solving/solver.h"

namespace spca {

/// Traits::semidefinite of the encoder solvers, because the loss of an encoder is defined on X.
inline constexpr const char* kEncodersNeedData = "encoders need an S = X'X";

/// Returns a skipped solution unless the problem has r components with orthonormal columns on k
/// common rows: equal cardinalities, and k >= r.
std::optional<Solution> refuse_common_rows(const Problem& problem);

/// Returns a skipped solution if S has fewer than r positive eigenvalues: then fewer components
/// already have zero loss. `leading` holds the r leading eigenpairs.
std::optional<Solution> refuse_rank(const Eigenpairs& leading);

/// Returns the r leading eigenpairs of S, timed as the phase "eigenpairs".
Eigenpairs encoder_eigenpairs(const Problem& problem, Budget& budget);

/// The batch encoder: chooses columns by `method`, then builds the best encoder on them (the
/// blackbox of linear_encoder.h).
Solution solve_encoder_batch(const Problem& problem, const std::string& method, Budget& budget);

}  // namespace spca
