#include "spca/methods/ascent/greedy_support.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/leading_eigenpair.h"
#include "spca/methods/ascent/column_starts.h"

namespace spca {
namespace {

// The bounds that rule candidates out may be off by this share, and ties up to rounding must not be
// ruled out.
constexpr double kRuledOutSlack = 2 * kTiedByRounding;
// Slopes below this share of the largest possible slope are rounding.
constexpr double kNoSlope = 1e-12;

/// Returns the component with these loadings on the variables `order`. Exact zeros are left out.
Component ascending(const std::vector<Index>& order, const Vector& loadings) {
  std::vector<Index> position(order.size());
  std::iota(position.begin(), position.end(), Index{0});
  const auto variable = [&](Index i) { return order[static_cast<std::size_t>(i)]; };
  std::sort(position.begin(), position.end(),
            [&](Index a, Index b) { return variable(a) < variable(b); });
  Component component;
  component.values.resize(loadings.size());
  for (const Index i : position) {
    if (loadings(i) != 0) {
      component.values(component.cardinality()) = loadings(i);
      component.support.push_back(variable(i));
    }
  }
  component.values.conservativeResize(component.cardinality());
  return component;
}

}  // namespace

std::vector<Index> indices_of(const VariableFlags& flags) {
  std::vector<Index> indices;
  for (Index i = 0; i < flags.size(); ++i) {
    if (flags(i)) {
      indices.push_back(i);
    }
  }
  return indices;
}

GrowingSupport::GrowingSupport(const Covariance& covariance, const VariableFlags& candidates,
                               Index first, Index capacity, bool keep_columns)
    : covariance_(covariance),
      matrix_(capacity, capacity),
      columns_(keep_columns ? capacity : 0, covariance.variables()),
      candidate_(candidates),
      squared_norms_(Vector::Zero(covariance.variables())) {
  append(first, column_of(first),
         {.value = covariance.diagonal()[first], .vector = Vector::Ones(1)});
}

Component GrowingSupport::component() const { return ascending(order_, pair_.vector); }

struct GrowingSupport::Bounds {
  Vector upper;  // bounds on lambda_max(S_{I+i})
  double largest_lower = 0;
};

void GrowingSupport::grow_approximately() {
  const Vector& variances = covariance_.diagonal();
  const Vector slopes = candidate_.select(product_.cwiseAbs().array(), 0.0);
  // A slope is at most the root of the product of variance and value.
  const double rounding = kNoSlope * std::sqrt(variances.maxCoeff() * std::max(value(), 0.0));
  // If no candidate is correlated with v, the candidate of largest variance is taken.
  const Index best = slopes.maxCoeff() > rounding
                         ? first_of_largest(slopes)
                         : first_of_largest(candidate_.select(variances.array(), 0.0));
  const Vector column = column_of(best);
  append(best, column, extended(bordered(best, column(order_))));
}

void GrowingSupport::grow_exactly() {
  // The bounds need lambda_2 of S_II from above. Both the trace and the Frobenius norm, less the
  // part of lambda_1, bound it.
  const auto m = static_cast<Index>(order_.size());
  const auto matrix = matrix_.topLeftCorner(m, m);
  const double rest = std::min(matrix.trace() - value(),
                               std::sqrt(std::max(matrix.squaredNorm() - value() * value(), 0.0)));
  const Bounds bounds = bounds_of_candidates(std::max(rest, 0.0));
  std::vector<Index> candidates = indices_of(candidate_);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](Index a, Index b) { return bounds.upper(a) > bounds.upper(b); });
  Index best = -1;
  LeadingEigenpair best_pair{.value = -1, .vector = {}};
  // Candidates come in descending order of upper bound: from the first one whose bound is below
  // the best value on, none can win. Ties go to the lower index, as in a search without bounds.
  for (const Index i : candidates) {
    if (bounds.upper(i) * (1 + kRuledOutSlack) < std::max(best_pair.value, bounds.largest_lower)) {
      break;
    }
    LeadingEigenpair pair = extended(bordered(i, columns_.col(i).head(m)));
    if (pair.value * (1 - kTiedByRounding) > best_pair.value ||
        (pair.value >= best_pair.value * (1 - kTiedByRounding) && i < best)) {
      best = i;
      best_pair = std::move(pair);
    }
  }
  append(best, column_of(best), std::move(best_pair));
}

