#pragma once

#include <optional>

#include "spca/base/types.h"
#include "spca/dense/leading_eigenpair.h"

namespace spca {

/// Returns the leading eigenpair of a dense symmetric matrix A (m x m) by Lanczos with full
/// reorthogonalisation from `start` (not zero). O(m^2) a step. The answer satisfies
///
///   ||A v - lambda v|| <= kLanczosResidual * ||A||,
///
/// which is checked by a product with A itself, ||A|| being estimated from the steps. Empty if
/// kLargestKrylov steps do not reach this, or if the largest diagonal entry is 0, tiny or huge. The
/// start must not be orthogonal to the leading eigenvector; leading_eigenpair.cpp makes sure of
/// that.
std::optional<LeadingEigenpair> lanczos_leading(const Matrix& matrix, const Vector& start);

inline constexpr Index kLargestKrylov = 80;

}  // namespace spca
