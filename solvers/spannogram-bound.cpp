/// Sparse PCA of a low-rank approximation, certified to a relative accuracy by branch and bound.
///
/// Problem  maximise v'S_d v  s.t. ||v||_2 = 1, ||v||_0 <= k, S_d = V V' of rank d. With `score`
///          covariance (default) every support found is scored on S
/// Step     the directions c of the span of V are split into boxes (direction_boxes.h). Those of
///          largest bound are halved; each half is bounded, and its middle gives a candidate
/// Start    the d faces of a cube; candidates from the d eigenvectors, by ascent on S_d
/// Stops    when no box's bound exceeds (1 + epsilon) times the best value on S_d
/// Polish   with `polish` (default, score covariance) the best support is improved on S itself, by
///          ascent and exchanges of one variable (support_polish.h): the best in the span need not
///          be the best on S. Bounds are of the search alone
/// Cost     O(d a + d^3) a box, a the variables that may be among its k largest: few except for the
///          first boxes. The number of boxes grows as epsilon^(-(d-1)/2) until the boxes are so
///          small that all their supports can be tried
/// Bound    on S_d the largest of the boxes' bounds. On S it is that of the same boxes on
///          sum_i (lambda_i - lambda_{d+1}) u_i u_i', i <= d, plus lambda_{d+1} (see
///          low_rank_certificate.h). The harness recomputes it from the splits of the directions
/// Source   the problem is that of D. Papailiopoulos, A. Dimakis, S. Korokythakis, ICML 2013, whose
///          algorithm enumerates instead (solver spannogram); search and polish are this project's
/// Differs  boxes are taken in batches of one size, so that the answer does not depend on the
///          threads

#include <algorithm>
#include <array>
#include <numeric>
#include <queue>

#include "spca/base/parallel.h"
#include "spca/methods/ascent/support_polish.h"
#include "spca/methods/spannogram/direction_boxes.h"
#include "spca/methods/spannogram/low_rank_certificate.h"
#include "spca/methods/spannogram/support_search.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_spannogram_bound {
namespace {

struct BoundOptions {
  Index rank = 3;
  double epsilon = 1e-3;
  std::string score = "covariance";
  bool polish = true;

  void describe(OptionVisitor& visit) {
    visit("rank", rank, "d, the rank of the approximation",
          between(1, static_cast<double>(kLargestRank)));
    visit("epsilon", epsilon, "relative accuracy on S_d that is certified", between(1e-12, 1));
    visit("score", score, "the matrix on which the answer is best", {"covariance", "low-rank"});
    visit("polish", polish,
          "improve the best support by ascent and exchanges on S (score covariance)");
  }
};

// The limits of effort below were chosen by trial, not measured.

// At most this number of boxes are halved at once: enough for some threads, few enough that the
// best come first.
constexpr std::size_t kBoxesHalved = 64;
// The middles of the halves of the first boxes, up to this number, are also starts of an ascent.
constexpr std::uint32_t kAscents = 256;

struct OpenBox {
  double upper = 0;
  std::uint32_t node = 0;
  Index axis = 0;
  DirectionBox box;
  std::vector<int> active;

  bool operator<(const OpenBox& other) const {
    return upper != other.upper ? upper < other.upper : node > other.node;
  }
};

class BoundSearch {
 public:
  BoundSearch(const Problem& problem, const BoundOptions& options, const LowRank& low_rank, Index k)
      : factor_(low_rank.factor),
        k_(k),
        threads_(problem.threads),
        epsilon_(options.epsilon),
        supports_(problem.covariance, low_rank, options.score == "covariance") {}

  void run(const std::vector<int>& variables, Budget& budget);
  /// The upper bound on S_d.
  double upper() const { return open_.empty() ? closed_ : std::max(closed_, open_.top().upper); }
  const SupportSearch& supports() const { return supports_; }
  BoxTree& tree() { return tree_; }

