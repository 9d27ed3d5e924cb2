#pragma once

/// Matrices on which solvers and bounds have broken, or nearly, drawn from a seed.

#include <optional>
#include <string>
#include <vector>

#include "spca/base/random.h"
#include "spca/base/types.h"

namespace spca::properties {

/// Either S itself or data X; the other one is 0 x 0.
struct HuntedMatrix {
  std::string kind;      // its name among kinds_of_matrices(), or large_kinds()
  Matrix covariance;     // S, p x p, exactly symmetric
  Matrix data;           // X, n x p
  bool centered = true;  // of X; S = scale X'X
  std::string scale = "n";
  /// The blocks of a large S, which is block diagonal but for the order of its variables. The order
  /// within each block is that of its rows and columns. Empty: S is small, and enumerated.
  std::vector<Support> blocks = {};
  /// The c of S = (1 - c) I + c 11' if that is what a large S is.
  std::optional<double> correlation = std::nullopt;

  bool is_data() const { return data.size() > 0; }
  Index variables() const { return is_data() ? data.cols() : covariance.cols(); }
};

/// The names of the kinds of small matrices.
std::vector<std::string> kinds_of_matrices();
/// Draws one of p variables, 2 <= p <= 12. `kind` is one of kinds_of_matrices().
HuntedMatrix draw_matrix(const std::string& kind, Index p, Random& random);

/// The names of the kinds of large matrices, whose optima have closed forms.
std::vector<std::string> large_kinds();
/// Draws one of p variables. `kind` is one of large_kinds().
HuntedMatrix draw_large_matrix(const std::string& kind, Index p, Random& random);

/// Returns S in the precision of long double, rounded: it is formed from the data without a line of
/// the library under test.
Matrix exact_covariance(const HuntedMatrix& matrix);
/// An absolute bound on the rounding of the entries of S that any storage of these data has: one unit
/// in the last place of a mean moves them so far.
double storage_rounding(const HuntedMatrix& matrix);

}  // namespace spca::properties
