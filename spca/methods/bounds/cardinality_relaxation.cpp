#include "spca/methods/bounds/cardinality_relaxation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/algebra/dense_decompositions.h"
#include "spca/methods/bounds/penalty_relaxation.h"

namespace spca {
namespace {

using Eigen::ArrayXd;

// Of the largest eigenvalue of YY': a direction with less carries nothing but rounding.
constexpr double kNegligibleShare = 1e-14;
// A term's equation is solved in four or five steps, fewer near the last price.
constexpr int kTermSteps = 60;
constexpr double kSolved = 1e-12;
constexpr int kPriceSteps = 60;
constexpr double kPriceSolved = 1e-10;
// A variable is settled where its inequality holds by this much.
constexpr double kMargin = 1e-9;

}  // namespace

CardinalityRelaxation::CardinalityRelaxation(Matrix columns, Index chosen, Index to_choose)
    : columns_(std::move(columns)), chosen_(chosen), to_choose_(to_choose) {
  lengths_ = columns_.rightCols(columns_.cols() - chosen).colwise().squaredNorm().transpose();
  terms_ = ArrayXd::Zero(lengths_.size());
}

void CardinalityRelaxation::prepare(const Matrix& y, double floor) {
  const SymmetricEigenpairs frame = symmetric_eigenpairs(y.transpose() * y);
  const Index columns = y.cols();
  const double largest = frame.values[columns - 1];
  Index q = 1;
  while (q < columns && frame.values[columns - 1 - q] > kNegligibleShare * largest) {
    ++q;
  }
  const Vector weights = frame.values.tail(q);
  basis_ = y * (frame.vectors.rightCols(q) * weights.cwiseSqrt().cwiseInverse().asDiagonal());
  const double least = floor * weights.sum();
  spread_.resize(q + 1);
  spread_ << weights.array() + least, least;
  inside_ = columns_.transpose() * basis_;
  const Index count = lengths_.size();
  parts_.resize(count, q + 1);
  parts_.leftCols(q) = inside_.bottomRows(count).array().square();
  parts_.col(q) = (lengths_.array() - parts_.leftCols(q).rowwise().sum()).max(0.0);
}

/// t_i: the root of sum_j c_j p_ij / (price c_j + t) = 1, c = spread_, p = parts_, where ||a_i||^2
/// exceeds the price. The reciprocal of that sum is concave and increasing in t, so that Newton's
/// method rises to the root from the left, and falls to its left from the right.
void CardinalityRelaxation::solve_terms() {
  const auto is_positive = (lengths_.array() > price_).eval();
  const double least = price_ * spread_[spread_.size() - 1];
  ArrayXd sum(terms_.size());
  for (int step = 0; step < kTermSteps; ++step) {
    sum.setZero();
    slopes_ = ArrayXd::Zero(terms_.size());
    for (Index j = 0; j < spread_.size(); ++j) {
      const auto inverse = (terms_ + price_ * spread_[j]).inverse();
      const ArrayXd share = spread_[j] * parts_.col(j) * inverse;
      sum += share;
      slopes_ += share * inverse;
    }
    const ArrayXd next = is_positive.select((terms_ + sum * (sum - 1) / slopes_).max(0.0),
                                            ArrayXd::Zero(sum.size()));
    const bool is_solved = ((next - terms_).abs() <= kSolved * (next + least)).all();
    terms_ = next;
    if (is_solved) {
      break;
    }
  }
  ArrayXd weighted = ArrayXd::Zero(terms_.size());
  slopes_.setZero();
  for (Index j = 0; j < spread_.size(); ++j) {
    const ArrayXd share =
        spread_[j] * parts_.col(j) * (terms_ + price_ * spread_[j]).inverse().square();
    slopes_ += share;
    weighted += spread_[j] * share;
  }
  shares_ = is_positive.select(weighted / slopes_, ArrayXd::Zero(terms_.size()));
}

/// The price at which the shares add up to what is still to choose, which makes the value least:
/// Newton's method between bounds.
void CardinalityRelaxation::solve_price() {
  const auto goal = static_cast<double>(to_choose_);
  double low = 0;
  double high = lengths_.size() > 0 ? lengths_.maxCoeff() : 0;
  if (!(high > 0) || to_choose_ == 0) {
    price_ = high > 0 ? high : 1;
    terms_.setZero();
    solve_terms();
    return;
  }
  const double least = kSolved * high;  // where even no price lets too few be chosen
  if (!(price_ > least && price_ < high)) {
    price_ = 0.5 * high;
    terms_.setZero();
  }
  for (int step = 0; step < kPriceSteps; ++step) {
    solve_terms();
    const double excess = shares_.sum() - goal;
    (excess > 0 ? low : high) = price_;
    if (std::abs(excess) <= kPriceSolved * goal || high - low <= least) {
      return;
    }
    // d share / d price = -2 sum_j c_j p_ij (c_j - share)^2 / (price c_j + t)^3 / slope.
    ArrayXd change = ArrayXd::Zero(terms_.size());
    for (Index j = 0; j < spread_.size(); ++j) {
      change += spread_[j] * parts_.col(j) * (spread_[j] - shares_).square() *
                (terms_ + price_ * spread_[j]).inverse().cube();
    }
    const double slope =
        -2 * (shares_ > 0).select(change / slopes_, ArrayXd::Zero(change.size())).sum();
    const double newton = slope < 0 ? price_ - excess / slope : low;
    const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
    terms_ = (terms_ - shares_ * (next - price_)).max(0.0);  // where the roots move to first
    price_ = next;
  }
}

void CardinalityRelaxation::set(const RelaxationPoint& point) {
  prepare(point.y, point.floor);
  price_ = point.price;
  terms_.setZero();
  solve_terms();
}

double CardinalityRelaxation::evaluate(const Matrix& y, double floor, Matrix* gradient) {
  prepare(y, floor);
  solve_price();
  const Index q = basis_.cols();
  const Index count = lengths_.size();
  const double least = spread_[q];
  const auto chosen = inside_.topRows(chosen_);
  const double value = cost() + terms_.sum() +
                       (chosen.cwiseAbs2() * (spread_.head(q) - least).matrix()).sum() +
                       least * columns_.leftCols(chosen_).squaredNorm();
  if (gradient == nullptr) {
    return value;
  }
  // h_i = sigma_i (price X + t_i I)^-1 a_i: a share of a_i itself and one of each u_j.
  const ArrayXd sigma = (terms_ > 0).select((terms_ / slopes_).sqrt(), ArrayXd::Zero(count));
  const auto off = (terms_ > 0).select((terms_ + price_ * least).inverse(), ArrayXd::Zero(count));
  const ArrayXd along = sigma * off;
  Matrix onto(columns_.cols(), q);  // h_i'u_j
  Matrix shares(q, q);
  for (Index j = 0; j < q; ++j) {
    const ArrayXd weight = sigma * (terms_ + price_ * spread_[j]).inverse();
    onto.col(j).head(chosen_) = chosen.col(j);
    onto.col(j).tail(count) = (weight * inside_.col(j).tail(count).array()).matrix();
  }
  for (Index j = 0; j < q; ++j) {
    const auto own = inside_.col(j).tail(count).array();
    const ArrayXd weight = onto.col(j).tail(count).array() - along * own;
    shares.row(j) = weight.matrix().transpose() * onto.bottomRows(count);
  }
  Matrix scaled = onto;
  scaled.bottomRows(count).array().colwise() *= along;
  const Matrix turned = columns_ * scaled + basis_ * shares;  // HH' U
  *gradient = 2 * turned * (basis_.transpose() * y);
  return value;
}

Matrix CardinalityRelaxation::dual_columns() const {
  const Index q = basis_.cols();
  const Index count = lengths_.size();
  const double least = spread_[q];
  // z_i = rest_i a_i + sum_j (a_i'u_j) (own_ij - rest_i) u_j.
  const ArrayXd rest = least * (terms_ + price_ * least).inverse();
  ArrayXd along = rest * parts_.col(q);             // a_i'z_i
  ArrayXd squared = rest.square() * parts_.col(q);  // ||z_i||^2
  Matrix on_basis(q, count);
  for (Index j = 0; j < q; ++j) {
    const ArrayXd own = spread_[j] * (terms_ + price_ * spread_[j]).inverse();
    along += own * parts_.col(j);
    squared += own.square() * parts_.col(j);
    on_basis.row(j) = ((own - rest) * inside_.col(j).tail(count).array()).matrix().transpose();
  }
  const ArrayXd root = along.square() - price_ * squared;
  ArrayXd of_column(count);
  ArrayXd of_basis(count);
  for (Index i = 0; i < count; ++i) {
    const double excess = lengths_[i] - price_;
    if (!(excess > 0)) {
      of_column[i] = of_basis[i] = 0;
    } else if (root[i] > kSolved * along[i] * along[i]) {
      const double scale = 1 / std::sqrt(root[i]);
      of_column[i] = scale * (along[i] - price_ * rest[i]);
      of_basis[i] = -scale * price_;
    } else {  // z_i = a_i will do
      of_column[i] = std::sqrt(excess);
      of_basis[i] = 0;
    }
  }
  Matrix columns = columns_;
  columns.rightCols(count).array().rowwise() *= of_column.transpose();
  columns.rightCols(count) += basis_ * (on_basis * of_basis.matrix().asDiagonal());
  return columns;
}

SettledVariables settle_variables(const CardinalityRelaxation& relaxation, Index chosen,
                                  double limit, Index directions) {
  const Matrix dual = relaxation.dual_columns();
  const Index n = dual.rows();
  const double price = relaxation.price();
  const Index count = dual.cols() - chosen;
  SettledVariables settled;
  if (n > kLargestSettled) {
    const Curvature curvature =
        leading_curvature(dual, directions, -std::numeric_limits<double>::infinity());
    settled.bound = relaxation.cost() + curvature.largest;
    settled.directions = curvature.directions.rowwise().reverse();
    return settled;
  }
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(dual * dual.transpose());
  settled.bound = relaxation.cost() + pairs.values[n - 1];
  settled.directions = pairs.vectors.rightCols(std::min(directions, n));
  if (!(settled.bound > limit) || count == 0) {
    return settled;
  }
  const Matrix h = pairs.vectors.transpose() * dual.rightCols(count);
  // With N = level I - HH': HH' + a a' - h h' <= level I where a'(N + h h')^-1 a <= 1, N > 0.
  const double with = limit - relaxation.cost() + price;
  if (with > pairs.values[n - 1] * (1 + kMargin)) {
    const Matrix a = pairs.vectors.transpose() * relaxation.columns().rightCols(count);
    const Vector inverse = (with - pairs.values.array()).inverse();
    for (Index i = 0; i < count; ++i) {
      const Vector scaled = inverse.cwiseProduct(a.col(i));
      const double both = scaled.dot(h.col(i));
      const double of_h = h.col(i).cwiseAbs2().dot(inverse);
      if (scaled.dot(a.col(i)) - both * both / (1 + of_h) < 1 - kMargin) {
        settled.out.push_back(i);
      }
    }
  }
  // HH' - h h' <= level I where one eigenvalue of N alone is negative and h'N^-1 h <= -1.
  const double without = limit - relaxation.cost();
  if (n == 1 || without > pairs.values[n - 2] * (1 + kMargin)) {
    const Vector inverse = (without - pairs.values.array()).inverse();
    for (Index i = 0; i < count; ++i) {
      if (h.col(i).cwiseAbs2().dot(inverse) < -1 - kMargin) {
        settled.inside.push_back(i);
      }
    }
  }
  return settled;
}

}  // namespace spca
