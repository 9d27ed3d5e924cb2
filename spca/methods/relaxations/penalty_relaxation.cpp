#include "spca/methods/relaxations/penalty_relaxation.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "spca/base/error.h"
#include "spca/methods/ascent/thresholded_power.h"
#include "spca/methods/relaxations/factored_covariance.h"

namespace spca {
namespace {

Matrix columns_of_data(const Covariance& covariance, const Support& variables) {
  Matrix columns(covariance.samples(), std::ssize(variables));
  for (std::size_t j = 0; j < variables.size(); ++j) {
    columns.col(static_cast<Index>(j)) =
        covariance.data_product({.support = {variables[j]}, .values = Vector::Ones(1)});
  }
  return columns;
}

}  // namespace

Support eliminate_by_penalty(const Vector& variances, double rho) {
  Support left;
  for (Index i = 0; i < variances.size(); ++i) {
    if (variances[i] > rho) {
      left.push_back(i);
    }
  }
  return left;
}

PenaltyRelaxation::PenaltyRelaxation(const Covariance& covariance, double rho)
    : variables_(eliminate_by_penalty(
          covariance.diagonal().array() + covariance.semidefinite_shift(), rho)) {
  // Only S + sigma I has a factor A. It explains at least as much as S.
  const double shift = covariance.semidefinite_shift();
  const double longest = std::sqrt(std::pow(longest_column(covariance), 2) + shift);
  unit_ = longest * longest;
  rho_ = rho / unit_;
  const Index count = std::ssize(variables_);
  // Any A with A'A = S can be used. The one with fewer rows makes Y smaller.
  const bool by_data = covariance.has_data_form() && covariance.samples() < count;
  const auto rows = static_cast<double>(by_data ? covariance.samples() : count);
  if (rows * static_cast<double>(count) > kLargestFactor) {
    throw NumericalError(
        fmt::format("the penalty leaves {} variables and {} dimensions; accepted: a product of at "
                    "most {}",
                    count, rows, kLargestFactor));
  }
  Matrix factor;
  if (count > 0) {
    if (by_data) {
      factor = columns_of_data(covariance, variables_);
    } else {
      Matrix matrix = covariance.submatrix(variables_);
      matrix.diagonal().array() += shift;
      factor = pivoted_cholesky(matrix);
    }
    factor /= longest;
  }
  factor_ = std::make_shared<const DenseColumns>(std::move(factor));
}

RelaxationTerms PenaltyRelaxation::terms_at(const Matrix& y, double floor) const {
  RelaxationTerms terms(factor_, 0);
  terms.move_to(y, floor);
  terms.solve(rho_, RelaxationTerms::Start::kZero);
  return terms;
}

// At floor 0, X = YY' has the range of Y, so each term is [lambda_max(Y'(a_i a_i' - rho I)Y)]_+.
double PenaltyRelaxation::value(const Matrix& y, double mu, Matrix* gradient) const {
  const RelaxationTerms terms = terms_at(y, 0);
  const Eigen::ArrayXd excess = terms.quadratic_forms() - rho_;  // of ||Y'a_i||^2 over rho
  if (gradient != nullptr) {
    // f_cvx is the sum of a_i'Xa_i - rho over the variables where this is positive.
    *gradient =
        mu == 0 ? terms.gradient(y) : terms.gradient(y, 1 - mu, mu * (excess > 0).cast<double>());
  }
  return mu * excess.max(0.0).sum() + (1 - mu) * terms.value(0);
}

double PenaltyRelaxation::smoothed_value(const Matrix& y, double floor, Matrix* gradient) const {
  const RelaxationTerms terms = terms_at(y, floor);
  if (gradient != nullptr) {
    *gradient = terms.gradient(y);
  }
  return terms.value(0);
}

Matrix PenaltyRelaxation::dual_columns(const Matrix& y, double floor) const {
  return terms_at(y, floor).dual_columns();
}

double PenaltyCertificate::do_check(const Covariance& covariance, Index k, Budget& budget) const {
  const PenaltyRelaxation relaxation(covariance, rho_);
  const double price = rho_ * static_cast<double>(k);
  if (relaxation.variables().empty()) {
    return price;  // no term is positive
  }
  if (y_.rows() != relaxation.dimension() || !budget.next()) {
    return std::numeric_limits<double>::infinity();
  }
  // v'Sv - rho k <= v'Sv - rho ||v||_0 <= max f_ccv <= lambda_max(HH').
  const Matrix columns = relaxation.dual_columns(y_, floor_);
  return price + relaxation.unit() * largest_curvature(columns);
}

}  // namespace spca
