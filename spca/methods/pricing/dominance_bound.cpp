#include "spca/methods/pricing/dominance_bound.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "spca/methods/ascent/support_ascent.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// Weights start at no less than this share of the largest weight.
constexpr double kSmallestWeight = 0.03;
// The sum over the others may take at most this share of (1) without it. If it takes more, the
// weight grows.
constexpr double kMostOffDiagonal = 0.7;
constexpr int kWeightSteps = 3;
// The bound applies only if s exceeds this share of the target plus the prices paid, and d this
// share of the largest |c - lambda_t|, so that rounding does not matter.
constexpr double kSmallestGap = 1e-3;
// The most that rounding may add to a loading.
constexpr double kRatioRounding = 1e-9;

}  // namespace

DominanceBound::DominanceBound(const Matrix& matrix, const SupportPricing& pricing, Index k,
                               const StrongestEntries& strongest)
    : matrix_(matrix),
      pricing_(pricing),
      k_(k),
      strongest_(strongest),
      positions_(static_cast<std::size_t>(matrix.rows())) {}

/// The sum of the `count` largest of the values.
double DominanceBound::largest(const Vector& values, Index count) {
  scratch_.assign(values.begin(), values.end());
  work_ += 5 * static_cast<double>(values.size());
  return sum_of_largest(scratch_, count);
}

/// Computes (1). Weights start near the loadings that the chosen variables imply. The weights of
/// candidates with strong partners grow until (1) is well above zero, or until kWeightSteps weights
/// were tried. Returns false if (1) is still too small.
bool DominanceBound::dominate(const LoadingFamily& family, double target, Index missing,
                              Borders& borders) {
  const auto n = static_cast<Index>(family.candidates.size());
  const Vector rooms =
      (target + borders.prices.array()) - matrix_.diagonal()(family.candidates).array();
  if (!(rooms.minCoeff() > kSmallestGap * target)) {
    return false;
  }
  Vector weights = borders.along.cwiseAbs().cwiseQuotient(rooms);
  if (!(weights.maxCoeff() > 0)) {
    weights.setOnes();
  }
  weights = weights.cwiseMax(kSmallestWeight * weights.maxCoeff());
  std::fill(positions_.begin(), positions_.end(), -1);
  for (Index j = 0; j < n; ++j) {
    positions_[static_cast<std::size_t>(family.candidates[static_cast<std::size_t>(j)])] =
        static_cast<int>(j);
  }
  borders.least.resize(n);
  for (int step = 0; step < kWeightSteps; ++step) {
    const double most = weights.maxCoeff();
    Vector next = weights;
    for (Index j = 0; j < n; ++j) {
      const double over = 1 / weights[j];
      const double taken = strongest_.largest_sum(
          family.candidates[static_cast<std::size_t>(j)], missing - 1, most * over,
          [&](int variable, double entry) {
            const int l = positions_[static_cast<std::size_t>(variable)];
            return l < 0 || l == j ? 0.0 : std::abs(entry) * weights[l] * over - borders.prices[l];
          },
          scratch_, work_);
      borders.least[j] = rooms[j] - taken;
      next[j] *= std::max(1.0, taken / (kMostOffDiagonal * rooms[j]));
    }
    if (next == weights) {
      break;
    }
    weights = std::move(next);
  }
  return borders.least.minCoeff() > kSmallestGap * target;
}

/// Computes the terms of (3), its constant without lambda_0 - q(P), and r of (4). Returns false if
/// some d_t is not large enough. `gaps`: c - lambda_t, t > 0.
bool DominanceBound::separate(const Borders& borders, const Vector& gaps, Index missing) {
  const Vector along = borders.along.cwiseAbs2().cwiseQuotient(borders.least);
  terms_ = along - borders.prices;
  constant_ = 0;
  across_ = 0;
  if (gaps.size() == 0) {
    return true;
  }
  const Vector across =
      borders.across.colwise().squaredNorm().transpose().cwiseQuotient(borders.least);
  const Vector left = gaps.array() - largest(across - borders.prices, missing);  // d
  if (!(left.minCoeff() > kSmallestGap * gaps.cwiseAbs().maxCoeff())) {
    return false;
  }
  across_ = std::sqrt(largest(along, missing) * largest(across, missing)) / left.minCoeff();
  const Vector ratios = borders.along.cwiseQuotient(borders.least);
  const Vector sizes =
      (left.cwiseInverse().asDiagonal() * borders.across.cwiseAbs2()).colwise().sum();
  const Vector parts = ratios.cwiseAbs().cwiseProduct(sizes.cwiseSqrt());  // a
  const Vector joint = terms_ + largest(parts, missing) * parts;
  double apart = 0;
  for (Index t = 0; t < left.size(); ++t) {
    const Vector terms = ratios.cwiseProduct(borders.across.row(t).transpose());
    const double most =
        std::max(largest(terms.cwiseMax(0), missing), largest((-terms).cwiseMax(0), missing));
    apart += most * most / left[t];
  }
  if (largest(joint, missing) < apart + largest(terms_, missing)) {
    terms_ = joint;
  } else {
    constant_ = apart;
  }
  return true;
}

bool DominanceBound::weigh(const LoadingFamily& family, double least) {
  const Index chosen = std::ssize(family.chosen);
  const Index missing = k_ - chosen;
  const double paid = pricing_.prices(family.chosen).sum();
  const double target = least + paid;
  if (missing <= 0 || std::ssize(family.candidates) < missing || !(target > 0)) {
    return false;
  }
  const SymmetricEigenpairs pairs =
      symmetric_eigenpairs(Matrix(matrix_(family.chosen, family.chosen)));
  leading_ = pairs.vectors.col(chosen - 1);
  if (leading_[0] < 0) {
    leading_ = -leading_;
  }
  const Matrix columns = matrix_(family.chosen, family.candidates);
  work_ += 2 * static_cast<double>(columns.size() * chosen);
  Borders borders{.prices = pricing_.prices(family.candidates),
                  .along = columns.transpose() * leading_,
                  .across = pairs.vectors.leftCols(chosen - 1).transpose() * columns,
                  .least = Vector()};
  const Vector gaps = target - pairs.values.head(chosen - 1).array();
  if (!dominate(family, target, missing, borders) || !separate(borders, gaps, missing)) {
    return false;
  }
  constant_ += pairs.values[chosen - 1] - paid;
  return true;
}

void DominanceBound::narrow(LoadingFamily& family) const {
  const auto spread = [&](Index t) {
    return across_ * std::sqrt(std::max(0.0, 1 - leading_[t] * leading_[t])) + kRatioRounding;
  };
  const double least = leading_[0] - spread(0);
  const double most = leading_[0] + spread(0);
  if (!(least > 0)) {
    return;
  }
  for (Index t = 1; t < leading_.size(); ++t) {
    const int j = family.chosen[static_cast<std::size_t>(t)];
    const double high = leading_[t] + spread(t);
    const double low = leading_[t] - spread(t);
    family.high[j] = std::min(family.high[j], high > 0 ? high / least : high / most);
    family.low[j] = std::max(family.low[j], low > 0 ? low / most : low / least);
  }
}

}  // namespace spca
