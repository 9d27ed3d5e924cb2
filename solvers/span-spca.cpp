/// SpanSPCA as the bipartite paper may have run it: one component after the other on a sketch.
///
/// Problem  maximise v'S_d v  s.t. ||v||_2 = 1, ||v||_0 <= k, r times with disjoint supports
/// Step     for unit directions c of the span of V (S_d = V V') the support is the k largest
///          |V c|_i. It is scored by lambda_max of S_d on it, and the component has the best one.
///          Its variables are removed
/// Start    `draws` directions from the sphere; with `ascend` each support is raised on S_d until
///          it repeats (ascend_in_span)
/// Stops    after `draws` directions for each component
/// Cost     a direction: O(p d), and d x d eigenproblems
/// Source   Papailiopoulos, Dimakis, Korokythakis, Sparse PCA through low-rank approximations, ICML
///          2013, as Asteris, Papailiopoulos, Kyrillidis, Dimakis, NIPS 2015, section 5, compare
///          with it ("SpanSPCA"). They do not say whether the sketch is recomputed, nor which
///          loadings they report: `sketch_of` and `loadings` select a reading
/// Differs  directions are drawn, not enumerated. spannogram-bound certifies the same search; it
///          has only one reading

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "spca/base/borrowed.h"
#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/base/sha256.h"
#include "spca/covariance/deflated_covariance.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/joint/disjoint.h"
#include "spca/methods/joint/padding.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigen_patience.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_span_spca {
namespace {

struct SpanSpcaOptions {
  Index rank = 4;
  Index draws = 2000;
  bool ascend = true;
  std::string sketch_of = "remaining";
  std::string loadings = "covariance";

  void describe(OptionVisitor& visit) {
    visit("rank", rank, "d, the rank of the sketch", between(1, 64));
    visit("draws", draws, "number of directions drawn for each component", at_least(1));
    visit("ascend", ascend, "raise each support on the sketch until it repeats");
    visit("sketch_of", sketch_of,
          "S_d of the remaining variables, or of all data once, with variables removed from it",
          {"remaining", "data"});
    visit("loadings", loadings,
          "on the support found: the best on S, the best on the sketch, or (V c)_I at unit length",
          {"covariance", "low-rank", "directions"});
  }
};

struct SpanSupport {
  double value = 0;  // on S_d
  Support support;
  Vector c;  // the direction of the support
};

/// The best support on the sketch that `draws` directions give.
SpanSupport best_of_directions(const Matrix& factor, Index k, const SpanSpcaOptions& options,
                               Random& random, Budget& budget) {
  SpanSupport best;
  if (factor.cols() == 0) {
    return best;  // S is indefinite, and its remainder has no positive eigenvalue
  }
  Vector c(factor.cols());
  for (Index draw = 0; draw < options.draws && budget.next(best.value); ++draw) {
    for (double& entry : c) {
      entry = random.normal();
    }
    c.normalize();
    const Support support = options.ascend ? ascend_in_span(factor, k, c) : top_k(factor * c, k);
    const SpanDirection direction = best_direction(factor, support);
    if (direction.value > best.value) {
      best = {.value = direction.value, .support = support, .c = options.ascend ? direction.c : c};
    }
  }
  return best;
}

Component loadings_on(const Covariance& covariance, const Matrix& factor, const SpanSupport& best,
                      const std::string& loadings) {
  if (loadings == "covariance") {
    return best_on_support(covariance, best.support).component;
  }
  return loadings == "low-rank" ? best_on_sketch(factor, best.support)
                                : loadings_of_direction(factor, best.support, best.c);
}

/// The sketch of the remainder of S; none if time ends before it is computed.
std::optional<LowRank> sketch_in_time(const Covariance& left, Index rank, Budget& budget) {
  const EigenPatience patience([&budget] { return budget.is_time_up(); });
  try {
    return low_rank_approximation(left, rank, Copies::kAny);
  } catch (const NumericalError&) {
    if (budget.next()) {  // otherwise the budget records that the time is over
      throw;
    }
  }
  return std::nullopt;
}

Solution solve_span_spca(const Problem& problem, const SpanSpcaOptions& options, Budget& budget) {
  if (lacks_variables(problem)) {
    return solve_padded(
        problem, [&](const Problem& padded) { return solve_span_spca(padded, options, budget); });
  }
  // The caller owns the problem's S, which outlives the solve.
  std::shared_ptr<const Covariance> whole = borrowed(problem.covariance);
  const auto left = DeflatedCovariance::extend(whole);
  LowRank sketch = low_rank_approximation(problem.covariance, options.rank, Copies::kAny);
  std::vector<Component> components;
  double low_rank_value = 0;
  for (std::size_t j = 0; j < problem.cardinality.size() && !budget.out_of_time(); ++j) {
    Component component;
    const Support remaining = varying_variables(*left);
    if (!remaining.empty()) {
      if (j > 0 && options.sketch_of == "remaining") {
        budget.begin_loop();
        std::optional<LowRank> next = sketch_in_time(*left, options.rank, budget);
        if (!next) {
          break;
        }
        sketch = *std::move(next);
      } else {
        zero_other_rows(remaining, sketch.factor);
      }
      Random random(hash64(fmt::format("{}/component {}", problem.seed, j)));
      budget.begin_loop();
      const Index k = std::min(problem.cardinality[j], std::ssize(remaining));
      SpanSupport best = best_of_directions(sketch.factor, k, options, random, budget);
      // If fewer than k variables have weight in the sketch, others fill the support. Some of them
      // may belong to earlier components.
      std::erase_if(best.support, [&](Index i) {
        return !std::binary_search(remaining.begin(), remaining.end(), i);
      });
      if (!best.support.empty()) {
        low_rank_value += best.value;
        component = loadings_on(problem.covariance, sketch.factor, best, options.loadings);
        left->remove(best.support);
      }
    }
    components.push_back(std::move(component));
  }
  // If time ran out, the components found so far are the answer.
  while (budget.out_of_time() && !components.empty() && components.back().support.empty()) {
    components.pop_back();
  }
  std::vector<Index> cardinality = problem.cardinality;
  cardinality.resize(components.size());
  Solution solution = make_solution(
      components_in_order(problem.covariance, std::move(components), cardinality), budget);
  solution.facts = {{"rank", sketch.rank()}, {"low_rank_value", low_rank_value}};
  return solution;
}

SPCA_SOLVER("span-spca", solve_span_spca,
            (Traits{.summary = "low-rank sketch, one disjoint component after the other",
                    .problem = "max v'S_d v  s.t. ||v|| = 1, ||v||_0 <= k, r times, disjoint",
                    .source = "Papailiopoulos, Dimakis, Korokythakis, ICML 2013; Asteris et al., "
                              "NIPS 2015, section 5",
                    .multiple_components = true,
                    .disjoint = true,
                    .seeded = true}));

}  // namespace
}  // namespace spca::solver_span_spca