/// Bounds lambda_max(S_{I+i}) for every candidate i. Let b = S_{I,i}, alpha = v'b and
/// beta^2 = ||b||^2 - alpha^2.
///
///   lower  mu, the larger eigenvalue of [[lambda_1, alpha], [alpha, s_i]]
///   upper  the same with s_i + beta^2 / (mu - lambda_2) in place of s_i
///
/// The upper bound is at least the root of the secular equation with all of b off v moved to
/// lambda_2, because that root is at least mu.
GrowingSupport::Bounds GrowingSupport::bounds_of_candidates(double second) const {
  Bounds bounds{.upper = Vector::Zero(covariance_.variables())};
  for (Index i = 0; i < covariance_.variables(); ++i) {
    if (!candidate_(i)) {
      continue;
    }
    const double slope = product_(i);
    const double variance = covariance_.diagonal()(i);
    const double lower = larger_eigenvalue(value(), slope, variance);
    const double off = std::max(squared_norms_(i) - slope * slope, 0.0);
    bounds.largest_lower = std::max(bounds.largest_lower, lower);
    bounds.upper(i) = lower > second
                          ? larger_eigenvalue(value(), slope, variance + off / (lower - second))
                          : std::numeric_limits<double>::infinity();
  }
  return bounds;
}

Vector GrowingSupport::column_of(Index i) const {
  Vector column;
  covariance_.multiply(Component{.support = {i}, .values = Vector::Ones(1)}, column);
  return column;
}

/// Returns S_{I+i}; `border` is S_{I,i}.
Matrix GrowingSupport::bordered(Index i, const Vector& border) const {
  const Index m = border.size();
  Matrix matrix(m + 1, m + 1);
  matrix.topLeftCorner(m, m) = matrix_.topLeftCorner(m, m);
  matrix.col(m).head(m) = border;
  matrix.row(m).head(m) = border.transpose();
  matrix(m, m) = covariance_.diagonal()(i);
  return matrix;
}

/// Returns the leading eigenpair of a bordered S_II, started from the best combination of v and
/// e_i.
LeadingEigenpair GrowingSupport::extended(const Matrix& matrix) const {
  const Index m = matrix.cols() - 1;
  const double slope = matrix.col(m).head(m).dot(pair_.vector);
  if (slope == 0) {
    // v remains an eigenvector, but perhaps not the leading one
    return leading_eigenpair(matrix);
  }
  const double extended_value = larger_eigenvalue(value(), slope, matrix(m, m));
  Vector start(m + 1);  // the eigenvector of the 2 x 2 problem
  start << (extended_value - matrix(m, m)) * pair_.vector, slope;
  return leading_eigenpair(matrix, start / start.norm());
}

void GrowingSupport::append(Index i, const Vector& column, LeadingEigenpair pair) {
  const auto m = static_cast<Index>(order_.size());
  matrix_.col(m).head(m) = column(order_);
  matrix_.row(m).head(m) = matrix_.col(m).head(m).transpose();
  matrix_(m, m) = covariance_.diagonal()(i);
  order_.push_back(i);
  candidate_(i) = false;
  if (columns_.rows() > 0) {
    columns_.row(m) = column.transpose();
  }
  squared_norms_ += column.cwiseAbs2();
  pair_ = std::move(pair);
  covariance_.multiply(component(), product_);
}

ShrinkingSupport::ShrinkingSupport(const Covariance& covariance, std::vector<Index> variables)
    : order_(std::move(variables)),
      matrix_(covariance.submatrix(order_)),
      pair_(leading_eigenpair(matrix_)) {}

