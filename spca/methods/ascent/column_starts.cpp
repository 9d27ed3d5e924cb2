#include "spca/methods/ascent/column_starts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "spca/base/error.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/sketched_columns.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// If at most kMostStartsOfAll variables vary, all their columns are tried, otherwise kStartsOfMany,
// and at most kMostTied if variances tie.
constexpr Index kMostStartsOfAll = 64;
constexpr Index kStartsOfMany = 16;
constexpr Index kMostTied = 4000;
// At most this number of tied variables is compared by a sketch, which takes a quarter of a second.
constexpr Index kMostSketched = 5000;
// With more multiplications than this, the columns of S take longer than a tenth of a second.
constexpr double kMostMultiplications = 1e8;
// Number of columns in a block, p x 64.
constexpr Index kColumnsScored = 64;
// The bounds of scores may be off by this share, which is rounding.
constexpr double kRoundingOfScores = 1e-12;

bool ties_with(double variance, double level) { return variance >= level * (1 - kTiedVariances); }

/// The variables above a variance, and those that tie with it.
struct Level {
  Support above;
  Support tied;
};

/// Splits the variables at the variance `level` > 0.
Level split_at(const Vector& variances, double level) {
  Level split;
  for (Index j = 0; j < variances.size(); ++j) {
    if (variances[j] * (1 - kTiedVariances) > level) {
      split.above.push_back(j);
    } else if (ties_with(variances[j], level)) {
      split.tied.push_back(j);
    }
  }
  return split;
}

/// Calls `visit` with 64 of the variables at a time.
template <class Visit>
void for_blocks(const Support& variables, const Visit& visit) {
  for (Index first = 0; first < std::ssize(variables); first += kColumnsScored) {
    const Index last = std::min(first + kColumnsScored, std::ssize(variables));
    visit(Support(variables.begin() + first, variables.begin() + last));
  }
}

