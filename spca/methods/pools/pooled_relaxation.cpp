#include "spca/methods/pools/pooled_relaxation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <utility>

#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/small_eigenpair.h"
#include "spca/dense/tridiagonal_form.h"
#include "spca/methods/ascent/support_ascent.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// A pool with more supports than this is trimmed to the half of this number that has the largest
// values.
constexpr std::size_t kLargestPool = 500;
// At most this number of L-BFGS steps in one descent, and of pairs that L-BFGS stores.
constexpr int kMostDescentSteps = 150;
constexpr std::size_t kDescentPairs = 12;
// A step that gains less than this share of mu ends the descent.
constexpr double kSettledGain = 1e-5;
// A support this number of mu below the maximum has no weight in the smoothed maximum.
constexpr double kNoWeight = 15;
// An eigenvalue of M counts as above 1 if it exceeds 1 by more than this. Its eigenvector enters L
// with the squared length kEntering * mu.
constexpr double kExcessOverOne = 1e-3;
constexpr double kEntering = 0.01;
constexpr int kMostRises = 5;
// At most this number of variables in a support that is factored; an eigensolver decomposes larger
// ones at once.
constexpr std::size_t kMostFactoredSupport = 16;

}  // namespace

Matrix left_of(Matrix matrix, const Matrix& factor) {
  subtract_product_transposed(matrix, factor, factor);
  return matrix;
}

bool is_below(const Matrix& matrix, const Support& support, double level) {
  const std::size_t k = support.size();
  if (k > kMostFactoredSupport) {
    return false;
  }
  // level I - A = LDL', row by row. Its pivots are positive exactly if it is positive definite.
  std::array<double, kMostFactoredSupport * kMostFactoredSupport> entries;
  std::array<double, kMostFactoredSupport> pivots;
  for (std::size_t i = 0; i < k; ++i) {
    double* row = entries.data() + i * kMostFactoredSupport;
    double pivot = level - matrix(support[i], support[i]);
    for (std::size_t j = 0; j < i; ++j) {
      const double* other = entries.data() + j * kMostFactoredSupport;
      double entry = -matrix(support[i], support[j]);
      for (std::size_t l = 0; l < j; ++l) {
        entry -= row[l] * other[l] * pivots[l];
      }
      row[j] = entry / pivots[j];
      pivot -= row[j] * entry;
    }
    if (!(pivot > 0)) {
      return false;
    }
    pivots[i] = pivot;
  }
  return true;
}

PooledRelaxation::PooledRelaxation(const Matrix& matrix, const std::vector<double>& counts,
                                   PriceLift lift, const std::vector<double>& scales)
    : matrix_(matrix), lift_(std::move(lift)) {
  for (std::size_t c = 0; c < counts.size(); ++c) {
    parts_.push_back({.count = counts[c], .scale = scales.empty() ? 1 : scales[c]});
  }
}

bool PooledRelaxation::add(std::size_t part, const Support& support) {
  if (!parts_[part].known.insert(support).second) {
    return false;
  }
  parts_[part].pool.push_back(support);
  is_collected_ = false;
  return true;
}

Index PooledRelaxation::size() const {
  Index size = 0;
  for (const Part& part : parts_) {
    size += std::ssize(part.pool);
  }
  return size;
}

void PooledRelaxation::collect_variables() {
  if (std::exchange(is_collected_, true)) {
    return;
  }
  std::set<Index> variables;
  for (const Part& part : parts_) {
    for (const Support& support : part.pool) {
      variables.insert(support.begin(), support.end());
    }
  }
  variables_.assign(variables.begin(), variables.end());
  on_variables_ = selected(matrix_, variables_, variables_);
  for (Part& part : parts_) {
    part.positions.clear();
    part.best = 0;
    for (const Support& support : part.pool) {
      part.positions.push_back(positions_among(variables_, support));
    }
  }
}

/// Returns S - NN' on the variables of the pools.
Matrix PooledRelaxation::left(const Matrix& factor, double scale) const {
  return left_of(on_variables_, lift_.lifted(factor, variables_, scale));
}

double PooledRelaxation::value(const Matrix& factor) {
  collect_variables();
  Matrix on = left(factor, parts_[0].scale);
  double total = factor.squaredNorm();
  double scale = parts_[0].scale;
  for (const Part& part : parts_) {
    if (part.scale != scale) {
      scale = part.scale;
      on = left(factor, scale);
    }
    double largest = -std::numeric_limits<double>::infinity();
    for (const Support& positions : part.positions) {
      if (!is_below(on, positions, largest)) {
        largest = std::max(largest, small_leading_eigenvalue(on, positions));
      }
    }
    total += part.count * largest;
  }
  return total;
}

