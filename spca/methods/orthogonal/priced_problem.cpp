#include "spca/methods/orthogonal/priced_problem.h"

#include <algorithm>

#include "spca/dense/dense_decompositions.h"

namespace spca {

PricedProblem::PricedProblem(const Matrix& of, const Vector& gains)
    : most_(gains.maxCoeff()), matrix_(of) {
  const Vector values = symmetric_eigenvalues(of);
  shift_ = std::max(0.0, -values[0]) + kRoundingOfValues * values.cwiseAbs().maxCoeff();
  const double largest = values[values.size() - 1] + shift_;
  unit_ = largest > 0 ? largest : 1;
  matrix_.diagonal().array() += shift_;
  matrix_ /= unit_;
  prices_ = (most_ - gains.array()) / unit_;
}

}  // namespace spca
