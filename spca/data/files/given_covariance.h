#pragma once

/// Covariance and correlation matrices as found in practice: with one triangle only, or with
/// negative eigenvalues, because entries were rounded or computed from different samples.

#include <string>

#include "spca/data/content/file_content.h"

namespace spca {

/// The triangle of S that is given. The other one is its mirror image.
enum class Triangle { kWhole, kLower, kUpper };

/// Returns the triangle of this name. Throws InputError unless it is "auto" (kWhole), "lower" or
/// "upper".
Triangle triangle_from_name(const std::string& name);

/// Completes a square S by mirroring `triangle`. If that is kWhole and all entries above or below
/// the diagonal are missing (NaN), mirrors the other triangle and adds a note. Throws InputError if
/// entries are missing after that, with the place of the first; and if `triangle` is kWhole and one
/// triangle is zero and the other is not, which is ambiguous.
void complete_covariance(Triangle triangle, FileContent& content);

/// Replaces S by a positive semidefinite matrix of the same diagonal if S has negative eigenvalues:
/// they become zero, and rows and columns are scaled to the old diagonal. A note has the least
/// eigenvalue and the largest change of an entry. Throws InputError unless S is symmetric and
/// finite, with a diagonal >= 0 and at most 5000 variables. O(p^3).
/// Source  R. Rebonato, P. Jaeckel, The most general methodology to create a valid correlation
///         matrix, J. Risk 2(2), 2000 (spectral decomposition)
void replace_by_nearest_semidefinite(FileContent& content);

}  // namespace spca
