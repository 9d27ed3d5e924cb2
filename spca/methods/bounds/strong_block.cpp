#include "spca/methods/bounds/strong_block.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/block_search.h"
#include "spca/methods/bounds/largest_entries.h"
#include "spca/methods/relaxations/factored_covariance.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// Number of columns of S computed at a time.
constexpr Index kColumnsSeenAtOnce = 32;
// Number of the other variables, those of largest variance, whose columns are read.
constexpr Index kOtherColumns = 64;
// At most this number of entries of the sums of squares are stored, p for each j: 400 MB.
constexpr double kMostSums = 5e7;
// Exceeds the rounding of sums of squares.
constexpr double kBlockRounding = 1e-10;
// At most this number of variables in a block.
constexpr Index kMostInBlock = 300;
// The block holds the variables that make up this share of the best vector's square.
constexpr double kStrongShare = 0.9;
// A block is searched only if its bounds could come this near to the known value, relative: the
// bounds of the relaxation mostly do.
constexpr double kPromisingGap = 0.02;

}  // namespace

BlockBound::BlockBound(const Covariance& covariance, Index k, Index count,
                       const std::function<bool()>& keep_going)
    : covariance_(covariance),
      k_(k),
      fewest_(std::max<Index>(0, k - (covariance.variables() - count))),
      most_(std::min(k, count)),
      block_(top_k(covariance.diagonal(), count)),
      is_strong_(static_cast<std::size_t>(covariance.variables()), 0) {
  for (const Index i : block_) {
    is_strong_[static_cast<std::size_t>(i)] = 1;
  }
  look_at_columns(keep_going);
}

void BlockBound::look_at_columns(const std::function<bool()>& keep_going) {
  const Vector& variances = covariance_.diagonal();
  const Index p = covariance_.variables();
  const Index count = std::ssize(block_);
  // The columns of B, and then those of the strongest other variables.
  Support seen;
  const Support strongest = top_k(variances, std::min(p, count + kOtherColumns));
  std::set_difference(strongest.begin(), strongest.end(), block_.begin(), block_.end(),
                      std::back_inserter(seen));
  std::vector<char> is_seen(static_cast<std::size_t>(p), 0);
  for (const Index i : seen) {
    is_seen[static_cast<std::size_t>(i)] = 1;
  }
  Support order = block_;
  order.insert(order.end(), seen.begin(), seen.end());
  matrix_.resize(count, count);
  LargestEntries coupled(most_, p);
  LargestEntries among_others(k_ - 1, p);
  for (Index begin = 0; begin < std::ssize(order); begin += kColumnsSeenAtOnce) {
    if (!keep_going()) {
      return;
    }
    const auto first = order.begin() + begin;
    const Support which(first, first + std::min(kColumnsSeenAtOnce, std::ssize(order) - begin));
    const Matrix columns = covariance_.columns(which);
    for (Index t = 0; t < columns.cols(); ++t) {
      const bool is_of_block = begin + t < count;
      const Index own = which[static_cast<std::size_t>(t)];
      if (is_of_block) {
        matrix_.col(begin + t) = columns.col(t)(block_);
      }
      LargestEntries& largest = is_of_block ? coupled : among_others;
      for (Index i = 0; i < p; ++i) {
        if (is_strong_[static_cast<std::size_t>(i)] == 0 && i != own) {
          largest.observe(i, columns(i, t) * columns(i, t));
        }
      }
    }
  }
  matrix_ = (0.5 * (matrix_ + matrix_.transpose())).eval();
  couplings_ = std::move(coupled).sums();
  // Pairs of other variables whose columns were not read.
  std::vector<double> unseen;
  for (Index i = 0; i < p; ++i) {
    if (is_strong_[static_cast<std::size_t>(i)] == 0 && is_seen[static_cast<std::size_t>(i)] == 0) {
      unseen.push_back(variances[i]);
    }
  }
  const auto partners = std::min<std::ptrdiff_t>(k_ - 1, std::ssize(unseen));
  std::partial_sort(unseen.begin(), unseen.begin() + partners, unseen.end(), std::greater<>());
  for (Index i = 0; i < p; ++i) {
    const bool is_unseen =
        is_strong_[static_cast<std::size_t>(i)] == 0 && is_seen[static_cast<std::size_t>(i)] == 0;
    for (std::ptrdiff_t l = 0; is_unseen && l < partners; ++l) {
      among_others.observe(i, variances[i] * unseen[static_cast<std::size_t>(l)]);
    }
  }
  bound_others(std::move(among_others).sums());
  is_complete_ = true;
}