void PooledRelaxation::Weighted::add(std::size_t position, double value, const double* vector,
                                     std::size_t size) {
  pairs.push_back({.position = position, .value = value, .begin = vectors.size()});
  vectors.insert(vectors.end(), vector, vector + size);
}

/// Computes the smoothed maximum of a part, and the eigenpairs that have weight in it. Returns
/// count times the maximum; the weights add up to count.
double PooledRelaxation::weigh(Part& part, const Matrix& left, double mu,
                               Weighted& weighted) const {
  double largest = small_leading_eigenvalue(left, part.positions[part.best]);
  for (std::size_t i = 0; i < part.positions.size(); ++i) {
    const Support& positions = part.positions[i];
    const double level = largest - kNoWeight * mu;
    if (is_below(left, positions, level)) {
      continue;
    }
    SmallEigenpair leading;
    if (small_eigenpair_alone(left, positions, level, leading)) {
      weighted.add(i, leading.value, leading.vector.data(), positions.size());
    } else {
      const SymmetricEigenpairs all = leading_symmetric_eigenpairs(
          selected(left, positions, positions),
          [&](const Vector& values) { return (values.array() > level).count(); });
      const Index others = std::ssize(positions) - all.vectors.cols();
      for (Index e = all.vectors.cols() - 1; e >= 0; --e) {
        weighted.add(i, all.values[others + e], all.vectors.col(e).data(), positions.size());
      }
      leading.value = all.values[std::ssize(positions) - 1];
    }
    if (leading.value > largest) {
      largest = leading.value;
      part.best = i;
    }
  }
  double sum = 0;
  for (Weighted::Pair& pair : weighted.pairs) {
    pair.value = std::exp((pair.value - largest) / mu);
    sum += pair.value;
  }
  for (Weighted::Pair& pair : weighted.pairs) {
    pair.value *= part.count / sum;
  }
  return part.count * (largest + mu * std::log(sum));
}

namespace {

/// Adds weight vv' to the rows and columns of the positions.
void add_square(Matrix& sum, const Support& positions, double weight, const double* vector) {
  for (std::size_t j = 0; j < positions.size(); ++j) {
    double* column = sum.col(positions[j]).data();
    for (std::size_t i = 0; i < positions.size(); ++i) {
      column[positions[i]] += weight * vector[j] * vector[i];
    }
  }
}

}  // namespace

/// Returns the sum of the smoothed maxima; `means` becomes M on the variables, whose scaled form is
/// left out for orthonormal components.
double PooledRelaxation::smoothed_maxima(const Matrix& factor, double mu, PriceLift::Means& means) {
  means.plain = Matrix::Zero(on_variables_.rows(), on_variables_.rows());
  means.scaled = lift_.is_identity() ? Matrix() : means.plain;
  double total = 0;
  Weighted weighted;
  double scale = parts_[0].scale;
  Matrix on = left(factor, scale);
  for (Part& part : parts_) {
    weighted.pairs.clear();
    weighted.vectors.clear();
    if (part.scale != scale) {
      scale = part.scale;
      on = left(factor, scale);
    }
    total += weigh(part, on, mu, weighted);
    for (const auto& [position, weight, begin] : weighted.pairs) {
      const Support& positions = part.positions[position];
      const double* vector = weighted.vectors.data() + begin;
      add_square(means.plain, positions, weight, vector);
      if (!lift_.is_identity()) {
        add_square(means.scaled, positions, scale * weight, vector);
      }
    }
  }
  return total;
}

/// Returns the smoothed value; the gradient along L is 2 (I - M) L.
double PooledRelaxation::smoothed(const Matrix& factor, double mu, Matrix& gradient) {
  PriceLift::Means means;
  const double total = smoothed_maxima(factor, mu, means);
  gradient = 2 * factor;
  lift_.subtract_slope(means, factor, variables_, gradient);
  return factor.squaredNorm() + total;
}

