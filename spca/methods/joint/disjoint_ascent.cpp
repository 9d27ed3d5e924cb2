#include "spca/methods/joint/disjoint_ascent.h"

#include <algorithm>

#include "spca/base/cardinality.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/leading_eigenpair.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/core_search.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/joint/disjoint.h"
#include "spca/methods/joint/joint_search.h"
#include "spca/methods/joint/padding.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// At most this number of steps on S_d; about ten suffice unless gains become tiny.
constexpr int kLargestSpanAscent = 100;
// The patience is divided by this for the first hops on a larger core. If they gain, the search
// continues with the whole patience.
constexpr Index kShareOfPatience = 4;

/// Returns the variance that the supports explain, each alone.
double variance_of(const Covariance& covariance, const std::vector<Support>& supports) {
  double total = 0;
  for (const Support& support : supports) {
    total += support.empty() ? 0 : best_on_support(covariance, support).value;
  }
  return total;
}

Support union_of(const std::vector<std::vector<Support>>& several) {
  Support all;
  for (const std::vector<Support>& supports : several) {
    for (const Support& support : supports) {
      all.insert(all.end(), support.begin(), support.end());
    }
  }
  return all;
}

/// Ascends on S_d from random directions.
std::vector<Support> ascended_in_span(const LowRank& low_rank,
                                      const std::vector<Index>& cardinality, Random random) {
  Matrix directions(low_rank.rank(), std::ssize(cardinality));
  for (double& entry : directions.reshaped()) {
    entry = random.normal();
  }
  directions.colwise().normalize();
  SpanAssignment assignment(low_rank.factor, cardinality);
  std::vector<Support> supports = assignment.solve(directions);
  double value = 0;
  for (int step = 0; step < kLargestSpanAscent; ++step) {
    double total = 0;
    for (Index j = 0; j < directions.cols(); ++j) {
      const Support& support = supports[static_cast<std::size_t>(j)];
      if (!support.empty()) {
        const SpanDirection best = best_direction(low_rank.factor, support);
        directions.col(j) = best.c;
        total += best.value;
      }
    }
    if (!is_gain(value, total)) {
      break;
    }
    value = total;
    supports = assignment.solve(directions);
  }
  return supports;
}

/// Finds supports by deflation: the better of two ascents for one component, then the same without
/// its variables, and so on.
std::vector<Support> supports_by_deflation(const Matrix& s, const std::vector<Index>& cardinality) {
  Support left = all_variables(s.rows());
  std::vector<Support> supports;
  for (const Index k : cardinality) {
    const Matrix matrix = s(left, left);
    JointSearch search(matrix, {k});
    const Vector leading = leading_eigenpair(matrix).vector;
    JointSupports best = search.evaluate({top_k(leading, k)});
    search.ascend(best);
    JointSupports other = search.evaluate({top_k(matrix.diagonal(), k)});
    search.ascend(other);
    const Support chosen =
        members_at(left, (other.total() > best.total() ? other : best).supports[0]);
    supports.push_back(chosen);
    Support rest;
    std::set_difference(left.begin(), left.end(), chosen.begin(), chosen.end(),
                        std::back_inserter(rest));
    left = std::move(rest);
  }
  return supports;
}

class DisjointAscent {
 public:
  DisjointAscent(const Problem& problem, const DisjointAscentRule& rule, const LowRank& low_rank,
                 Budget& budget)
      : problem_(problem),
        covariance_(problem.covariance),
        rule_(rule),
        low_rank_(low_rank),
        budget_(budget),
        search_(
            problem,
            [&problem](const Matrix& matrix, JointSupports& state) {
              state =
                  JointSearch(matrix, problem.cardinality).local_optimum(std::move(state.supports));
            },
            budget) {
    const Index wanted = std::min(covariance_.variables(),
                                  std::max(rule.core, 2 * total_cardinality(problem.cardinality)));
    search_.extend(top_k(covariance_.diagonal().cwiseMax(0.0), wanted));
  }

  void run(const std::vector<std::vector<Support>>& known);
  DisjointAscentAnswer answer() const {
    return {.supports = best(),
            .value = search_.value(),
            .core = search_.core().size(),
            .hops = search_.hops()};
  }

 private:
  std::vector<Support> best() const { return search_.core().at(search_.best().supports); }
  double total() const { return search_.has_answer() ? search_.best().total() : 0; }
  JointSupports in_core(const std::vector<Support>& supports) const {
    return {.supports = search_.core().positions(supports)};
  }
  /// Fills supports with too few variables, as of a start on S_d, from the core. The core has at
  /// least 2 (k_1 + ... + k_r) variables, or all p.
  void pad(std::vector<Support>& supports) const {
    fill_up(supports, problem_.cardinality, search_.core().variables());
  }
  std::vector<JointSupports> evaluated(std::vector<std::vector<Support>> known);
  void start();
  void hop(Index patience);
  bool widen();
  void search();
  Matrix squared_products() const;
  Support promising() const;

  const Problem& problem_;
  const Covariance& covariance_;
  const DisjointAscentRule& rule_;
  const LowRank& low_rank_;
  Budget& budget_;
  CoreSearch<JointSupports> search_;
};