/// `largest`: the sums of the largest squares of each other variable with the others.
void BlockBound::bound_others(const Matrix& largest) {
  const Vector& variances = covariance_.diagonal();
  Support others;
  for (Index i = 0; i < covariance_.variables(); ++i) {
    if (is_strong_[static_cast<std::size_t>(i)] == 0) {
      others.push_back(i);
    }
  }
  std::vector<double> numbers;
  for (const Index i : others) {
    numbers.push_back(variances[i]);
  }
  other_bounds_ = Vector::Zero(k_ + 1);
  other_bounds_.tail(k_) = largest_sums(numbers, k_);
  for (Index m = 1; m <= k_; ++m) {
    for (std::size_t t = 0; t < others.size(); ++t) {
      const Index i = others[t];
      numbers[t] = variances[i] * variances[i] + (m > 1 ? largest(m - 2, i) : 0.0);
    }
    const double squares = largest_sums(numbers, m)[m - 1];
    other_bounds_[m] = std::min(other_bounds_[m], std::sqrt(squares));
  }
  coupling_sums_ = Vector::Zero(most_ + 1);
  coupling_rest_ = coupling_sums_;
  for (Index j = 1; j <= std::min(most_, k_ - 1); ++j) {
    for (std::size_t t = 0; t < others.size(); ++t) {
      numbers[t] = couplings_(j - 1, others[t]);
    }
    const Index m = k_ - j;
    const Vector sums = largest_sums(numbers, m);
    coupling_sums_[j] = sums[m - 1];
    coupling_rest_[j] = m > 1 ? sums[m - 2] : 0;
  }
  std::vector<double> own(static_cast<std::size_t>(std::ssize(block_)));
  for (std::size_t t = 0; t < own.size(); ++t) {
    own[t] = matrix_(static_cast<Index>(t), static_cast<Index>(t));
  }
  const double whole = symmetric_eigenvalues(matrix_).maxCoeff();
  block_bounds_ = Vector::Zero(most_ + 1);
  block_bounds_.tail(most_) = largest_sums(own, most_).cwiseMin(whole);
}

void BlockBound::limit(Index j, double bound) {
  block_bounds_.head(j + 1) = block_bounds_.head(j + 1).cwiseMin(bound);
}

double BlockBound::bound(Index j) const { return bound(j, block_bounds_[j]); }

double BlockBound::bound(Index j, double block) const {
  const double other = other_bounds_[k_ - j];
  const double half = 0.5 * (block - other);
  return (0.5 * (block + other) + std::sqrt(half * half + coupling_sums_[j])) *
         (1 + kBlockRounding);
}

double BlockBound::bound() const {
  double largest = 0;
  for (Index j = fewest_; j <= most_; ++j) {
    largest = std::max(largest, bound(j));
  }
  return largest;
}

Support BlockBound::variables_left(double value) const {
  // The c_j up to which (1) is at most the value.
  const double least = value * (1 - kBlockRounding);
  Vector permitted = Vector::Constant(most_ + 1, -1);
  for (Index j = fewest_; j <= std::min(most_, k_ - 1); ++j) {
    const double block = least - block_bounds_[j];
    const double other = least - other_bounds_[k_ - j];
    if (block >= 0 && other >= 0) {
      permitted[j] = block * other * (1 - kBlockRounding);
    }
  }
  Support left;
  for (Index i = 0; i < covariance_.variables(); ++i) {
    bool is_left = is_strong_[static_cast<std::size_t>(i)] != 0;
    for (Index j = fewest_; j <= std::min(most_, k_ - 1) && !is_left; ++j) {
      const double own = j > 0 ? couplings_(j - 1, i) : 0;
      const double least_of_best = coupling_sums_[j] - coupling_rest_[j];
      is_left = coupling_rest_[j] + std::min(own, least_of_best) > permitted[j];
    }
    if (is_left) {
      left.push_back(i);
    }
  }
  return left;
}

