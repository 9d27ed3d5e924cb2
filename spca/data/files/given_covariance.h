#pragma once

/// Covariance and correlation matrices as found in practice: with one triangle, rounded, or with
/// entries computed from different samples, so they have negative eigenvalues.

#include <string>

#include "spca/data/content/file_content.h"

namespace spca {

/// The triangle of S that is given. The other one is its mirror image.
enum class Triangle { kWhole, kLower, kUpper };

/// Returns the triangle of this name. Throws InputError unless it is "auto" (kWhole), "lower" or
/// "upper".
Triangle triangle_from_name(const std::string& name);

/// Completes S from one triangle of a square matrix, and adds a note: mirrors the triangle, or, if
/// every entry above or below the diagonal is missing (NaN), the other triangle. Throws InputError
/// if other entries are missing, with the place of the first, and if one triangle is zero and the
/// other is not, which is ambiguous.
void complete_covariance(Triangle triangle, FileContent& content);

/// Replaces S by a positive semidefinite matrix of the same diagonal if it has negative
/// eigenvalues: they become zero, and rows and columns are scaled to the old diagonal. A note has
/// the least eigenvalue and the largest change of an entry. Throws InputError unless S is
/// symmetric, with a diagonal >= 0 and at most 5000 variables. O(p^3). Source  R. Rebonato, P.
/// Jaeckel, The most general methodology to create a valid correlation matrix,
///         J. Risk 2(2), 2000 (spectral decomposition)
void replace_by_nearest_semidefinite(FileContent& content);

}  // namespace spca