/// The variables of both, which have none in common, ascending.
Support union_of(const Support& a, const Support& b) {
  Support both;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

/// The k-th largest variance, or zero.
double variance_at(const Vector& variances, Index k) {
  std::vector<double> sorted(variances.begin(), variances.end());
  return std::max(kth_largest(sorted, k), 0.0);
}

/// The variables that start_variables() chooses from if more than 64 have variance.
Level level_of_starts(const Vector& variances) {
  return split_at(variances, variance_at(variances, kStartsOfMany));
}

/// Returns true if more variables tie than are needed, and their columns take little time.
bool takes_all_tied(const Covariance& covariance, const Level& level) {
  const Index missing = kStartsOfMany - std::ssize(level.above);
  return missing < std::ssize(level.tied) && std::ssize(level.tied) <= kMostTied &&
         covariance.column_multiplications() <= kMostMultiplications;
}

/// Returns true if more variables tie than are needed, and their columns would take long, but not
/// those of a sketch.
bool is_sketched(const Covariance& covariance, const Level& level) {
  const Index missing = kStartsOfMany - std::ssize(level.above);
  return missing < std::ssize(level.tied) && std::ssize(level.tied) <= kMostSketched &&
         covariance.has_data_form() && !takes_all_tied(covariance, level);
}

Support positive(const Vector& variances) {
  Support support;
  for (Index j = 0; j < variances.size(); ++j) {
    if (variances[j] > 0) {
      support.push_back(j);
    }
  }
  return support;
}

/// The indices of the k entries of largest magnitude, ascending. Ties with the k-th up to rounding
/// go to the lower index.
Support top_k_but_for_rounding(const Vector& w, Index k) {
  Vector sizes = w.cwiseAbs();
  const double last = kth_largest({sizes.data(), static_cast<std::size_t>(sizes.size())}, k);
  const double slack = kTiedByRounding * sizes.head(k).maxCoeff();
  Index room = k - (w.cwiseAbs().array() > last + slack).count();
  Support support;
  for (Index i = 0; i < w.size(); ++i) {
    const double size = std::abs(w[i]);
    if (size > last + slack || (size >= last - slack && room-- > 0)) {
      support.push_back(i);
    }
  }
  return support;
}

/// `above` with the `missing` variables of `tied` that have the largest weight.
Support completed(Support above, const Support& tied, const Vector& weights, Index missing) {
  Vector of_tied(std::ssize(tied));
  for (Index t = 0; t < of_tied.size(); ++t) {
    of_tied[t] = weights[tied[static_cast<std::size_t>(t)]];
  }
  for (const Index t : top_k_but_for_rounding(of_tied, missing)) {
    above.push_back(tied[static_cast<std::size_t>(t)]);
  }
  std::sort(above.begin(), above.end());
  return above;
}

/// Upper bounds of the scores of `variables`, in their order.
Vector score_bounds(const Covariance& covariance, const Support& variables, Index k) {
  const double sqrt_k = std::sqrt(static_cast<double>(k));
  Vector bounds(std::ssize(variables));
  Index next = 0;
  Eigen::ArrayXd powers;
  for_blocks(variables, [&](const Support& block) {
    const Matrix columns = covariance.columns(block);
    for (Index t = 0; t < columns.cols(); ++t, ++next) {
      powers = columns.col(t).array().square().square();
      const double by_fourth = sqrt_k * std::sqrt(powers.sum());
      const double by_eighth = sqrt_k * std::sqrt(sqrt_k * std::sqrt(powers.square().sum()));
      bounds[next] = std::min(by_fourth, by_eighth) /
                     covariance.diagonal()[block[static_cast<std::size_t>(t)]];
    }
  });
  return bounds;
}

/// Returns the leading eigenvector, or zeros if the eigensolver fails: ties then go to the lower
/// index.
Vector leading_loadings(const Covariance& covariance) {
  try {
    return leading_eigenpairs(covariance, 1, Exact::kPairs, Copies::kAny).vectors.col(0);
  } catch (const NumericalError&) {
    return Vector::Zero(covariance.variables());
  }
}

/// The best columns so far.
class BestColumns {
 public:
  BestColumns(const Covariance& covariance, Index k, Index count)
      : covariance_(covariance), k_(k), count_(count) {}

  bool can_enter(double score) const {
    return score > 0 &&
           (std::ssize(best_) < count_ || score >= best_.back().score * (1 - kTiedByRounding));
  }
  void consider(Index variable, const Vector& column);
  std::vector<ColumnStart> release() { return std::move(best_); }

 private:
  const Covariance& covariance_;
  Index k_;
  Index count_;
  std::vector<ColumnStart> best_;
};

void BestColumns::consider(Index variable, const Vector& column) {
  Component entries = restrict_to(column, top_k_but_for_rounding(column, k_));
  const double score = entries.values.squaredNorm() / covariance_.diagonal()[variable];
  if (!can_enter(score)) {
    return;
  }
  const auto is_before = [&](const ColumnStart& other) {
    return other.score * (1 - kTiedByRounding) > score ||
           (other.score >= score * (1 - kTiedByRounding) && other.variable < variable);
  };
  const auto same = std::find_if(best_.begin(), best_.end(), [&](const ColumnStart& other) {
    return other.component.support == entries.support;
  });
  if (same != best_.end()) {
    if (is_before(*same)) {
      return;
    }
    best_.erase(same);
  }
  const auto position = std::find_if_not(best_.begin(), best_.end(), is_before);
  best_.insert(position, {variable, score, normalized(std::move(entries))});
  if (std::ssize(best_) > count_) {
    best_.pop_back();
  }
}

/// Replaces each start by the best loadings on its support, and its score by their value, best
/// first. O(n k^2) each: no more than its column, if k^2 <= p.
void refit(const Covariance& covariance, std::vector<ColumnStart>& starts) {
  for (ColumnStart& start : starts) {
    SupportOptimum best = best_on_support(covariance, start.component.support);
    start.score = best.value;
    start.component = std::move(best.component);
  }
  std::stable_sort(starts.begin(), starts.end(),
                   [](const ColumnStart& a, const ColumnStart& b) { return a.score > b.score; });
}

/// Returns the first `count` that share at most half of their support with each one before.
std::vector<ColumnStart> different(std::vector<ColumnStart> starts, Index k, Index count) {
  std::vector<ColumnStart> kept;
  for (ColumnStart& start : starts) {
    const bool is_new = std::all_of(kept.begin(), kept.end(), [&](const ColumnStart& other) {
      Support shared;
      std::set_intersection(start.component.support.begin(), start.component.support.end(),
                            other.component.support.begin(), other.component.support.end(),
                            std::back_inserter(shared));
      return 2 * std::ssize(shared) <= k;
    });
    if (is_new && std::ssize(kept) < count) {
      kept.push_back(std::move(start));
    }
  }
  return kept;
}

}  // namespace

