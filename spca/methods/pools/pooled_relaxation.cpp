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
// An eigenvalue of M - Diag(u) counts as positive if it exceeds this. Its eigenvector enters L with
// the squared length kEntering * mu.
constexpr double kLeastExcess = 1e-3;
constexpr double kEntering = 0.01;
constexpr int kMostRises = 5;
// At most this number of variables in a support that is factored; an eigensolver decomposes larger
// ones at once.
constexpr std::size_t kMostFactoredSupport = 32;

}  // namespace

Vector PricePoint::gains(Index p) const {
  return shares.size() == 0 ? Vector(Vector::Zero(p))
                            : Vector(shares.cwiseProduct(factor.rowwise().squaredNorm()));
}

double PricePoint::paid() const {
  return shares.size() == 0 ? factor.squaredNorm()
                            : (1 - shares.array()).matrix().dot(factor.rowwise().squaredNorm());
}

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

/// Returns S - NN' and pi on the variables of the pools.
PooledRelaxation::Valued PooledRelaxation::valued(const PricePoint& point, double scale) const {
  return {.matrix = left_of(on_variables_, lift_.lifted(point.factor, variables_, scale)),
          .gains = selected_entries(point.gains(matrix_.rows()), variables_)};
}

double PooledRelaxation::value(const PricePoint& point) {
  collect_variables();
  double scale = parts_[0].scale;
  Valued by = valued(point, scale);
  double total = point.paid();
  for (const Part& part : parts_) {
    if (part.scale != scale) {
      scale = part.scale;
      by = valued(point, scale);
    }
    double largest = -std::numeric_limits<double>::infinity();
    for (const Support& positions : part.positions) {
      const double gain = by.gains(positions).sum();
      if (!is_below(by.matrix, positions, largest - gain)) {
        largest = std::max(largest, small_leading_eigenvalue(by.matrix, positions) + gain);
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
double PooledRelaxation::weigh(Part& part, const Valued& by, double mu, Weighted& weighted) const {
  const Support& last = part.positions[part.best];
  double largest = small_leading_eigenvalue(by.matrix, last) + by.gains(last).sum();
  for (std::size_t i = 0; i < part.positions.size(); ++i) {
    const Support& positions = part.positions[i];
    const double gain = by.gains(positions).sum();
    const double level = largest - kNoWeight * mu - gain;
    if (is_below(by.matrix, positions, level)) {
      continue;
    }
    SmallEigenpair leading;
    if (small_eigenpair_alone(by.matrix, positions, level, leading)) {
      weighted.add(i, leading.value + gain, leading.vector.data(), positions.size());
    } else {
      const SymmetricEigenpairs all = leading_symmetric_eigenpairs(
          selected(by.matrix, positions, positions),
          [&](const Vector& values) { return (values.array() > level).count(); });
      const Index others = std::ssize(positions) - all.vectors.cols();
      for (Index e = all.vectors.cols() - 1; e >= 0; --e) {
        weighted.add(i, all.values[others + e] + gain, all.vectors.col(e).data(), positions.size());
      }
      leading.value = all.values[std::ssize(positions) - 1];
    }
    if (leading.value + gain > largest) {
      largest = leading.value + gain;
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

/// Returns the sum of the smoothed maxima.
double PooledRelaxation::smoothed_maxima(const PricePoint& point, double mu, Sums& sums) {
  PriceLift::Means& means = sums.means;
  means.plain = Matrix::Zero(on_variables_.rows(), on_variables_.rows());
  means.scaled = lift_.is_identity() ? Matrix() : means.plain;
  sums.counts = Vector::Zero(on_variables_.rows());
  double total = 0;
  Weighted weighted;
  double scale = parts_[0].scale;
  Valued by = valued(point, scale);
  for (Part& part : parts_) {
    weighted.pairs.clear();
    weighted.vectors.clear();
    if (part.scale != scale) {
      scale = part.scale;
      by = valued(point, scale);
    }
    total += weigh(part, by, mu, weighted);
    for (const auto& [position, weight, begin] : weighted.pairs) {
      const Support& positions = part.positions[position];
      const double* vector = weighted.vectors.data() + begin;
      add_square(means.plain, positions, weight, vector);
      if (!lift_.is_identity()) {
        add_square(means.scaled, positions, scale * weight, vector);
      }
      for (const Index i : positions) {
        sums.counts[i] += weight;
      }
    }
  }
  return total;
}

/// Returns u: the slope of what is paid, less what is gained, along the diagonal of Lambda.
Vector PooledRelaxation::slope_of_prices(const PricePoint& point, const Sums& sums) const {
  Vector counts = Vector::Zero(point.shares.size());
  set_entries(counts, variables_, sums.counts);
  return 1 + point.shares.array() * (counts.array() - 1);
}

/// Returns the smoothed value, and its gradient along L and the shares.
double PooledRelaxation::smoothed(const PricePoint& point, double mu, PricePoint& gradient) {
  Sums sums;
  const double total = smoothed_maxima(point, mu, sums);
  gradient = {.factor = 2 * point.factor};
  if (point.shares.size() > 0) {
    gradient.factor.array().colwise() *= slope_of_prices(point, sums).array();
    gradient.shares = -point.factor.rowwise().squaredNorm();
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      gradient.shares[variables_[i]] *= 1 - sums.counts[static_cast<Index>(i)];
    }
  }
  lift_.subtract_slope(sums.means, point.factor, variables_, gradient.factor);
  return point.paid() + total;
}

void PooledRelaxation::trim(const PricePoint& point) {
  collect_variables();
  for (Part& part : parts_) {
    if (part.pool.size() <= kLargestPool) {
      continue;
    }
    const Valued by = valued(point, part.scale);
    std::vector<std::pair<double, Support>> scored;
    for (std::size_t i = 0; i < part.pool.size(); ++i) {
      const Support& positions = part.positions[i];
      scored.emplace_back(
          small_leading_eigenvalue(by.matrix, positions) + by.gains(positions).sum(),
          std::move(part.pool[i]));
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

/// Adds the eigenvectors of positive eigenvalues of M - Diag(u) to L. Returns whether there are
/// any.
bool PooledRelaxation::raise_rank(PricePoint& point, double mu) {
  Sums sums;
  smoothed_maxima(point, mu, sums);
  Matrix excess = lift_.pulled(sums.means, variables_);
  excess.diagonal() -= point.shares.size() > 0
                           ? selected_entries(slope_of_prices(point, sums), variables_)
                           : Vector(Vector::Ones(excess.rows()));
  Matrix& factor = point.factor;
  const Support rows = lift_.is_identity() ? variables_ : all_variables(factor.rows());
  const SymmetricEigenpairs beyond = leading_symmetric_eigenpairs(
      excess, [](const Vector& values) { return (values.array() > kLeastExcess).count(); });
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

void PooledRelaxation::minimise(PricePoint& point, const Descent& descent) {
  collect_variables();
  double value = descend(point, descent);
  for (int time = 0; time < kMostRises && value > descent.enough && descent.keep_going() &&
                     raise_rank(point, descent.mu);
       ++time) {
    value = descend(point, descent);
  }
}

namespace {

/// A point as one matrix without limits: L and, with shares, a column of angles, in a unit in which
/// a step along an angle is about as long as one along a row of L.
class Packing {
 public:
  explicit Packing(const PricePoint& point)
      : has_shares_(point.shares.size() > 0),
        unit_(point.factor.norm() / std::sqrt(static_cast<double>(point.factor.rows()))) {
    if (!(unit_ > 0)) {
      unit_ = 1;
    }
  }

  Matrix packed(const PricePoint& point) const {
    return joined(point.factor, unit_ * point.shares.cwiseSqrt().array().asin().matrix());
  }
  PricePoint unpacked(const Matrix& packed) const {
    if (!has_shares_) {
      return {.factor = packed};
    }
    const Index q = packed.cols() - 1;
    return {.factor = packed.leftCols(q),
            .shares = (packed.col(q) / unit_).array().sin().square().matrix()};
  }
  /// The gradient along the packed matrix, from that along L and the shares.
  Matrix gradient(const Matrix& packed, const PricePoint& along) const {
    if (!has_shares_) {
      return along.factor;
    }
    const Vector angles = packed.col(packed.cols() - 1) / unit_;
    return joined(along.factor,
                  along.shares.cwiseProduct((2 * angles).array().sin().matrix()) / unit_);
  }

 private:
  Matrix joined(const Matrix& factor, const Vector& column) const {
    if (!has_shares_) {
      return factor;
    }
    Matrix both(factor.rows(), factor.cols() + 1);
    both << factor, column;
    return both;
  }

  bool has_shares_;
  double unit_;
};

}  // namespace

/// Minimises by L-BFGS with steps that satisfy Armijo's condition. Returns the smoothed value.
double PooledRelaxation::descend(PricePoint& point, const Descent& descent) {
  struct Pair {
    Matrix step;
    Matrix change;
    double inverse = 0;
  };
  const Packing packing(point);
  const auto evaluate = [&](const Matrix& at, Matrix& gradient) {
    PricePoint along;
    const double value = smoothed(packing.unpacked(at), descent.mu, along);
    gradient = packing.gradient(at, along);
    return value;
  };
  std::deque<Pair> memory;
  Matrix now = packing.packed(point);
  Matrix gradient;
  double value = evaluate(now, gradient);
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
    const double longest = 2 * (now.norm() + std::sqrt(largest_magnitude(matrix_)));
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
      next = now + length * direction;
      next_value = evaluate(next, next_gradient);
      is_lower = next_value <= value + 1e-4 * length * slope;
    }
    if (!is_lower) {
      break;
    }
    Pair pair{.step = next - now, .change = next_gradient - gradient};
    const double curvature = inner_product(pair.step, pair.change);
    if (curvature > 1e-12 * pair.step.norm() * pair.change.norm()) {
      pair.inverse = 1 / curvature;
      memory.push_back(std::move(pair));
      if (memory.size() > kDescentPairs) {
        memory.pop_front();
      }
    }
    const double gain = value - next_value;
    now = std::move(next);
    gradient = std::move(next_gradient);
    value = next_value;
    if (gain < kSettledGain * descent.mu) {
      break;
    }
  }
  point = packing.unpacked(now);
  return value;
}

}  // namespace spca
