#include "spca/algebra/all_copies.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "spca/algebra/complement_bound.h"
#include "spca/algebra/dense_decompositions.h"
#include "spca/algebra/dense_products.h"
#include "spca/algebra/dense_selections.h"
#include "spca/base/error.h"

namespace spca {
namespace {

/// Accepted excess of a bound over its eigenvalue, relative to the largest value: rounding, or what
/// the pairs are asked for.
constexpr double kAccepted = 1e-12;
/// Values alone may be asked for with residuals of which the square is rounding. Where eigenvalues are
/// too close for that, the pairs are sought anew if the bounds exceed them by this share.
constexpr double kTooLoose = 1e-11;
/// Rounding of a value, relative to the largest.
constexpr double kValueRounding = 1e-14;
/// Residual of eigenvectors, relative to the largest value, that are taken as they are.
constexpr double kConverged = 1e-11;
/// Share of the largest value by which a factorisation shows the other eigenvalues to be below the last.
constexpr double kClearGap = 1e-6;
/// Up to this number of variables, and of multiplications that form S, a factorisation of S is quick.
constexpr Index kLargestFactorised = 1000;
constexpr double kMostWork = 2e9;
/// Number of Ritz vectors behind the pairs that the search of the complement may leave out.
constexpr Index kFurther = 24;

double largest_excess(const Eigenpairs& pairs) { return (pairs.upper - pairs.values).maxCoeff(); }

/// S, if a factorisation of it is quick.
std::optional<Matrix> quick_matrix(const Covariance& covariance) {
  const Index p = covariance.variables();
  const double work = static_cast<double>(covariance.samples()) * static_cast<double>(p * p);
  if (p > kLargestFactorised || work > kMostWork) {
    return std::nullopt;
  }
  return covariance.submatrix(all_variables(p));
}

double residual_of(const RitzSpace& ritz) {
  Matrix residual = ritz.products;
  subtract_product(residual, scaled_columns(ritz.pairs.vectors, ritz.pairs.values),
                   Matrix::Identity(ritz.pairs.values.size(), ritz.pairs.values.size()));
  return residual.norm();
}

/// V and what was missed beside it.
KnownSpace joined(const RitzSpace& found, const KnownSpace& missed) {
  const Index r = found.products.cols();
  const Index added = std::min(missed.basis.cols(), block_davidson_columns(r) - r);
  KnownSpace space{.basis = Matrix(found.products.rows(), r + added),
                   .products = Matrix(found.products.rows(), r + added)};
  space.basis << found.pairs.vectors, missed.basis.leftCols(added);
  space.products << found.products, missed.products.leftCols(added);
  return space;
}

/// Shows that no pair is missing, and seeks those that are, from `found` on.
Eigenpairs with_all_copies(const Covariance& covariance, RitzSpace found, KnownSpace& space,
                           Exact exact) {
  const Index count = found.pairs.values.size();
  const std::optional<Matrix> matrix = quick_matrix(covariance);
  for (int draw = 0; draw < kMostComplementBounds; ++draw) {
    const double residual = residual_of(found);
    if (matrix) {
      if (const auto rest = rest_by_factorisation(*matrix, found.pairs)) {
        set_bounds(found.pairs, *rest, residual);
        return std::move(found.pairs);
      }
    }
    const double norm = largest_magnitude(found.pairs.values);
    const double last = found.pairs.values[count - 1];
    const double accepted = (exact == Exact::kNearly ? kNearResidual : kAccepted) * norm;
    // The square of the residual over the gap is then rounding.
    const double goal = exact == Exact::kValues && residual > accepted
                            ? last - residual * residual / accepted
                            : last + accepted;
    const ComplementBound bound = bound_complement(operator_of(covariance), found, draw, goal, accepted);
    if (bound.missed.basis.cols() > 0) {
      space = joined(found, bound.missed);
    } else {
      set_bounds(found.pairs, bound.largest, residual);
      const double loose = kTooLoose * norm;
      if (exact != Exact::kValues || residual <= loose || largest_excess(found.pairs) <= loose) {
        return std::move(found.pairs);
      }
      exact = Exact::kPairs;
    }
    found = block_davidson(covariance, count, space, exact, kFurther);
  }
  throw NumericalError("eigenvalues repeat more often than could be found");
}

}  // namespace

void set_bounds(Eigenpairs& pairs, double rest, double residual) {
  const double rounding = kValueRounding * largest_magnitude(pairs.values);
  pairs.rest = rest;
  pairs.upper = pairs.values;
  for (double& value : pairs.upper) {
    const double gap = value - rest;
    const double excess = gap > 0 ? std::min(residual, residual * residual / gap) : residual;
    value = std::max(value, rest) + excess + rounding;
  }
}

std::optional<double> rest_by_factorisation(const Matrix& matrix, const Eigenpairs& pairs) {
  const auto size = static_cast<double>(matrix.rows());
  const double norm = largest_magnitude(pairs.values);
  const double last = pairs.values[pairs.values.size() - 1];
  // The matrix without the pairs.
  Matrix negative = -matrix;
  add_product_transposed(negative, scaled_columns(pairs.vectors, pairs.values), pairs.vectors);
  const double rounding = 2 * (size + 2) * std::numeric_limits<double>::epsilon() *
                          (std::abs(negative.trace()) + size * norm);
  const double sigma = last - kClearGap * norm;
  negative.diagonal().array() += sigma - rounding;
  if (is_positive_definite(negative)) {
    return sigma;
  }
  return std::nullopt;
}

Eigenpairs eigenpairs_by_blocks(const Covariance& covariance, Index count, KnownSpace& space,
                                Exact exact, Copies copies) {
  RitzSpace found =
      block_davidson(covariance, count, space, exact, copies == Copies::kAll ? kFurther : 0);
  return copies == Copies::kAll ? with_all_copies(covariance, std::move(found), space, exact)
                                : std::move(found.pairs);
}

Eigenpairs completed(const Covariance& covariance, const Matrix& vectors, Copies copies) {
  KnownSpace space{.basis = orthonormal_basis(vectors, kConverged), .products = {}};
  const Index count = vectors.cols();
  covariance.multiply_block(space.basis, space.products);
  if (space.basis.cols() == count) {
    const SymmetricEigenpairs ritz =
        symmetric_eigenpairs(symmetric_part(transposed_product(space.basis, space.products)));
    const Matrix best = reversed_columns(ritz.vectors);
    RitzSpace found{
        .pairs = {.values = ritz.values.reverse(), .vectors = matrix_product(space.basis, best)},
        .products = matrix_product(space.products, best),
        .further = {}};
    if (residual_of(found) <= kConverged * largest_magnitude(found.pairs.values)) {
      return copies == Copies::kAny
                 ? std::move(found.pairs)
                 : with_all_copies(covariance, std::move(found), space, Exact::kPairs);
    }
  }
  return eigenpairs_by_blocks(covariance, count, space, Exact::kPairs, copies);
}

}  // namespace spca
