#include "spca/methods/packing/outside_variables.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace spca {
namespace {

// Squares are kept for so many of the largest variances, in all.
constexpr double kMostSquares = 2e7;
// Columns of S at a time.
constexpr std::size_t kColumnsAtATime = 32;

}  // namespace

OutsideVariables::OutsideVariables(const Covariance& covariance, const Support& core) {
  Vector others = covariance.diagonal().cwiseMax(0.0);
  others(core).setZero();
  variance_ = others.maxCoeff();
  if (is_empty()) {
    return;
  }
  Support falling;
  for (Index j = 0; j < others.size(); ++j) {
    if (others[j] > 0) {
      falling.push_back(j);
    }
  }
  std::stable_sort(falling.begin(), falling.end(),
                   [&](Index a, Index b) { return others[a] > others[b]; });
  const auto most = static_cast<std::size_t>(kMostSquares / static_cast<double>(core.size()));
  if (falling.size() > most) {
    rest_ = others[falling[most]];
    falling.resize(most);
  }
  variances_ = others(falling);
  squares_.resize(std::ssize(core), std::ssize(falling));
  for (std::size_t begin = 0; begin < core.size(); begin += kColumnsAtATime) {
    const std::size_t end = std::min(begin + kColumnsAtATime, core.size());
    const Support block(core.begin() + static_cast<std::ptrdiff_t>(begin),
                        core.begin() + static_cast<std::ptrdiff_t>(end));
    const Matrix columns = covariance.columns(block);
    squares_.middleRows(static_cast<Index>(begin), std::ssize(block)) =
        columns(falling, Eigen::all).transpose().cwiseAbs2();
  }
}

double OutsideVariables::most_added(const Vector& prices, double least, Index k) const {
  const double spare = least - static_cast<double>(k) * variance_;
  if (!(spare > 0)) {
    return variance_;
  }
  const Vector weights = (prices.array() + spare).inverse();
  double most = rest_;
  std::vector<double> terms(static_cast<std::size_t>(squares_.rows()));
  const Index count = std::min(k - 1, squares_.rows());
  for (Index j = 0; j < squares_.cols() && variances_[j] > most; ++j) {
    Eigen::Map<Vector>(terms.data(), squares_.rows()) = squares_.col(j).cwiseProduct(weights);
    std::nth_element(terms.begin(), terms.begin() + count, terms.end(), std::greater<>());
    const double added = std::accumulate(terms.begin(), terms.begin() + count, 0.0);
    most = std::max(most, std::min(variances_[j], added));
  }
  return most;
}

void OutsideVariables::visit(
    const Vector& core,
    const std::function<void(double variance, const Vector& sizes)>& visit) const {
  for (Index j = 0; j < squares_.cols(); ++j) {
    visit(variances_[j], squares_.col(j).cwiseSqrt());
  }
  visit(rest_, (core.cwiseMax(0.0) * rest_).cwiseSqrt());
}

OutsideVariables OutsideVariables::over(double scale) const {
  OutsideVariables other = *this;
  other.variance_ /= scale;
  other.variances_ /= scale;
  other.squares_ /= scale * scale;
  other.rest_ /= scale;
  return other;
}

}  // namespace spca
