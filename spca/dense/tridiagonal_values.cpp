#include "spca/dense/tridiagonal_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spca {
namespace {

// The square of an entry beside the diagonal that changes no eigenvalue by more than a quarter of a
// rounding of 1.
constexpr double kNegligible =
    std::numeric_limits<double>::epsilon() * std::numeric_limits<double>::epsilon() / 16;
// Two steps suffice for most eigenvalues.
constexpr int kMostQlSteps = 60;

/// Wilkinson's shift for the block that begins at l.
double shift_of(const Vector& diagonal, const Vector& squares, Index l) {
  const double beside = std::sqrt(squares[l]);
  const double half = (diagonal[l + 1] - diagonal[l]) / (2 * beside);
  return diagonal[l] - beside / (half + std::copysign(std::sqrt(half * half + 1), half));
}

/// One QL step on the rows l..m of T, which are separate from the others. `squares`: those of the
/// entries beside the diagonal. `cosine` and `sine` are the squares of those of the rotations.
void step(Vector& diagonal, Vector& squares, Index l, Index m) {
  const double shift = shift_of(diagonal, squares, l);
  double cosine = 1;
  double sine = 0;
  double gamma = diagonal[m] - shift;
  double product = gamma * gamma;
  for (Index i = m - 1; i >= l; --i) {
    const double square = squares[i];
    const double sum = product + square;
    if (i + 1 < m) {
      squares[i + 1] = sine * sum;
    }
    const double before = cosine;
    // Three divisions that do not wait for each other: `inverse` is 1 / cosine.
    cosine = product / sum;
    sine = square / sum;
    const double inverse = sum / product;
    const double gamma_before = gamma;
    const double alpha = diagonal[i];
    gamma = cosine * (alpha - shift) - sine * gamma_before;
    diagonal[i + 1] = gamma_before + (alpha - gamma);
    product = cosine != 0 ? gamma * gamma * inverse : before * square;
  }
  squares[l] = sine * product;
  diagonal[l] = shift + gamma;
}

}  // namespace

std::optional<Vector> tridiagonal_values(const Vector& diagonal, const Vector& beside) {
  const Index n = diagonal.size();
  Vector values = diagonal;
  Vector squares = beside.cwiseAbs2();
  for (Index l = 0; l < n; ++l) {
    for (int steps = 0;; ++steps) {
      // The block of rows l..m is separate from the rest.
      Index m = l;
      while (m + 1 < n && !(squares[m] <= kNegligible)) {
        ++m;
      }
      if (m < n - 1) {
        squares[m] = 0;
      }
      if (m == l) {
        break;
      }
      if (steps == kMostQlSteps) {
        return std::nullopt;
      }
      step(values, squares, l, m);
    }
  }
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace spca
