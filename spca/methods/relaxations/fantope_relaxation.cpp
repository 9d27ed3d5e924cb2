#include "spca/methods/relaxations/fantope_relaxation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/covariance/columns_at_a_time.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/sparsify.h"
#include "spca/dense/tridiagonal_form.h"
#include "spca/methods/relaxations/box_admm.h"

namespace spca {
namespace {

/// Returns the sum of the r largest eigenvalues of a symmetric matrix.
double sum_of_largest_eigenvalues(const Matrix& matrix, Index r) {
  return symmetric_eigenvalues(matrix).tail(r).sum();
}

/// Returns theta with sum_i clamp(values_i - theta, 0, 1) = r; 1 <= r <= number of values. The sum
/// is piecewise linear and falls with theta: theta lies on the line between two of its kinks.
double fantope_shift(const Vector& values, Index r) {
  const auto sum_at = [&](double theta) {
    return (values.array() - theta).max(0.0).min(1.0).sum();
  };
  std::vector<double> kinks;
  for (const double value : values) {
    kinks.push_back(value);
    kinks.push_back(value - 1);
  }
  std::sort(kinks.begin(), kinks.end());
  const auto wanted = static_cast<double>(r);
  // The first kink at which the sum is at most r. At the least kink the sum is p.
  const auto above = std::partition_point(kinks.begin(), kinks.end(),
                                          [&](double theta) { return sum_at(theta) > wanted; });
  if (above == kinks.begin()) {
    return *above;
  }
  const double low = *(above - 1);
  const double high = *above;
  const double fall = sum_at(low) - sum_at(high);
  return fall > 0 ? low + (high - low) * (sum_at(low) - wanted) / fall : high;
}

/// The nearest matrix with eigenvalues in [0, 1] and trace r.
Matrix project_to_fantope(const Matrix& matrix, Index r) {
  double theta = 0;
  const SymmetricEigenpairs pairs = leading_symmetric_eigenpairs(matrix, [&](const Vector& values) {
    theta = fantope_shift(values, r);
    return (values.array() > theta).count();
  });
  const Vector values = (pairs.values.tail(pairs.vectors.cols()).array() - theta).min(1.0);
  return product_transposed(scaled_columns(pairs.vectors, values), pairs.vectors);
}

}  // namespace

Support worth_a_covariance(const Covariance& covariance, double rho, Index r) {
  const Vector& variances = covariance.diagonal();
  const double shift = covariance.semidefinite_shift();
  const double largest = variances.maxCoeff() + shift;
  Support kept;
  Support open;
  for (Index j = 0; j < variances.size(); ++j) {
    if (variances[j] > rho) {
      kept.push_back(j);
    } else if ((variances[j] + shift) * largest > rho * rho) {
      open.push_back(j);  // |S_ij|^2 <= (S_ii + sigma) (S_jj + sigma)
    }
  }
  for (const Support& block : column_blocks(open)) {
    const Matrix columns = covariance.columns(block);
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (columns.col(static_cast<Index>(i)).cwiseAbs().maxCoeff() > rho) {
        kept.push_back(block[i]);
      }
    }
  }
  const Support largest_ones = top_k(variances.cwiseMax(0.0), r);
  for (std::size_t i = 0; std::ssize(kept) < r; ++i) {
    if (std::find(kept.begin(), kept.end(), largest_ones[i]) == kept.end()) {
      kept.push_back(largest_ones[i]);
    }
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

FantopeRelaxation::FantopeRelaxation(Matrix covariance, double rho, Index r)
    : covariance_(std::move(covariance)),
      rho_(rho),
      r_(r),
      h_(Matrix::Identity(size(), size()) * (static_cast<double>(r) / static_cast<double>(size()))),
      z_(h_),
      dual_((-covariance_).cwiseMax(-rho).cwiseMin(rho)) {
  dual_value_ = sum_of_largest_eigenvalues(covariance_ + dual_, r_);
}

void FantopeRelaxation::consider_dual(const Matrix& dual) {
  Matrix inside = symmetric_part(dual).cwiseMax(-rho_).cwiseMin(rho_);
  if (const double value = sum_of_largest_eigenvalues(covariance_ + inside, r_);
      value < dual_value_) {
    dual_value_ = value;
    dual_ = std::move(inside);
  }
}

void FantopeRelaxation::solve(double gap, double unit, Budget& budget) {
  z_ = run_box_admm(covariance_, rho_, h_,
                    {.project = [&](const Matrix& x) { return project_to_fantope(x, r_); },
                     .consider_dual = [&](const Matrix& dual) { consider_dual(dual); },
                     .has_closed = [&] { return has_closed(gap); },
                     .keep_going = [&] { return budget.next(unit * primal_value()); }});
}

double FantopeCertificate::do_check(const Covariance& covariance, Index k, Budget& budget) const {
  if (!budget.next() || std::ssize(variables_) != dual_.rows() || !dual_.allFinite() ||
      worth_a_covariance(covariance, rho_, 1) != variables_) {
    return std::numeric_limits<double>::infinity();
  }
  const Matrix inside = symmetric_part(dual_).cwiseMax(-rho_).cwiseMin(rho_);
  const double largest =
      symmetric_eigenvalues(covariance.submatrix(variables_) + inside)[dual_.rows() - 1];
  return rho_ * static_cast<double>(k) + std::max(largest, 0.0);
}

}  // namespace spca