namespace {

VariablesLeft all_left(const Covariance& covariance) {
  return {.variables = all_variables(covariance.variables())};
}

VariablesLeft what_is_left(const BlockBound& block, double value) {
  return {.variables = block.variables_left(value), .bound = std::max(value, block.bound())};
}

/// Number of variables of largest variance that form the block; 0: none.
Index block_size(const Covariance& covariance, const Component& best) {
  const Vector& variances = covariance.diagonal();
  const Index p = covariance.variables();
  std::vector<Index> order = all_variables(p);
  const Index most = std::min(p - 1, kMostInBlock);
  // Equal variances: the lower index first, as in top_k, which defines B.
  std::partial_sort(order.begin(), order.begin() + most + 1, order.end(), [&](Index a, Index b) {
    return variances[a] > variances[b] || (variances[a] == variances[b] && a < b);
  });
  std::vector<Index> falling(best.support.size());
  std::iota(falling.begin(), falling.end(), Index{0});
  std::sort(falling.begin(), falling.end(),
            [&](Index a, Index b) { return std::abs(best.values[a]) > std::abs(best.values[b]); });
  Index fewest = 1;
  double share = 0;
  for (std::size_t t = 0; t < falling.size() && share < kStrongShare; ++t) {
    share += best.values[falling[t]] * best.values[falling[t]];
    const Index variable = best.support[static_cast<std::size_t>(falling[t])];
    const auto position = std::find(order.begin(), order.begin() + most, variable);
    if (position == order.begin() + most) {
      return 0;
    }
    fewest = std::max<Index>(fewest, position - order.begin() + 1);
  }
  Index size = 0;
  double widest = 1;
  for (Index count = fewest; count <= most; ++count) {
    const double last = variances[order[static_cast<std::size_t>(count - 1)]];
    const double next = variances[order[static_cast<std::size_t>(count)]];
    if (last > widest * next) {
      widest = last / next;
      size = count;
    }
  }
  return size;
}

/// The bound (1) if no support of B had a larger value than the variables of `best` in it. Smaller
/// j are skipped: their b_j is often far lower.
double best_bound(const BlockBound& block, const Component& best) {
  const Support inside = positions_among(block.block(), best.support);
  if (inside.empty()) {
    return std::numeric_limits<double>::infinity();
  }
  const double value =
      symmetric_eigenvalues(principal_submatrix(block.matrix(), inside)).maxCoeff();
  double largest = 0;
  for (Index j = std::max(block.fewest(), std::ssize(inside)); j <= block.most(); ++j) {
    largest = std::max(largest, block.bound(j, value));
  }
  return largest;
}

}  // namespace

BlockElimination find_block(const Covariance& covariance, Index k, const Component& best,
                            double value, int threads, const std::function<bool()>& keep_going,
                            const std::function<bool()>& has_time) {
  BlockElimination found{.certificate = {}, .left = all_left(covariance)};
  if (!covariance.has_data_form() ||
      2 * static_cast<double>(covariance.variables()) * static_cast<double>(k) > kMostSums) {
    return found;
  }
  const Index count = block_size(covariance, best);
  if (count == 0 || !keep_going()) {
    return found;
  }
  BlockBound block(covariance, k, count, has_time);
  if (!block.is_complete()) {
    return found;
  }
  const std::shared_ptr<const FactoredCovariance> factor =
      factor_covariance(block.matrix(), has_time);
  if (factor == nullptr) {
    return found;
  }
  if (!(best_bound(block, best) < value * (1 + kPromisingGap))) {
    return found;
  }
  found.certificate.count = count;
  found.certificate.searches =
      search_block(block, factor, block.matrix(), value, threads, keep_going, has_time);
  found.left = what_is_left(block, value);
  return found;
}

VariablesLeft eliminate_by_block(const Covariance& covariance, Index k, double value,
                                 const BlockCertificate& certificate,
                                 const std::function<bool()>& keep_going) {
  if (!covariance.has_data_form() || certificate.count < 1 ||
      certificate.count >= covariance.variables()) {
    return all_left(covariance);
  }
  BlockBound block(covariance, k, certificate.count, keep_going);
  if (!block.is_complete()) {
    return all_left(covariance);
  }
  limit_by_searches(block, block.matrix(), certificate.searches, keep_going);
  return what_is_left(block, value);
}

}  // namespace spca
