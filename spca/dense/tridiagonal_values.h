#pragma once

/// The eigenvalues of a symmetric tridiagonal matrix by the QL iteration without square roots: on
/// the squares of the entries beside the diagonal a step needs three divisions, which do not wait
/// for each other, where a rotation needs a root.
///
/// Source  C. Reinsch, Algorithm 464, Communications of the ACM 16:689, 1973; B. Parlett, The
///         Symmetric Eigenvalue Problem, 1980, section 8.15

#include <optional>

#include "spca/base/types.h"

namespace spca {

/// Returns the n eigenvalues, ascending, with errors of a few roundings of 1. `diagonal`: n >= 1
/// numbers; `beside`: n - 1; all of magnitude at most 1. Returns nothing if
/// the iteration does not converge, as it does not if an entry is NaN. O(n^2).
std::optional<Vector> tridiagonal_values(const Vector& diagonal, const Vector& beside);

}  // namespace spca
