#include "spca/dense/small_eigenpair.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"

namespace spca {
namespace {

constexpr std::size_t kMostSmallRows = kMostSmallVariables;
using Row = std::array<double, kMostSmallRows>;

constexpr double kUnitRoundoff = 1.2e-16;
// At most this number of roundings of the largest entry remain as residual of a stable method.
constexpr double kStableResidual = 64;
// At most this number of steps. Convergence of order three takes four or five steps; if eigenvalues
// coincide, convergence is linear.
constexpr int kMostLaguerreSteps = 40;

/// T, and the reflections I - scale_j v_j v_j' that produce it. v_j is stored in column j, from row
/// j + 1 on.
struct SmallTridiagonal {
  std::size_t size = 0;
  Row diagonal;
  Row beside;   // T(i, i + 1)
  Row squares;  // of `beside`
  Row scales;
  std::array<Row, kMostSmallRows> columns;
  double magnitude = 0;  // max |T_ij|
};

/// Makes column j zero below row j + 1 by a reflection, and applies it to the other columns.
void reflect(SmallTridiagonal& t, std::size_t j) {
  const std::size_t n = t.size;
  Row& v = t.columns[j];
  double rest = 0;
  for (std::size_t i = j + 2; i < n; ++i) {
    rest += v[i] * v[i];
  }
  if (rest == 0) {
    t.beside[j] = v[j + 1];
    t.scales[j] = 0;
    return;
  }
  const double norm = std::sqrt(v[j + 1] * v[j + 1] + rest);
  t.beside[j] = v[j + 1] > 0 ? -norm : norm;
  v[j + 1] -= t.beside[j];
  const double scale = 2 / (v[j + 1] * v[j + 1] + rest);
  t.scales[j] = scale;
  Row w{};
  double along = 0;
  for (std::size_t a = j + 1; a < n; ++a) {
    double sum = t.columns[a][a] * v[a];
    for (std::size_t b = j + 1; b < a; ++b) {
      sum += t.columns[b][a] * v[b];
    }
    for (std::size_t b = a + 1; b < n; ++b) {
      sum += t.columns[a][b] * v[b];
    }
    w[a] = scale * sum;
    along += w[a] * v[a];
  }
  for (std::size_t a = j + 1; a < n; ++a) {
    w[a] -= scale / 2 * along * v[a];
  }
  for (std::size_t b = j + 1; b < n; ++b) {
    for (std::size_t a = b; a < n; ++a) {
      t.columns[b][a] -= v[a] * w[b] + w[a] * v[b];
    }
  }
}

void make_tridiagonal(const Matrix& matrix, const Support& support, SmallTridiagonal& t) {
  const std::size_t n = support.size();
  t.size = n;
  for (std::size_t j = 0; j < n; ++j) {
    const double* column = matrix.col(support[j]).data();
    for (std::size_t i = j; i < n; ++i) {
      t.columns[j][i] = column[support[i]];
    }
  }
  for (std::size_t j = 0; j + 2 < n; ++j) {
    reflect(t, j);
  }
  if (n > 1) {
    t.beside[n - 2] = t.columns[n - 2][n - 1];
  }
  t.magnitude = 0;
  for (std::size_t i = 0; i < n; ++i) {
    t.diagonal[i] = t.columns[i][i];
    t.magnitude = std::max(t.magnitude, std::abs(t.diagonal[i]));
    if (i + 1 < n) {
      t.squares[i] = t.beside[i] * t.beside[i];
      t.magnitude = std::max(t.magnitude, std::abs(t.beside[i]));
    }
  }
}

/// Returns an upper bound on all eigenvalues: the lesser of Gershgorin's bound and the bound that
/// follows from the mean and the variance of the eigenvalues.
double above_all(const SmallTridiagonal& t) {
  const auto n = static_cast<double>(t.size);
  double discs = -std::numeric_limits<double>::infinity();
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < t.size; ++i) {
    double disc = t.diagonal[i];
    sum += t.diagonal[i];
    squares += t.diagonal[i] * t.diagonal[i];
    if (i > 0) {
      disc += std::abs(t.beside[i - 1]);
    }
    if (i + 1 < t.size) {
      disc += std::abs(t.beside[i]);
      squares += 2 * t.squares[i];
    }
    discs = std::max(discs, disc);
  }
  const double mean = sum / n;
  const double variance = std::max(squares / n - mean * mean, 0.0);
  return std::min(discs, mean + std::sqrt(variance * (n - 1)));
}

/// Returns Laguerre's step from x, which is at least the largest root, down towards that root; zero
/// at the root itself.
double laguerre_step(const SmallTridiagonal& t, double x) {
  // Pivots of xI - T, and their first and second derivatives divided by the pivots.
  double pivot = x - t.diagonal[0];
  double first = 1 / pivot;
  double second = 0;
  double slope = first;
  double curvature = first * first;
  for (std::size_t i = 1; i < t.size && pivot > 0; ++i) {
    const double share = t.squares[i - 1] / pivot;
    const double change = 1 + share * first;
    const double bend = share * (second - 2 * first * first);
    pivot = x - t.diagonal[i] - share;
    const double inverse = 1 / pivot;
    first = change * inverse;
    second = bend * inverse;
    slope += first;
    curvature += first * first - second;
  }
  if (!(pivot > 0)) {
    return 0;
  }
  const auto n = static_cast<double>(t.size);
  const double under = std::max((n - 1) * (n * curvature - slope * slope), 0.0);
  return n / (slope + std::sqrt(under));
}

/// Returns the largest eigenvalue, or NaN if the steps do not converge.
double largest_root(const SmallTridiagonal& t) {
  double x = above_all(t);
  for (int step = 0; step < kMostLaguerreSteps; ++step) {
    const double down = laguerre_step(t, x);
    x -= down;
    if (!(down > 4 * kUnitRoundoff * (std::abs(x) + t.magnitude))) {
      return x;
    }
  }
  return kNotMeasured;
}

/// Returns the pivot, or for zero a tiny negative number, far below the rounding of other pivots.
double divisor(double pivot) {
  constexpr double kTiny = 1e-290;
  return pivot == 0 ? -kTiny : pivot;
}

/// Returns the number of eigenvalues above x (Sylvester's law of inertia).
int eigenvalues_above(const SmallTridiagonal& t, double x) {
  int above = 0;
  double pivot = 1;
  for (std::size_t i = 0; i < t.size; ++i) {
    pivot = divisor(x - t.diagonal[i] - (i > 0 ? t.squares[i - 1] / pivot : 0.0));
    above += pivot < 0 ? 1 : 0;
  }
  return above;
}

/// Computes the eigenvector z of T for its eigenvalue x, and replaces x by the Rayleigh quotient.
/// Returns true if the residual is that of a stable method.
bool eigenvector(const SmallTridiagonal& t, double& x, Row& z) {
  const std::size_t n = t.size;
  Row down;
  Row up;
  for (std::size_t i = 0; i < n; ++i) {
    down[i] = divisor(x - t.diagonal[i] - (i > 0 ? t.squares[i - 1] / down[i - 1] : 0.0));
  }
  for (std::size_t i = n; i-- > 0;) {
    up[i] = divisor(x - t.diagonal[i] - (i + 1 < n ? t.squares[i] / up[i + 1] : 0.0));
  }
  std::size_t twist = 0;
  double least = std::numeric_limits<double>::infinity();  // of (xI - T)z, which is zero elsewhere
  for (std::size_t i = 0; i < n; ++i) {
    const double left = down[i] + up[i] - (x - t.diagonal[i]);
    if (std::abs(left) < std::abs(least)) {
      least = left;
      twist = i;
    }
  }
  z[twist] = 1;
  double squares = 1;
  for (std::size_t i = twist; i-- > 0;) {
    z[i] = t.beside[i] * z[i + 1] / down[i];
    squares += z[i] * z[i];
  }
  for (std::size_t i = twist + 1; i < n; ++i) {
    z[i] = t.beside[i - 1] * z[i - 1] / up[i];
    squares += z[i] * z[i];
  }
  x -= least / squares;
  const double inverse = 1 / std::sqrt(squares);
  double residual = 0;
  for (std::size_t i = 0; i < n; ++i) {
    z[i] *= inverse;
  }
  for (std::size_t i = 0; i < n; ++i) {
    double entry = (t.diagonal[i] - x) * z[i];
    entry += i > 0 ? t.beside[i - 1] * z[i - 1] : 0.0;
    entry += i + 1 < n ? t.beside[i] * z[i + 1] : 0.0;
    residual += std::abs(entry);
  }
  return residual <= kStableResidual * kUnitRoundoff * t.magnitude;
}

/// Transforms z from the coordinates of T back to those of A_II.
void reflect_back(const SmallTridiagonal& t, Row& z) {
  for (std::size_t j = t.size < 2 ? 0 : t.size - 2; j-- > 0;) {
    double along = 0;
    for (std::size_t i = j + 1; i < t.size; ++i) {
      along += t.columns[j][i] * z[i];
    }
    along *= t.scales[j];
    for (std::size_t i = j + 1; i < t.size; ++i) {
      z[i] -= along * t.columns[j][i];
    }
  }
}

}  // namespace

double small_leading_eigenvalue(const Matrix& matrix, const Support& support) {
  if (support.size() <= kMostSmallRows) {
    SmallTridiagonal t;
    make_tridiagonal(matrix, support, t);
    const double root = largest_root(t);
    if (std::isfinite(root)) {
      return root;
    }
  }
  return symmetric_eigenvalues(selected(matrix, support, support))[std::ssize(support) - 1];
}

bool small_eigenpair_alone(const Matrix& matrix, const Support& support, double level,
                           SmallEigenpair& pair) {
  if (support.size() > kMostSmallRows) {
    return false;
  }
  SmallTridiagonal t;
  make_tridiagonal(matrix, support, t);
  pair.value = largest_root(t);
  if (!std::isfinite(pair.value) || eigenvalues_above(t, level) > 1 ||
      !eigenvector(t, pair.value, pair.vector)) {
    return false;
  }
  reflect_back(t, pair.vector);
  return true;
}

}  // namespace spca
