#include "spca/spectrum/remaining_variance.h"

#include <fmt/format.h>

#include <algorithm>

#include "spca/base/error.h"
#include "spca/covariance/columns_at_a_time.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

/// Factor by which the shift of an accepted S may exceed the tolerance, because of rounding.
constexpr double kTimesAccepted = 2;
/// At most this number of variables for a dense eigendecomposition. Chosen by trial, not measured.
constexpr Index kLargestDecomposed = 2000;

/// Returns the unit of each variable: the root of the largest variance that it has had.
Vector units_of(const Covariance& covariance, const Support& variables) {
  return covariance.largest_variances()(variables).cwiseSqrt();
}

}  // namespace

Support varying_variables(const Covariance& covariance) {
  const Vector& variances = covariance.diagonal();
  const bool is_semidefinite = covariance.semidefinite_shift() == 0;
  std::vector<char> varies(static_cast<std::size_t>(variances.size()), 0);
  Support unknown;
  for (Index j = 0; j < variances.size(); ++j) {
    varies[static_cast<std::size_t>(j)] = is_semidefinite ? variances[j] > 0 : variances[j] != 0;
    if (!is_semidefinite && variances[j] == 0) {
      unknown.push_back(j);
    }
  }
  for (const Support& block : column_blocks(unknown)) {
    const Matrix columns = covariance.columns(block);
    for (std::size_t b = 0; b < block.size(); ++b) {
      const Index j = block[b];
      Vector others = columns.col(static_cast<Index>(b)).cwiseAbs();
      others[j] = 0;  // as the diagonal says; `columns` may hold rounding
      const Vector& largest = covariance.largest_variances();
      varies[static_cast<std::size_t>(j)] =
          largest[j] > 0 &&
          (others.array() > kRoundingOfDeflation * (largest[j] * largest).cwiseSqrt().array())
              .any();
    }
  }
  Support variables;
  for (Index j = 0; j < variances.size(); ++j) {
    if (varies[static_cast<std::size_t>(j)] != 0) {
      variables.push_back(j);
    }
  }
  return variables;
}

bool has_positive_variance(const Covariance& covariance) {
  return covariance.diagonal().maxCoeff() > 0;
}

bool has_variance(const Covariance& covariance) {
  if (has_positive_variance(covariance) || covariance.semidefinite_shift() == 0) {
    return has_positive_variance(covariance);
  }
  const Support variables = varying_variables(covariance);
  if (variables.empty()) {
    return false;
  }
  if (std::ssize(variables) > kLargestDecomposed) {
    try {
      return leading_eigenpairs(covariance, 1).values[0] >
             kRoundingOfDeflation * covariance.largest_variances().maxCoeff();
    } catch (const NumericalError&) {
      return true;  // undecided: the solver will find out
    }
  }
  // Rows and columns are divided by the units of their variables, so that tiny variances count too.
  // By Sylvester's law of inertia this changes the sign of no eigenvalue.
  const Vector units = units_of(covariance, variables).cwiseInverse();
  const Vector values =
      symmetric_eigenvalues(scaled_both_sides(covariance.submatrix(variables), units));
  return values[values.size() - 1] > kRoundingOfDeflation;
}

bool is_indefinite(const Covariance& covariance) {
  return covariance.semidefinite_shift() >
         kTimesAccepted * kIndefiniteTolerance * covariance.largest_variances().maxCoeff();
}

std::string no_positive_support(Index k) {
  return fmt::format(
      "no support of {} variables explains a positive variance: S is indefinite after a deflation",
      k);
}

}  // namespace spca
