#include "spca/spectrum/all_copies.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "spca/base/error.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/spectrum/complement_bound.h"

namespace spca {
namespace {

/// Accepted excess of a bound over its eigenvalue, relative to the largest value: rounding. For
/// nearly exact pairs their own tolerance takes its place.
constexpr double kAcceptedExcess = 1e-12;
/// If only the values must be exact, a residual is accepted once its square is rounding. Where
/// eigenvalues are too close for that, the pairs are computed again if the bounds exceed the values
/// by more than this share of the largest.
constexpr double kTooLoose = 1e-11;
/// At most this much is the rounding of a value, relative to the largest; for small p it is p eps.
constexpr double kValueRounding = 1e-14;
/// At most this residual, relative to the largest value, lets eigenvectors pass as converged.
constexpr double kConverged = 1e-11;
/// Rounding of the products of unit vectors, and of sums of eigenvalues.
constexpr double kOrthonormal = 1e-9;
/// Share of the largest value by which a factorisation shows the other eigenvalues to be below the
/// last.
constexpr double kClearGap = 1e-6;

// The limits of effort below were chosen by trial, not measured.

/// At most this number of variables, and of multiplications that form S, make a factorisation
/// quick.
constexpr Index kLargestFactorised = 1000;
constexpr double kMostWork = 2e9;
/// Number of Ritz vectors behind the pairs that the search of the complement may leave out.
constexpr Index kFurther = 24;

double largest_excess(const Eigenpairs& pairs) { return (pairs.upper - pairs.values).maxCoeff(); }

/// Returns S if a factorisation of it is quick.
std::optional<Matrix> quick_matrix(const Covariance& covariance) {
  const Index p = covariance.variables();
  const double work = static_cast<double>(covariance.samples()) * static_cast<double>(p * p);
  if (p > kLargestFactorised || work > kMostWork) {
    return std::nullopt;
  }
  return covariance.submatrix(all_variables(p));
}

double residual_of(const RitzSpace& ritz) {
  return (ritz.products - scaled_columns(ritz.pairs.vectors, ritz.pairs.values)).norm();
}

/// Returns the space of V and of the missed vectors.
KnownSpace joined(const RitzSpace& found, const KnownSpace& missed) {
  const Index r = found.products.cols();
  const Index added = std::min(missed.basis.cols(), block_davidson_columns(r) - r);
  KnownSpace space{.basis = Matrix(found.products.rows(), r + added),
                   .products = Matrix(found.products.rows(), r + added)};
  space.basis << found.pairs.vectors, missed.basis.leftCols(added);
  space.products << found.products, missed.products.leftCols(added);
  return space;
}

/// Shows that `found` lacks no pair, or finds the missing ones, starting from `found`. `matrix` is
/// S if a factorisation of it is quick.
Eigenpairs with_all_copies(const Covariance& covariance, const std::optional<Matrix>& matrix,
                           RitzSpace found, KnownSpace& space, Exact exact) {
  const Index count = found.pairs.values.size();
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
    const double accepted = (exact == Exact::kNearly ? kNearResidual : kAcceptedExcess) * norm;
    // The square of the residual over the gap is then rounding.
    const double goal = exact == Exact::kValues && residual > accepted
                            ? last - residual * residual / accepted
                            : last + accepted;
    const ComplementBound bound =
        bound_complement(operator_of(covariance), found, draw, goal, accepted);
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
  throw NumericalError("not all copies of repeated eigenvalues were found");
}

}  // namespace

void set_bounds(Eigenpairs& pairs, double rest, double residual) {
  const double size = static_cast<double>(pairs.vectors.rows());
  const double rounding = std::min(kValueRounding, size * std::numeric_limits<double>::epsilon()) *
                          largest_magnitude(pairs.values);
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
  // Minus the matrix without the pairs.
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
  return copies == Copies::kAll
             ? with_all_copies(covariance, quick_matrix(covariance), std::move(found), space, exact)
             : std::move(found.pairs);
}

Eigenpairs completed(const Covariance& covariance, Eigenpairs found, Copies copies) {
  const Index count = found.values.size();
  const double norm = largest_magnitude(found.values);
  const Matrix gram = transposed_product(found.vectors, found.vectors);
  const bool is_plausible =
      (gram - Matrix::Identity(count, count)).norm() <= kOrthonormal &&
      found.values.sum() <= (1 + kOrthonormal) * covariance.diagonal().cwiseAbs().sum() +
                                static_cast<double>(count) * covariance.semidefinite_shift();
  if (is_plausible && copies == Copies::kAny) {
    return found;
  }
  KnownSpace space;
  if (is_plausible) {
    const std::optional<Matrix> matrix = quick_matrix(covariance);
    RitzSpace ritz{.pairs = std::move(found), .products = {}, .further = {}};
    if (matrix) {
      ritz.products = matrix_product(*matrix, ritz.pairs.vectors);
    } else {
      covariance.multiply_block(ritz.pairs.vectors, ritz.products);
    }
    if (residual_of(ritz) <= kConverged * norm) {
      return with_all_copies(covariance, matrix, std::move(ritz), space, Exact::kPairs);
    }
  }
  return eigenpairs_by_blocks(covariance, count, space, Exact::kPairs, copies);
}

}  // namespace spca