Component ShrinkingSupport::component() const { return ascending(order_, pair_.vector); }

void ShrinkingSupport::shrink() {
  const Eigen::ArrayXd squares = pair_.vector.array().square();
  // v without entry i has v'Sv = lambda - 2 lambda v_i^2 + v_i^2 s_i and squared length
  // 1 - v_i^2. Their ratio is lambda - v_i^2 (lambda - s_i) / (1 - v_i^2).
  const Eigen::ArrayXd loss = squares * (pair_.value - matrix_.diagonal().array()) /
                              (1 - squares).max(std::numeric_limits<double>::min());
  Index removed = 0;
  loss.minCoeff(&removed);
  Matrix matrix = matrix_without(removed);
  LeadingEigenpair pair = pair_without(removed, matrix);
  remove(removed, std::move(matrix), std::move(pair));
}

/// A unit x with x_i = 0 is a v + b w for a unit w orthogonal to v, and a^2 <= 1 - v_i^2. So x'Sx
/// is at most lambda - v_i^2 (lambda - lambda_2), also with an upper bound in place of lambda_2.
void ShrinkingSupport::shrink_exactly() {
  const double lambda = pair_.value;
  const double second = std::sqrt(std::max(matrix_.squaredNorm() - lambda * lambda, 0.0));
  const Vector upper = lambda - pair_.vector.array().square() * std::max(lambda - second, 0.0);
  std::vector<Index> candidates(static_cast<std::size_t>(size()));
  std::iota(candidates.begin(), candidates.end(), Index{0});
  const auto variable = [&](Index i) { return order_[static_cast<std::size_t>(i)]; };
  std::sort(candidates.begin(), candidates.end(), [&](Index a, Index b) {
    return upper[a] != upper[b] ? upper[a] > upper[b] : variable(a) < variable(b);
  });
  Index best = -1;
  Matrix best_matrix;
  LeadingEigenpair best_pair;
  const double slack = kRuledOutSlack * std::abs(lambda);
  const double tied = kTiedByRounding * std::abs(lambda);
  for (const Index i : candidates) {
    if (best >= 0 && upper[i] + slack < best_pair.value) {
      break;
    }
    Matrix matrix = matrix_without(i);
    LeadingEigenpair pair = pair_without(i, matrix);
    if (best < 0 || pair.value - tied > best_pair.value ||
        (pair.value + tied >= best_pair.value && variable(i) < variable(best))) {
      best = i;
      best_matrix = std::move(matrix);
      best_pair = std::move(pair);
    }
  }
  remove(best, std::move(best_matrix), std::move(best_pair));
}

/// Returns the matrix in which the last variable has the place of the one that leaves, so that only
/// one row and column move.
Matrix ShrinkingSupport::matrix_without(Index removed) const {
  const Index last = size() - 1;
  Matrix matrix = matrix_.topLeftCorner(last, last);
  if (removed < last) {
    matrix.col(removed) = matrix_.col(last).head(last);
    matrix.row(removed) = matrix_.row(last).head(last);
    matrix(removed, removed) = matrix_(last, last);
  }
  return matrix;
}

LeadingEigenpair ShrinkingSupport::pair_without(Index removed, const Matrix& matrix) const {
  const Index last = size() - 1;
  Vector start = pair_.vector.head(last);
  if (removed < last) {
    start(removed) = pair_.vector(last);
  }
  const double length = start.norm();
  return length > 0 ? leading_eigenpair(matrix, start / length) : leading_eigenpair(matrix);
}

void ShrinkingSupport::remove(Index removed, Matrix matrix, LeadingEigenpair pair) {
  order_[static_cast<std::size_t>(removed)] = order_.back();
  order_.pop_back();
  matrix_ = std::move(matrix);
  pair_ = std::move(pair);
}

}  // namespace spca
