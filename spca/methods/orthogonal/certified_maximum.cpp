#include "spca/methods/orthogonal/certified_maximum.h"

#include <algorithm>
#include <set>
#include <utility>

#include "spca/base/binomial.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/small_eigenpair.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/certified_search.h"
#include "spca/methods/orthogonal/all_supports.h"
#include "spca/methods/pairs/pair_descent.h"
#include "spca/methods/pools/pooled_relaxation.h"

namespace spca {
namespace {

// At most this number of the supports found are returned. Chosen by trial, not measured.
constexpr std::size_t kMostJoiningPool = 60;

using Scored = std::vector<std::pair<double, Support>>;

/// Sorts in descending order of value.
void sort_by_value(Scored& scored) {
  std::stable_sort(scored.begin(), scored.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
}

std::vector<Support> best_of(Scored scored, double margin) {
  sort_by_value(scored);
  std::vector<Support> pool;
  for (auto& [value, support] : scored) {
    if (pool.size() == kMostJoiningPool || value < scored[0].first - margin) {
      break;
    }
    pool.push_back(std::move(support));
  }
  return pool;
}

}  // namespace

std::vector<Support> local_optima(const Matrix& matrix, Index k, double margin,
                                  const std::function<bool()>& keep_going) {
  std::set<Support> seen;
  Scored scored;
  const auto add = [&](const SupportAscent& ascent) {
    if (!ascent.support().empty() && seen.insert(ascent.support()).second) {
      scored.emplace_back(ascent.value(), ascent.support());
    }
  };
  SupportAscent whole(matrix, k);
  whole.consider(top_k(matrix.diagonal(), k));
  for (Index j = 0; j < matrix.cols() && keep_going(); ++j) {
    SupportAscent ascent(matrix, k);
    ascent.ascend(matrix.col(j));
    add(ascent);
    if (!ascent.support().empty()) {
      whole.consider(ascent.support());
    }
  }
  whole.exchange([&](double) { return keep_going(); });
  add(whole);
  return best_of(std::move(scored), margin);
}

namespace {

/// Returns sigma, with which A + sigma I is positive semidefinite.
double shift_of(const Matrix& matrix) {
  const double least = symmetric_eigenvalues(matrix)[0];
  const double largest = largest_magnitude(matrix);
  return std::max(0.0, -least) + kRoundingOfValues * largest;
}

CertifiedMaximum enumerate(const Matrix& matrix, Index k, double margin) {
  CertifiedMaximum answer{.bound = -std::numeric_limits<double>::infinity()};
  Scored scored;
  for_all_supports(matrix.rows(), k, [&](const Support& support) {
    if (is_below(matrix, support, answer.bound - margin)) {
      return;
    }
    const double value = small_leading_eigenvalue(matrix, support);
    answer.bound = std::max(answer.bound, value);
    scored.emplace_back(value, support);
  });
  answer.supports = best_of(std::move(scored), margin);
  answer.bound += kRoundingOfValues * largest_magnitude(matrix);
  return answer;
}

/// Maximises by the searches of branch-bound on A + sigma I.
CertifiedMaximum search(const Matrix& matrix, const MaximumRequest& request, const Budget& budget) {
  const Index k = request.k;
  const double shift = shift_of(matrix);
  Matrix shifted = matrix;
  shifted.diagonal().array() += shift;
  CertifiedMaximum answer{.is_exact = false};
  const double largest = symmetric_eigenvalues(shifted)[shifted.rows() - 1];
  const double rounding = kRoundingOfValues * largest;
  answer.bound = largest - shift + rounding;
  answer.supports = local_optima(shifted, k, request.margin, [&] { return !budget.is_time_up(); });
  if (answer.supports.empty()) {
    return answer;
  }
  Support all = all_variables(matrix.rows());
  const auto covariance = make_explicit_covariance(shifted);
  const Problem problem{.covariance = *covariance, .cardinality = {k}, .threads = request.threads};
  const std::vector<std::string> no_feeds;
  Budget within = budget.part(request.share);
  CertifiedSearch tree(problem, no_feeds, all, shifted, answer.supports[0], within);
  while (!tree.is_finished() && within.next(tree.value())) {
    tree.advance();
  }
  if (!within.out_of_time() || tree.is_finished() || within.iterations() > 0) {
    answer.bound = std::min(answer.bound, tree.bound() - shift + rounding);
  }
  answer.supports.push_back(tree.support());
  answer.is_exact = tree.is_finished();
  if (request.by_pairs && !tree.is_finished()) {
    Budget for_pairs = budget.part(request.share);
    const PairBound bound = pair_bound(shifted, {k}, OutsideVariables(), tree.value(),
                                       [&](double) { return !for_pairs.is_time_up(); });
    answer.bound = std::min(answer.bound, bound.value - shift + rounding);
  }
  return answer;
}

}  // namespace

CertifiedMaximum certified_maximum(const Matrix& matrix, const MaximumRequest& request,
                                   const Budget& budget) {
  if (binomial(matrix.rows(), request.k) <= kMostSupportsEnumerated) {
    return enumerate(matrix, request.k, request.margin);
  }
  return search(matrix, request, budget);
}

}  // namespace spca