void PooledRelaxation::trim(const Matrix& factor) {
  collect_variables();
  for (Part& part : parts_) {
    if (part.pool.size() <= kLargestPool) {
      continue;
    }
    const Matrix on = left(factor, part.scale);
    std::vector<std::pair<double, Support>> scored;
    for (std::size_t i = 0; i < part.pool.size(); ++i) {
      scored.emplace_back(small_leading_eigenvalue(on, part.positions[i]), std::move(part.pool[i]));
    }
    std::stable_sort(scored.begin(), scored.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    scored.resize(kLargestPool / 2);
    part.pool.clear();
    part.known.clear();
    for (auto& [value, support] : scored) {
      part.known.insert(support);
      part.pool.push_back(std::move(support));
    }
    is_collected_ = false;
  }
}

/// Adds the eigenvectors of M with eigenvalues above 1 to L. Returns whether there are any.
bool PooledRelaxation::raise_rank(Matrix& factor, double mu) {
  PriceLift::Means means;
  smoothed_maxima(factor, mu, means);
  const Matrix mean = lift_.pulled(means, variables_);
  const Support rows = lift_.is_identity() ? variables_ : all_variables(factor.rows());
  const SymmetricEigenpairs beyond = leading_symmetric_eigenpairs(
      mean, [](const Vector& values) { return (values.array() > 1 + kExcessOverOne).count(); });
  // Makes the columns of L orthogonal. The short ones are replaced.
  const SymmetricEigenpairs own = symmetric_eigenpairs(transposed_product(factor, factor));
  factor = matrix_product(factor, own.vectors);
  const double entering = kEntering * mu;
  Index position = 0;
  bool has_risen = false;
  for (Index i = beyond.vectors.cols() - 1; i >= 0; --i) {
    if (position >= own.values.size() || own.values[position] > entering) {
      if (factor.cols() == factor.rows()) {
        break;
      }
      position = factor.cols();
      factor.conservativeResize(Eigen::NoChange, position + 1);
    }
    factor.col(position).setZero();
    set_entries(factor.col(position++), rows, std::sqrt(entering) * beyond.vectors.col(i));
    has_risen = true;
  }
  return has_risen;
}

void PooledRelaxation::minimise(Matrix& factor, const Descent& descent) {
  collect_variables();
  double value = descend(factor, descent);
  for (int time = 0; time < kMostRises && value > descent.enough && descent.keep_going() &&
                     raise_rank(factor, descent.mu);
       ++time) {
    value = descend(factor, descent);
  }
}

/// Minimises by L-BFGS with steps that satisfy Armijo's condition. Returns the smoothed value.
double PooledRelaxation::descend(Matrix& factor, const Descent& descent) {
  struct Pair {
    Matrix step;
    Matrix change;
    double inverse = 0;
  };
  std::deque<Pair> memory;
  Matrix gradient;
  double value = smoothed(factor, descent.mu, gradient);
  for (int iteration = 0;
       iteration < kMostDescentSteps && value > descent.enough && descent.keep_going();
       ++iteration) {
    Matrix direction = -gradient;
    std::vector<double> weights(memory.size());
    for (std::size_t i = memory.size(); i-- > 0;) {
      weights[i] = memory[i].inverse * inner_product(memory[i].step, direction);
      direction -= weights[i] * memory[i].change;
    }
    if (!memory.empty()) {
      const Pair& last = memory.back();
      direction *= inner_product(last.step, last.change) / last.change.squaredNorm();
    }
    for (std::size_t i = 0; i < memory.size(); ++i) {
      const double other = memory[i].inverse * inner_product(memory[i].change, direction);
      direction += (weights[i] - other) * memory[i].step;
    }
    // Where the model is flat, L-BFGS may propose an unreasonably long step.
    const double longest = 2 * (factor.norm() + std::sqrt(largest_magnitude(matrix_)));
    if (!(direction.norm() < longest)) {
      memory.clear();
      direction = -gradient;
    }
    double slope = inner_product(direction, gradient);
    if (!(slope < 0)) {
      memory.clear();
      direction = -gradient;
      slope = -gradient.squaredNorm();
    }
    double length = memory.empty() ? std::min(1.0, 0.1 * longest / gradient.norm()) : 1;
    Matrix next;
    Matrix next_gradient;
    double next_value = 0;
    bool is_lower = false;
    for (int halving = 0; halving < 20 && !is_lower; ++halving, length *= 0.5) {
      next = factor + length * direction;
      next_value = smoothed(next, descent.mu, next_gradient);
      is_lower = next_value <= value + 1e-4 * length * slope;
    }
    if (!is_lower) {
      break;
    }
    Pair pair{.step = next - factor, .change = next_gradient - gradient};
    const double curvature = inner_product(pair.step, pair.change);
    if (curvature > 1e-12 * pair.step.norm() * pair.change.norm()) {
      pair.inverse = 1 / curvature;
      memory.push_back(std::move(pair));
      if (memory.size() > kDescentPairs) {
        memory.pop_front();
      }
    }
    const double gain = value - next_value;
    factor = std::move(next);
    gradient = std::move(next_gradient);
    value = next_value;
    if (gain < kSettledGain * descent.mu) {
      break;
    }
  }
  return value;
}

}  // namespace spca
