#pragma once

/// Random matrices of kinds on which solvers or bounds have failed or are likely to fail.

#include <optional>
#include <string>
#include <vector>

#include "spca/base/random.h"
#include "spca/base/types.h"

namespace spca::properties {

/// Either S itself or data X; the other of the two matrices is 0 x 0.
struct HuntedMatrix {
  std::string kind;         // one of kinds_of_matrices() or large_kinds()
  Matrix covariance;        // S, p x p, exactly symmetric
  Matrix data;              // X, n x p
  bool centered = true;     // whether X is centred before S is formed
  std::string scale = "n";  // the divisor of X'X: "n", "n-1", or "none" for 1
  /// The blocks of a large S, which is block diagonal after a permutation of its variables. Equal
  /// blocks list their variables in the same order. Empty if S is small (supports are then
  /// enumerated) or has `correlation`.
  std::vector<Support> blocks = {};
  /// The c of a large S = (1 - c) I + c 11'.
  std::optional<double> correlation = std::nullopt;

  bool is_data() const { return data.size() > 0; }
  Index variables() const { return is_data() ? data.cols() : covariance.cols(); }
};

/// Returns the names of the kinds of small matrices.
std::vector<std::string> kinds_of_matrices();
/// Draws a matrix of p variables, 2 <= p <= 12. `kind` is one of kinds_of_matrices().
HuntedMatrix draw_matrix(const std::string& kind, Index p, Random& random);

/// Returns the names of the kinds of large matrices, whose optima have closed forms or follow from
/// enumeration in each block.
std::vector<std::string> large_kinds();
/// Draws a matrix of p variables. `kind` is one of large_kinds().
HuntedMatrix draw_large_matrix(const std::string& kind, Index p, Random& random);

/// Returns S without any function of the library under test: S as given, or formed from the data in
/// long double and then rounded. On large data, which are whole numbers, doubles are exact.
Matrix exact_covariance(const HuntedMatrix& matrix);
/// Returns an absolute bound on the rounding of the entries of S in any storage of these data: the
/// effect of a few units in the last place of a mean.
double storage_rounding(const HuntedMatrix& matrix);

}  // namespace spca::properties