void DisjointAscent::start() {
  if (rule_.from_deflation && budget_.next(search_.value())) {
    search_.improve(
        {{.supports = supports_by_deflation(search_.core().matrix(), problem_.cardinality)}});
  }
  search_.draw(
      rule_.from_random ? rule_.draws : 0,
      [this](Index draw) {
        std::vector<Support> supports = ascended_in_span(low_rank_, problem_.cardinality,
                                                         numbered_random(problem_, "start", draw));
        pad(supports);
        return supports;
      },
      [this](const std::vector<std::vector<Support>>& starts) {
        search_.extend(union_of(starts));
        std::vector<JointSupports> states;
        for (const std::vector<Support>& supports : starts) {
          states.push_back(in_core(supports));
        }
        search_.improve(std::move(states));
      });
}

void DisjointAscent::hop(Index patience) {
  search_.hop(patience, [this](Index first) {
    JointSearch changes(search_.core().matrix(), problem_.cardinality);
    std::vector<JointSupports> states(static_cast<std::size_t>(kStatesAtOnce));
    for (JointSupports& state : states) {
      Random random = numbered_random(problem_, "hop", first++);
      state.supports = changes.perturbed(search_.best(), random);
    }
    return states;
  });
}

/// W_ij^2 = (S v_j)_i^2 / lambda_j of the best state, p x r, as in joint_search.h.
Matrix DisjointAscent::squared_products() const {
  const std::vector<Support> supports = best();
  Matrix weights = Matrix::Zero(covariance_.variables(), problem_.components);
  Vector product;
  for (Index j = 0; j < problem_.components; ++j) {
    const auto place = static_cast<std::size_t>(j);
    if (const double value = search_.best().values[j]; value > 0) {
      covariance_.multiply(
          Component{.support = supports[place], .values = search_.best().loadings[place]}, product);
      weights.col(j) = product.cwiseAbs2() / value;
    }
  }
  return weights;
}

/// Ascends on the whole of S from the best state. Returns true if that found a better one.
bool DisjointAscent::widen() {
  if (search_.core().is_whole()) {
    return false;
  }
  Assignment assignment(problem_.cardinality);
  bool has_gained = false;
  while (budget_.next(search_.value())) {
    const std::vector<Support>& found = assignment.solve(squared_products());
    if (!is_gain(total(), assignment.value())) {
      break;
    }
    search_.extend(union_of({found}));
    if (!search_.improve({in_core(found)})) {
      break;
    }
    has_gained = true;
  }
  return has_gained;
}

void DisjointAscent::search() {
  widen();
  do {
    hop(rule_.patience);
  } while (widen());
}

/// Scores answers of other methods. Their variables join the core.
std::vector<JointSupports> DisjointAscent::evaluated(std::vector<std::vector<Support>> known) {
  for (std::vector<Support>& supports : known) {
    pad(supports);
  }
  search_.extend(union_of(known));
  const JointSearch score(search_.core().matrix(), problem_.cardinality);
  std::vector<JointSupports> states;
  for (const std::vector<Support>& supports : known) {
    states.push_back(score.evaluate(search_.core().positions(supports)));
  }
  return states;
}

/// The variables to add to the core, as many as it has, but no more than are left or than fill it
/// up to kLargestDisjointCore: one half those of largest W_ij^2, which would join a support of the
/// best state, the other half those of largest variance, which may form other supports.
Support DisjointAscent::promising() const {
  const Core& core = search_.core();
  const Index count = std::min(
      {core.size(), kLargestDisjointCore - core.size(), covariance_.variables() - core.size()});
  Vector weights = squared_products().rowwise().maxCoeff();
  Vector variances = covariance_.diagonal().cwiseMax(0.0);
  // Members of the core rank below all others.
  weights(core.variables()).setConstant(-1);
  variances(core.variables()).setConstant(-1);
  const Support first = count > 1 ? top_k_signed(weights, count / 2) : Support{};
  variances(first).setConstant(-1);
  Support both = top_k_signed(variances, count - std::ssize(first));
  both.insert(both.end(), first.begin(), first.end());
  return both;
}

void DisjointAscent::run(const std::vector<std::vector<Support>>& known) {
  double known_value = 0;
  for (const std::vector<Support>& supports : known) {
    known_value = std::max(known_value, variance_of(covariance_, supports));
  }
  search_.set_known_value(known_value);
  start();
  if (search_.has_answer()) {
    search();
  }
  std::vector<JointSupports> given = evaluated(known);
  const double before = total();
  if (search_.has_answer() && !budget_.out_of_time()) {
    search_.improve(given);
  }
  for (JointSupports& state : given) {
    search_.consider(std::move(state));
  }
  if (!search_.has_answer()) {
    return;
  }
  if (is_gain(before, total())) {
    search();
  }
  const Index largest = std::min(covariance_.variables(), kLargestDisjointCore);
  while (search_.core().size() < largest && budget_.next(search_.value()) &&
         search_.grow(promising(), [this] { hop(rule_.patience / kShareOfPatience); })) {
    search();
  }
}

}  // namespace

DisjointAscentAnswer disjoint_ascent(const Problem& problem, const DisjointAscentRule& rule,
                                     const LowRank& low_rank,
                                     const std::vector<std::vector<Support>>& known,
                                     Budget& budget) {
  DisjointAscent ascent(problem, rule, low_rank, budget);
  budget.phases().finish("core");
  ascent.run(known);
  return ascent.answer();
}

}  // namespace spca
