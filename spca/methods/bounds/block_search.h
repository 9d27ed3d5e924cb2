#pragma once

/// Searches among the few variables of a block, which bound b_j, the largest value of j of them,
/// for j = 1, 2, ...

#include <algorithm>
#include <concepts>
#include <functional>
#include <memory>
#include <vector>

#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/relaxation_tree.h"
#include "spca/methods/relaxations/factored_covariance.h"

namespace spca {

/// Bounds that use such b_j (strong_block.h, one_factor_bound.h).
template <typename T>
concept BlockBounds = requires(T bounds, const T& known, Index j, double b) {
  // The least and the largest j.
  { known.fewest() } -> std::same_as<Index>;
  { known.most() } -> std::same_as<Index>;
  // The bound on supports with j variables of the block.
  { known.bound(j) } -> std::same_as<double>;
  // b_j so far.
  { known.block_bound(j) } -> std::same_as<double>;
  // Lowers b_1, ..., b_j to at most b.
  { bounds.limit(j, b) } -> std::same_as<void>;
};

// The limits of effort below were chosen by trial, not measured.

/// At most this number of multiplications for the search for one b_j: about a second.
inline constexpr double kBlockSearchWork = 1e9;
/// At most this number of multiplications for all these searches together.
inline constexpr double kMostBlockWork = 2e10;
/// b_j is near enough if its excess over a value in the block is at most this share of the excess
/// of the whole bound over the known value.
inline constexpr double kBlockNearEnough = 0.05;

/// Searches each j whose bound exceeds `value` for a while, the largest bound first, and limits the
/// bounds. Returns the certificates. `matrix`: S of the block; `factor`: its factor. `keep_going`
/// is called before each search, `has_time` within.
template <BlockBounds Bounds>
std::vector<std::shared_ptr<const RelaxationCertificate>> search_block(
    Bounds& bounds, const std::shared_ptr<const FactoredCovariance>& factor, const Matrix& matrix,
    double value, int threads, const std::function<bool()>& keep_going,
    const std::function<bool()>& has_time) {
  std::vector<std::shared_ptr<const RelaxationCertificate>> searches;
  double work = 0;
  // Entry j: the value of a support of at most j variables of the block.
  Vector values = Vector::Zero(bounds.most() + 1);
  std::vector<char> is_done(static_cast<std::size_t>(bounds.most() + 1), 0);
  while (work < kMostBlockWork && keep_going()) {
    // Selects the j of the largest bound that may still fall.
    Index at = 0;
    for (Index j = std::max<Index>(1, bounds.fewest()); j <= bounds.most(); ++j) {
      if (is_done[static_cast<std::size_t>(j)] == 0 && bounds.bound(j) > value &&
          (at == 0 || bounds.bound(j) > bounds.bound(at)) &&
          bounds.block_bound(j) - values[j] > kBlockNearEnough * (bounds.bound(j) - value)) {
        at = j;
      }
    }
    if (at == 0) {
      break;
    }
    is_done[static_cast<std::size_t>(at)] = 1;
    SupportAscent ascent(matrix, at);
    ascent.search([&](double) { return has_time(); });
    RelaxationTree tree(factor, matrix, ascent.support());
    tree.begin(has_time);
    while (!tree.is_finished() && tree.can_advance() && tree.work() < kBlockSearchWork &&
           has_time()) {
      tree.advance(threads, has_time);
    }
    work += tree.work();
    bounds.limit(at, tree.bound());
    values.tail(values.size() - at) = values.tail(values.size() - at).cwiseMax(tree.value());
    searches.push_back(tree.certificate());
  }
  return searches;
}

/// Returns true if the variables are ascending and among 0, ..., count - 1.
inline bool is_ascending_among(const Support& variables, Index count) {
  return std::adjacent_find(variables.begin(), variables.end(), std::greater_equal<>()) ==
             variables.end() &&
         (variables.empty() || (variables.front() >= 0 && variables.back() < count));
}

/// Limits the bounds by the certificates of searches, which are not trusted.
template <BlockBounds Bounds>
void limit_by_searches(Bounds& bounds, const Matrix& matrix,
                       const std::vector<std::shared_ptr<const RelaxationCertificate>>& searches,
                       const std::function<bool()>& keep_going) {
  if (searches.empty() || matrix.rows() == 0 || !(matrix.diagonal().maxCoeff() > 0)) {
    return;
  }
  const std::unique_ptr<FactoredCovariance> factor = factor_covariance(matrix, keep_going);
  for (const auto& search : searches) {
    const Index j = std::ssize(search->support);
    if (factor == nullptr || j < 1 || j > bounds.most() ||
        !is_ascending_among(search->support, matrix.rows()) || !keep_going()) {
      break;
    }
    bounds.limit(
        j, search->bound(*factor, largest_variance_on(*factor, search->support) * factor->unit(),
                         keep_going));
  }
}

}  // namespace spca
