#include "tests/properties/encoder_truth.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <bit>
#include <cmath>

namespace spca::properties {
namespace {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

// A pivot between these shares of the largest one may count as zero or not, by rounding. The
// variance that its column captures is known to eps over the square of the share.
constexpr long double kDependent = 1e-15L, kIndependent = 1e-4L;

/// Returns the sum of the squared singular values without the r largest.
long double tail(const LongMatrix& matrix, Index r) {
  if (matrix.rows() == 0 || matrix.cols() == 0) {
    return 0;
  }
  const Eigen::JacobiSVD<LongMatrix> svd(matrix);
  const auto& values = svd.singularValues();
  const Index first = std::min<Index>(r, values.size());
  return values.tail(values.size() - first).squaredNorm();
}

// S has no root if an eigenvalue is below minus this share of the largest one.
constexpr long double kIndefinite = 1e-14L;

// A column counts as constant if its centred entries are at most this share of its mean.
constexpr long double kConstant = 1e-18L;

/// Returns a root of S; 0 x 0 if S has none.
LongMatrix root_of(const Matrix& covariance) {
  const Eigen::SelfAdjointEigenSolver<LongMatrix> solver(covariance.cast<long double>());
  const auto& values = solver.eigenvalues();
  if (values[0] < -kIndefinite * values[values.size() - 1]) {
    return {};
  }
  LongMatrix root =
      values.cwiseMax(0.0L).cwiseSqrt().asDiagonal() * solver.eigenvectors().transpose();
  for (Index j = 0; j < root.cols(); ++j) {
    if (covariance(j, j) == 0) {
      root.col(j).setZero();  // rounding in it would count as a direction
    }
  }
  return root;
}

}  // namespace

EncoderTruth::EncoderTruth(const HuntedMatrix& matrix, Index r) : r_(r) {
  if (matrix.is_data()) {
    x_ = matrix.data.cast<long double>();
    if (matrix.centered) {
      for (Index j = 0; j < x_.cols(); ++j) {
        const long double mean = x_.col(j).sum() / static_cast<long double>(x_.rows());
        x_.col(j).array() -= mean;
        if (x_.col(j).cwiseAbs().maxCoeff() <= kConstant * std::abs(mean)) {
          x_.col(j).setZero();
        }
      }
    }
  } else {
    x_ = root_of(matrix.covariance);
  }
  if (x_.size() > 0) {
    const long double scale = x_.cwiseAbs().maxCoeff();
    x_ /= scale > 0 ? scale : 1;
    of_pca_ = tail(x_, r);
  }
}

std::optional<double> EncoderTruth::loss_on(const Support& rows) const {
  if (of_pca_ <= 1e-15L * x_.squaredNorm()) {
    return std::nullopt;
  }
  const LongMatrix columns = x_(Eigen::all, rows);
  const Eigen::ColPivHouseholderQR<LongMatrix> qr(columns);
  const auto pivots = qr.matrixR().diagonal().cwiseAbs().eval();
  Index rank = 0;
  for (const long double pivot : pivots) {
    if (pivot > kDependent * pivots[0] && pivot < kIndependent * pivots[0]) {
      return std::nullopt;
    }
    rank += pivot > kIndependent * pivots[0] ? 1 : 0;
  }
  const LongMatrix q = LongMatrix(qr.householderQ()).leftCols(rank);
  const LongMatrix inside = q.transpose() * x_;
  const LongMatrix outside = x_ - q * inside;
  return static_cast<double>((outside.squaredNorm() + tail(inside, r_)) / of_pca_);
}

double EncoderTruth::condition(const Support& rows) const {
  const LongMatrix columns = x_(Eigen::all, rows);
  const auto pivots =
      Eigen::ColPivHouseholderQR<LongMatrix>(columns).matrixR().diagonal().cwiseAbs().eval();
  long double least = pivots[0];
  for (const long double pivot : pivots) {
    least = pivot > kIndependent * pivots[0] ? pivot : least;
  }
  return least > 0 ? static_cast<double>((pivots[0] / least) * (pivots[0] / least)) : 1;
}

std::optional<double> EncoderTruth::least_on(Index rows) const {
  std::optional<double> least;
  const Index p = x_.cols();
  for (std::uint32_t mask = 1; mask < std::uint32_t{1} << p; ++mask) {
    if (std::popcount(mask) != static_cast<int>(std::min(rows, p))) {
      continue;
    }
    Support support;
    for (Index i = 0; i < p; ++i) {
      if ((mask >> i & 1U) != 0) {
        support.push_back(i);
      }
    }
    const std::optional<double> loss = loss_on(support);
    if (!loss) {
      return std::nullopt;
    }
    least = std::min(least.value_or(*loss), *loss);
  }
  return least;
}

}  // namespace spca::properties
