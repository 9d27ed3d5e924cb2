#include <algorithm>

#include "spca/data/dataset.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/spectrum.h"
#include "tests/properties/answer_checks.h"

namespace spca::properties {
namespace {

// At most this number of leading eigenvalues is checked. Iterations tend to miss copies of the
// largest ones.
constexpr Index kMostValues = 12;
// Bound on the residual of eigenvectors V, as a share of lambda_1, and on the entries of V'V - I.
// The vectors themselves cannot be compared, because those of a repeated eigenvalue are any basis
// of its space.
constexpr double kResidual = 1e-7;

}  // namespace

void check_spectrum(const Examined& examined, const calls::Data& data,
                    std::vector<Contradiction>& wrong) {
  const Covariance& covariance = *data.dataset->covariance;
  const Index p = covariance.variables();
  const double largest = examined.truth.eigenvalues()[0];
  const double slack = kRounding * largest + examined.rounding * static_cast<double>(p);
  for (Index count = 1; count <= std::min(p, kMostValues); ++count) {
    const Vector expected = examined.truth.eigenvalues().head(count);
    const Vector values = Spectrum(covariance).leading(count).head(count);
    Index worst = 0;
    if ((values - expected).cwiseAbs().maxCoeff(&worst) > slack) {
      wrong.push_back({.claim = "eigenvalues are those of S, copies included",
                       .found = values[worst],
                       .limit = expected[worst]});
      return;
    }
    const double optimum = examined.truth.one(count);
    const double bound = Spectrum(covariance).cardinality_bound(count);
    if (bound < optimum - slack) {
      wrong.push_back({.claim = "the bound of a cardinality is not below the optimum",
                       .found = bound,
                       .limit = optimum});
    }
  }
  const Index count = std::min(p, kMostValues);
  const Eigenpairs pairs = leading_eigenpairs(covariance, count);
  const Matrix products = examined.covariance * pairs.vectors;
  const double residual =
      (products - pairs.vectors * pairs.values.asDiagonal()).cwiseAbs().maxCoeff();
  const double dependence =
      (pairs.vectors.transpose() * pairs.vectors - Matrix::Identity(count, count))
          .cwiseAbs()
          .maxCoeff();
  if (residual > kResidual * largest + slack || dependence > kResidual) {
    wrong.push_back({.claim = "eigenvectors are those of S and orthonormal",
                     .found = std::max(residual, dependence),
                     .limit = kResidual * largest});
  }
}

}  // namespace spca::properties