 private:
  struct Halves {
    std::array<BoxBound, 2> bounds;
    std::array<DirectionBox, 2> boxes;
    std::array<Support, 2> ascents;
  };
  Halves halve(const OpenBox& open) const;
  void add_box(BoxBound&& bound, const DirectionBox& box, std::uint32_t node);
  double wanted() const { return (1 + epsilon_) * supports_.best_low_rank_value(); }
  const Matrix& factor_;
  Index k_;
  int threads_;
  double epsilon_;
  SupportSearch supports_;
  BoxTree tree_;
  std::priority_queue<OpenBox> open_;
  double closed_ = 0;  // the largest bound of the closed boxes (add_box())
};

// Best first: the largest bound of an open box bounds all of them, and halving any other box would
// not lower it. The tree stores each split, which is all that a certificate needs.
void BoundSearch::run(const std::vector<int>& variables, Budget& budget) {
  const Index d = factor_.cols();
  supports_.consider_ascents(k_);
  tree_.nodes.resize(static_cast<std::size_t>(d));
  const std::vector<DirectionBox> faces = all_directions(d);
  for (std::uint32_t face = 0; face < faces.size(); ++face) {
    add_box(bound_box(factor_, k_, faces[face], variables, std::numeric_limits<double>::infinity()),
            faces[face], face);
  }
  while (!open_.empty() && open_.top().upper > wanted() && budget.next(supports_.best_value())) {
    std::vector<OpenBox> batch;
    while (batch.size() < kBoxesHalved && !open_.empty() && open_.top().upper > wanted()) {
      batch.push_back(open_.top());
      open_.pop();
    }
    std::vector<Halves> halves(batch.size());
    parallel_for(batch.size(), threads_, [&](std::size_t i) { halves[i] = halve(batch[i]); });
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto child = static_cast<std::uint32_t>(tree_.nodes.size());
      tree_.nodes[batch[i].node] = {.child = child,
                                    .axis = static_cast<std::uint8_t>(batch[i].axis)};
      tree_.nodes.resize(tree_.nodes.size() + 2);
      for (std::uint32_t which : {0U, 1U}) {
        if (!halves[i].ascents[which].empty()) {
          supports_.consider(halves[i].ascents[which]);
        }
        add_box(std::move(halves[i].bounds[which]), halves[i].boxes[which], child + which);
      }
    }
  }
}

BoundSearch::Halves BoundSearch::halve(const OpenBox& open) const {
  Halves halves;
  for (const std::size_t which : {0U, 1U}) {
    halves.boxes[which] = open.box.part(open.axis, static_cast<int>(which));
    halves.bounds[which] = bound_box(factor_, k_, halves.boxes[which], open.active, open.upper);
    if (open.node < kAscents) {
      halves.ascents[which] = ascend_in_span(factor_, k_, halves.boxes[which].center);
    }
  }
  return halves;
}

/// A box that is exact, or whose bound is within epsilon of the best value, is closed permanently:
/// the best value can only rise.
void BoundSearch::add_box(BoxBound&& bound, const DirectionBox& box, std::uint32_t node) {
  supports_.consider(bound.best, bound.best_value);
  if (bound.is_exact || bound.upper <= wanted()) {
    closed_ = std::max(closed_, bound.upper);
  } else {
    open_.push({.upper = bound.upper,
                .node = node,
                .axis = bound.axis,
                .box = box,
                .active = std::move(bound.active)});
  }
}

Solution solve_bound(const Problem& problem, const BoundOptions& options, Budget& budget) {
  const LowRank low_rank = low_rank_approximation(problem.covariance, options.rank, Copies::kAny);
  budget.phases().finish("eigenpairs");
  const std::vector<int> variables = nonzero_rows(low_rank.factor);
  if (variables.empty()) {
    return skipped(kNoVariance);
  }
  const Index k = std::min(problem.cardinality[0], static_cast<Index>(variables.size()));
  BoundSearch search(problem, options, low_rank, k);
  search.run(variables, budget);
  budget.phases().finish("search");
  Component answer = search.supports().best();
  if (answer.support.empty() && !budget.out_of_time()) {
    return skipped(no_positive_support(k));
  }
  if (options.score == "covariance" && options.polish) {
    budget.begin_loop();
    answer = polished(problem.covariance, answer, problem.cardinality[0],
                      [&](double value) { return budget.next(value); });
    budget.phases().finish("polish");
  }
  Solution solution = make_solution({std::move(answer)}, budget);
  const double value = search.supports().best_low_rank_value();
  solution.facts = {{"rank", low_rank.rank()},
                    {"variables", static_cast<double>(variables.size())},
                    {"boxes", static_cast<double>(search.tree().nodes.size())},
                    {"supports_scored", static_cast<double>(search.supports().scored())},
                    {"low_rank_value", value},
                    {"low_rank_bound", search.upper()}};
  if (value > 0) {
    solution.facts.emplace_back("low_rank_gap", search.upper() / value - 1);
  }
  if (options.score == "covariance") {
    solution.facts.emplace_back("unpolished_value", search.supports().best_value());
  }
  solution.certificate =
      std::make_shared<LowRankCertificate>(options.rank, std::move(search.tree()));
  return solution;
}

SPCA_SOLVER("spannogram-bound", solve_bound,
            (Traits{.summary = "low-rank approximation of any rank, certified by branch and bound",
                    .problem = "max v'S_d v  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "problem: Papailiopoulos, Dimakis, Korokythakis, ICML 2013",
                    .rank = kRankOption}));

}  // namespace
}  // namespace spca::solver_spannogram_bound
