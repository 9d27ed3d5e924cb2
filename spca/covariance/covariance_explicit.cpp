#include "spca/covariance/covariance_explicit.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "spca/base/error.h"
#include "spca/covariance/covariance.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"

namespace spca {
namespace {

/// At most this magnitude is accepted: its square and that of its inverse are still finite and
/// normal.
constexpr double kLargestEntry = 1e150;

void check_entries(const Matrix& s) {
  // Relative to the largest entry: a file prints all entries with the same number of digits, and a
  // small entry may be rounding only.
  const double tolerance = kSymmetryTolerance * s.cwiseAbs().maxCoeff();
  for (Index j = 0; j < s.cols(); ++j) {
    for (Index i = 0; i <= j; ++i) {
      // Each entry with its mirror image, column by column. The message names the first bad entry.
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

/// At most this number of variables: the smallest eigenvalue is computed without trying shifts.
constexpr Index kLargestEigenproblem = 1000;
/// Factor between the shifts that are tried for more variables.
constexpr double kShiftStep = 10;
/// Rounding of eigenvalues and of Cholesky's factorisation, as a share of the largest variance for
/// each variable.
constexpr double kRoundingOfVariable = 4 * std::numeric_limits<double>::epsilon();

/// Returns true if S + shift I has a Cholesky factorisation, and so is positive semidefinite up to
/// rounding. The factorisation costs a small share of the eigenvalues.
bool is_semidefinite_with(const Matrix& s, double shift) {
  return is_positive_definite(s + shift * Matrix::Identity(s.rows(), s.cols()));
}

/// Checks that S is positive semidefinite up to kIndefiniteTolerance, and returns a sigma for which
/// S + sigma I is positive semidefinite: 0 if S itself is, up to rounding. The smallest eigenvalue,
/// which the error message names, decides borderline cases.
double checked_shift(const Matrix& s) {
  const double largest = std::max(s.diagonal().maxCoeff(), 0.0);
  const double limit = kIndefiniteTolerance * largest;
  const double rounding = kRoundingOfVariable * static_cast<double>(s.rows()) * largest;
  // S = 0 is semidefinite, but no shift could be derived from it.
  if (s.cwiseAbs().maxCoeff() == 0 || (largest > 0 && is_semidefinite_with(s, rounding))) {
    return 0;
  }
  if (s.rows() > kLargestEigenproblem && largest > 0 && is_semidefinite_with(s, limit)) {
    double shift = limit;
    while (shift / kShiftStep > rounding && is_semidefinite_with(s, shift / kShiftStep)) {
      shift /= kShiftStep;
    }
    return shift + rounding;
  }
  const double smallest = symmetric_eigenvalues(s)[0];
  if (!(smallest >= -limit && largest > 0)) {
    throw IndefiniteCovariance(fmt::format(
        "the covariance matrix is not positive semidefinite: its smallest eigenvalue is {:.10g}; "
        "accepted: at least -{:g} times the largest variance, {:.10g}",
        smallest, kIndefiniteTolerance, largest > 0 ? -limit : 0.0));
  }
  return std::max(-smallest, 0.0) + rounding;
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
    shift_ = checked_shift(covariance_);
    diagonal_ = covariance_.diagonal();
    // With sigma > 0, a variable without variance may still have covariances with others.
    largest_variances_ = diagonal_.cwiseMax(shift_);
  }

  Index variables() const override { return covariance_.rows(); }
  Index samples() const override { return 0; }
  const Vector& diagonal() const override { return diagonal_; }
  double semidefinite_shift() const override { return shift_; }
  const Vector& largest_variances() const override { return largest_variances_; }
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
      // S v = sum_j v_j S_{:,j}: S is stored by columns, so only k p entries are read.
      out += v.values[i] * covariance_.col(v.support[static_cast<std::size_t>(i)]);
    }
  }

 private:
  Matrix covariance_;  // p x p, exactly symmetric
  double shift_ = 0;   // semidefinite_shift()
  Vector diagonal_;
  Vector largest_variances_;
};

}  // namespace

std::shared_ptr<const Covariance> make_explicit_covariance(Matrix covariance) {
  return std::make_shared<ExplicitCovariance>(std::move(covariance));
}

}  // namespace spca