Index first_of_largest(const Vector& entries) {
  const double least = entries.maxCoeff() * (1 - kTiedByRounding);
  Index first = 0;
  while (entries[first] < least) {
    ++first;
  }
  return first;
}

Support variables_of_largest_variance(const Covariance& covariance) {
  return split_at(covariance.diagonal(), covariance.diagonal().maxCoeff()).tied;
}

bool all_tied_are_tried(const Covariance& covariance) {
  const Vector& variances = covariance.diagonal();
  return (variances.array() > 0).count() > kMostStartsOfAll &&
         takes_all_tied(covariance, level_of_starts(variances));
}

Support start_variables(const Covariance& covariance) {
  const Vector& variances = covariance.diagonal();
  Support all = positive(variances);
  if (std::ssize(all) <= kMostStartsOfAll) {
    return all;
  }
  Level level = level_of_starts(variances);
  const Index missing = kStartsOfMany - std::ssize(level.above);
  if (missing >= std::ssize(level.tied)) {
    return top_k(variances, kStartsOfMany);
  }
  if (takes_all_tied(covariance, level)) {
    return union_of(level.above, level.tied);
  }
  return completed(std::move(level.above), level.tied, leading_loadings(covariance), missing);
}

std::vector<ColumnStart> best_columns(const Covariance& covariance, const Support& variables,
                                      Index k, Index count) {
  BestColumns best(covariance, k, count);
  if (std::ssize(variables) <= kColumnsScored) {
    const Matrix columns = covariance.columns(variables);
    for (std::size_t t = 0; t < variables.size(); ++t) {
      best.consider(variables[t], columns.col(static_cast<Index>(t)));
    }
    return best.release();
  }
  const Vector bounds = score_bounds(covariance, variables, k);
  std::vector<Index> order(variables.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return bounds[a] > bounds[b]; });
  for (const Index t : order) {
    if (!best.can_enter(bounds[t] * (1 + kRoundingOfScores))) {
      break;
    }
    const Index variable = variables[static_cast<std::size_t>(t)];
    best.consider(variable, covariance.columns({variable}).col(0));
  }
  return best.release();
}

bool best_columns_are_sketched(const Covariance& covariance) {
  const Vector& variances = covariance.diagonal();
  return (variances.array() > 0).count() > kMostStartsOfAll &&
         is_sketched(covariance, level_of_starts(variances));
}

std::vector<ColumnStart> best_columns(const Covariance& covariance, Index k, Index count) {
  if (!best_columns_are_sketched(covariance)) {
    return best_columns(covariance, start_variables(covariance), k, count);
  }
  const Level level = level_of_starts(covariance.diagonal());
  const Support sketched =
      best_sketched_columns(covariance, level.tied, std::min(k, std::ssize(level.tied)));
  const Support variables = union_of(level.above, sketched);
  std::vector<ColumnStart> starts = best_columns(covariance, variables, k, std::ssize(variables));
  if (k * k <= covariance.variables()) {
    refit(covariance, starts);
  }
  return different(std::move(starts), k, count);
}

bool ties_leave_a_choice(const Covariance& covariance, Index k) {
  const double least = variance_at(covariance.diagonal(), k);
  if (!(least > 0)) {
    return false;
  }
  const Level level = split_at(covariance.diagonal(), least);
  return k < std::ssize(level.above) + std::ssize(level.tied);
}

Support largest_variances(const Covariance& covariance, Index k) {
  const Vector& variances = covariance.diagonal();
  const double least = variance_at(variances, k);
  if (!(least > 0)) {
    return positive(variances);
  }
  Level level = split_at(variances, least);
  const Index missing = k - std::ssize(level.above);
  if (missing >= std::ssize(level.tied)) {
    return top_k(variances.cwiseMax(0.0), k);  // both sets are taken whole
  }
  Vector product;
  if (level.above.empty()) {
    const std::vector<ColumnStart> best = best_columns(covariance, k, 1);
    SPCA_CHECK(!best.empty(), "no variable has positive variance");
    covariance.multiply(best.front().component, product);
  } else {
    covariance.multiply(best_on_support(covariance, level.above).component, product);
  }
  return completed(std::move(level.above), level.tied, product, missing);
}

}  // namespace spca
