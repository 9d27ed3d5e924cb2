#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <utility>

#include "spca/algebra/covariance.h"
#include "spca/algebra/dense_decompositions.h"
#include "spca/algebra/dense_products.h"
#include "spca/algebra/dense_selections.h"
#include "spca/base/error.h"

namespace spca {
namespace {

/// Its square is a number still, and so is that of its inverse.
constexpr double kLargestEntry = 1e150;

void check_entries(const Matrix& s) {
  // Relative to the largest entry: a file prints all entries to one number of digits, and a small
  // one may be all rounding.
  const double tolerance = kSymmetryTolerance * s.cwiseAbs().maxCoeff();
  for (Index j = 0; j < s.cols(); ++j) {
    for (Index i = 0; i <= j; ++i) {
      // By columns, as the matrix is stored. The message names the first bad entry in that order.
      for (const auto& [row, column] : {std::pair(i, j), std::pair(j, i)}) {
        if (!std::isfinite(s(row, column))) {
          throw InputError(
              fmt::format("the covariance matrix: entry ({},{}) is {}; accepted: finite numbers",
                          row + 1, column + 1, s(row, column)));
        }
      }
      if (std::abs(s(i, j) - s(j, i)) > tolerance) {
        throw InputError(
            fmt::format("the covariance matrix is not symmetric: entry ({},{}) = {} but ({},{}) = "
                        "{}; accepted: "
                        "a difference of at most {:g} of the largest entry",
                        i + 1, j + 1, s(i, j), j + 1, i + 1, s(j, i), kSymmetryTolerance));
      }
    }
  }
  const double largest = s.cwiseAbs().maxCoeff();
  if (largest > 0 && (largest > kLargestEntry || largest < 1 / kLargestEntry)) {
    throw InputError(fmt::format(
        "the covariance matrix: its largest entry is {:g}; accepted: 0, or {:g} to {:g}: data on "
        "another scale",
        largest, 1 / kLargestEntry, kLargestEntry));
  }
}

/// Checks that S is positive semidefinite but for rounding: then S + tolerance * max S_jj * I has a
/// Cholesky factorisation, at a small share of the cost of eigenvalues. The eigenvalues are
/// computed only to decide the border and to word the error.
void check_semidefinite(const Matrix& s) {
  const double shift = kIndefiniteTolerance * std::max(s.diagonal().maxCoeff(), 0.0);
  // S = 0 is semidefinite, but no shift could be derived from it.
  if (s.cwiseAbs().maxCoeff() == 0) {
    return;
  }
  Eigen::LLT<Matrix> cholesky;
  if (shift > 0) {
    cholesky.compute(s + shift * Matrix::Identity(s.rows(), s.cols()));
    if (cholesky.info() == Eigen::Success) {
      return;
    }
  }
  const double smallest = symmetric_eigenvalues(s)[0];
  // On the border rounding may stop the factorisation of an S that is still accepted.
  if (smallest >= -shift && shift > 0) {
    return;
  }
  throw InputError(fmt::format(
      "the covariance matrix is not positive semidefinite: its smallest eigenvalue is {:.10g}; "
      "accepted: at least -{:g} times the largest variance, {:.10g}",
      smallest, kIndefiniteTolerance, shift > 0 ? -shift : 0.0));
}

class ExplicitCovariance final : public Covariance {
 public:
  explicit ExplicitCovariance(Matrix covariance) : covariance_(std::move(covariance)) {
    if (covariance_.rows() != covariance_.cols() || covariance_.rows() < 1) {
      throw InputError(fmt::format("the covariance matrix is {} x {}; accepted: a square matrix",
                                   covariance_.rows(), covariance_.cols()));
    }
    check_entries(covariance_);
    for (Index j = 0; j < covariance_.cols(); ++j) {
      for (Index i = 0; i < j; ++i) {
        // Exactly symmetric from here on: the solvers read whichever triangle suits them.
        covariance_(i, j) = covariance_(j, i) = 0.5 * (covariance_(i, j) + covariance_(j, i));
      }
    }
    check_semidefinite(covariance_);
    diagonal_ = covariance_.diagonal();
  }

  Index variables() const override { return covariance_.rows(); }
  Index samples() const override { return 0; }
  const Vector& diagonal() const override { return diagonal_; }
  Matrix submatrix(const Support& support) const override {
    return selected(covariance_, support, support);
  }
  Matrix columns(const Support& support) const override {
    Matrix columns(variables(), std::ssize(support));
    for (std::size_t t = 0; t < support.size(); ++t) {
      // Column by column, in the order of memory: Eigen's indexed view goes entry by entry.
      columns.col(static_cast<Index>(t)) = covariance_.col(support[t]);
    }
    return columns;
  }
  std::shared_ptr<const Covariance> in_form(const FormChange& change) const override {
    if (!change.standardized || change.centered || change.scale) {
      return nullptr;
    }
    // A variable without variance has no correlation with any other.
    const Vector roots = diagonal_.cwiseMax(0.0).cwiseSqrt();
    const Vector inverse =
        (roots.array() > 0).select(roots.cwiseInverse(), Vector::Zero(variables()));
    Matrix correlation = inverse.asDiagonal() * covariance_ * inverse.asDiagonal();
    for (Index j = 0; j < variables(); ++j) {
      correlation(j, j) = roots[j] > 0 ? 1 : 0;
    }
    return make_explicit_covariance(std::move(correlation));
  }

 protected:
  void do_multiply(const Vector& v, Vector& out) const override { out.noalias() = covariance_ * v; }

  void do_multiply_block(const Matrix& v, Matrix& out) const override {
    set_product(out, covariance_, v);
  }

  void do_multiply(const Component& v, Vector& out) const override {
    out.setZero(variables());
    for (Index i = 0; i < v.cardinality(); ++i) {
      // S v = sum_j v_j S_{:,j}: S is stored by columns, and so only k p entries are read.
      out += v.values[i] * covariance_.col(v.support[static_cast<std::size_t>(i)]);
    }
  }

 private:
  Matrix covariance_;  // p x p, exactly symmetric
  Vector diagonal_;
};

}  // namespace

std::shared_ptr<const Covariance> make_explicit_covariance(Matrix covariance) {
  return std::make_shared<ExplicitCovariance>(std::move(covariance));
}

}  // namespace spca
