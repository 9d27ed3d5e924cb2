#pragma once

#include <optional>

#include "spca/algebra/eigenpairs.h"
#include "spca/base/types.h"

namespace spca {

/// The leading eigenpair of a dense symmetric matrix (m x m) by Lanczos with full
/// reorthogonalisation from `start` (not zero). The answer satisfies
/// ||A v - lambda v|| <= kLanczosResidual * ||A||, checked by a product with A itself; empty where
/// that is not reached within kLargestKrylov steps. O(m^2) a step. The start must not be orthogonal
/// to the leading eigenvector: see leading_eigenpair().
std::optional<LeadingEigenpair> lanczos_leading(const Matrix& matrix, const Vector& start);

inline constexpr double kLanczosResidual = 1e-12;
inline constexpr Index kLargestKrylov = 80;

}  // namespace spca
