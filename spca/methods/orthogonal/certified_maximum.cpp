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
#include "spca/methods/ascent/priced_supports.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/certified_search.h"
#include "spca/methods/orthogonal/all_supports.h"
#include "spca/methods/orthogonal/priced_problem.h"
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

std::vector<PricedSupport> optima_of(const PricedProblem& problem, Index k, double margin,
                                     const std::function<bool()>& keep_going) {
  std::vector<PricedSupport> optima =
      priced_supports(problem.matrix(), problem.prices(), k, {}, kMostJoiningPool, keep_going);
  std::erase_if(optima, [&](const PricedSupport& one) {
    return one.net < optima.front().net - margin / problem.unit();
  });
  return optima;
}

std::vector<Support> supports_of(const std::vector<PricedSupport>& priced) {
  std::vector<Support> supports;
  for (const PricedSupport& one : priced) {
    supports.push_back(one.support);
  }
  return supports;
}

}  // namespace

std::vector<Support> local_optima(const Matrix& matrix, Index k, const Vector& gains, double margin,
                                  const std::function<bool()>& keep_going) {
  if (!gains.isZero(0)) {
    return supports_of(optima_of(PricedProblem(matrix, gains), k, margin, keep_going));
  }
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

CertifiedMaximum enumerate(const Matrix& matrix, Index k, const Vector& gains, double margin) {
  CertifiedMaximum answer{.bound = -std::numeric_limits<double>::infinity()};
  Scored scored;
  for_all_supports(matrix.rows(), k, [&](const Support& support) {
    const double gain = gains(support).sum();
    if (is_below(matrix, support, answer.bound - margin - gain)) {
      return;
    }
    const double value = small_leading_eigenvalue(matrix, support) + gain;
    answer.bound = std::max(answer.bound, value);
    scored.emplace_back(value, support);
  });
  answer.supports = best_of(std::move(scored), margin);
  const double gained = static_cast<double>(k) * gains.maxCoeff();
  answer.bound += kRoundingOfValues * (largest_magnitude(matrix) + gained);
  return answer;
}

/// Maximises with gains: each search that finds a better support is followed by one that starts
/// there.
CertifiedMaximum search_priced(const PricedProblem& problem, const MaximumRequest& request,
                               const Budget& budget) {
  const Index k = request.k;
  const double rounding = problem.rounding(k);
  CertifiedMaximum answer{.bound = problem.value_of(1, k) + rounding, .is_exact = false};
  std::vector<PricedSupport> optima =
      optima_of(problem, k, request.margin, [&] { return !budget.is_time_up(); });
  answer.supports = supports_of(optima);
  if (optima.empty()) {
    return answer;
  }
  PricedSupport best = std::move(optima.front());
  SupportPricer pricer(problem.matrix(), OutsideVariables(), k);
  Budget within = budget.part(request.share);
  bool has_risen = true;
  while (has_risen && !answer.is_exact && !within.is_time_up()) {
    PricedOptimum optimum =
        pricer.maximise({.prices = problem.prices(), .target = best.net}, best.support, 1, within);
    const double bound = problem.value_of(optimum.bound, k) + rounding;
    if (bound < answer.bound) {
      answer.bound = bound;
      answer.proof = std::move(optimum.proof);
    }
    answer.is_exact = optimum.is_proven;
    PricedSupport next =
        priced_support(problem.matrix(), problem.prices(), std::move(optimum.support));
    has_risen = next.net > best.net;
    if (has_risen) {
      best = std::move(next);
      answer.supports.push_back(best.support);
    }
  }
  return answer;
}

/// Maximises without gains, by the searches of branch-bound.
CertifiedMaximum search(const PricedProblem& problem, const MaximumRequest& request,
                        const Budget& budget) {
  const Index k = request.k;
  const Matrix& matrix = problem.matrix();
  const auto bound_of = [&](double value) {
    return problem.value_of(value, k) + problem.rounding(k);
  };
  CertifiedMaximum answer{.bound = bound_of(1), .is_exact = false};
  answer.supports = local_optima(matrix, k, request.gains, request.margin / problem.unit(),
                                 [&] { return !budget.is_time_up(); });
  if (answer.supports.empty()) {
    return answer;
  }
  Support all = all_variables(matrix.rows());
  const auto covariance = make_explicit_covariance(matrix);
  const Problem one{.covariance = *covariance, .cardinality = {k}, .threads = request.threads};
  const std::vector<std::string> no_feeds;
  Budget within = budget.part(request.share);
  CertifiedSearch tree(one, no_feeds, all, matrix, answer.supports[0], within);
  while (!tree.is_finished() && within.next(tree.value())) {
    tree.advance();
  }
  if (!within.out_of_time() || tree.is_finished() || within.iterations() > 0) {
    answer.bound = std::min(answer.bound, bound_of(tree.bound()));
  }
  answer.supports.push_back(tree.support());
  answer.is_exact = tree.is_finished();
  if (request.by_pairs && !tree.is_finished()) {
    Budget for_pairs = budget.part(request.share);
    const PairBound bound = pair_bound(matrix, {k}, OutsideVariables(), tree.value(),
                                       [&](double) { return !for_pairs.is_time_up(); });
    answer.bound = std::min(answer.bound, bound_of(bound.value));
  }
  return answer;
}

}  // namespace

CertifiedMaximum certified_maximum(const Matrix& matrix, const MaximumRequest& request,
                                   const Budget& budget) {
  if (binomial(matrix.rows(), request.k) <= kMostSupportsEnumerated) {
    return enumerate(matrix, request.k, request.gains, request.margin);
  }
  const PricedProblem problem(matrix, request.gains);
  return request.gains.isZero(0) ? search(problem, request, budget)
                                 : search_priced(problem, request, budget);
}

double check_maximum(const Matrix& matrix, Index k, const Vector& gains, const PricingProof& proof,
                     Budget& budget) {
  if (binomial(matrix.rows(), k) <= kMostSupportsEnumerated) {
    return enumerate(matrix, k, gains, 0).bound;
  }
  const PricedProblem problem(matrix, gains);
  SupportPricer pricer(problem.matrix(), OutsideVariables(), k);
  const double net = pricer.check({.prices = problem.prices()}, proof, k, 1, budget);
  return problem.value_of(net, k) + problem.rounding(k);
}

}  // namespace spca
