#include "spca/methods/orthogonal/orthogonal_ascent.h"

#include <algorithm>
#include <limits>

#include "spca/base/borrowed.h"
#include "spca/base/cardinality.h"
#include "spca/covariance/deflation.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/anytime_search.h"
#include "spca/methods/ascent/core_search.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/joint/joint_search.h"
#include "spca/methods/joint/padding.h"
#include "spca/methods/orthogonal/orthogonal_search.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// With uncorrelated scores alone, the share of the time for a start that has both properties.
constexpr double kShareOfBoth = 0.4;
// This share of the core is reserved for variables that ascents on all of S find.
constexpr double kFoundShare = 0.5;
// For each component, kNearby * k_t variables, those of largest |S u_t|, join the core.
constexpr Index kNearby = 4;
// Hops continue from the runner-up of the last batch (core_search.h) if its value exceeds this
// share of the best value.
constexpr double kWorthHopping = 0.98;
constexpr int kMostWidenings = 5;
// At most this number of hops of disjoint supports in a row without gain, because hops are cheap.
constexpr Index kDisjointPatience = 200;

/// Returns the supports of components that ascents on projected S find one after the other among
/// all variables, with the variables near them.
Support found_by_deflation(const Problem& problem, Budget& budget) {
  Support found;
  std::shared_ptr<const Covariance> left = borrowed(problem.covariance);
  const DeflationEntry& deflation = DeflationRegistry::instance().get("projection", "");
  for (std::size_t t = 0; t < problem.cardinality.size() && budget.next(); ++t) {
    const Index k = problem.cardinality[t];
    if (!has_variance(*left)) {
      break;
    }
    const Problem one{.covariance = *left,
                      .components = 1,
                      .cardinality = {k},
                      .seed = hash64(fmt::format("{}/deflation {}", problem.seed, t)),
                      .threads = problem.threads};
    const AnytimeAnswer answer = anytime_search(
        one, {.starts = 16, .rounds = 2, .core = std::max<Index>(200, 2 * k)}, {}, budget);
    budget.begin_loop();
    if (answer.component.support.empty()) {
      break;
    }
    Vector product;
    left->multiply(answer.component, product);
    const Support near = top_k(product, std::min(left->variables(), kNearby * k));
    found.insert(found.end(), near.begin(), near.end());
    found.insert(found.end(), answer.component.support.begin(), answer.component.support.end());
    left = deflation.deflate(left, answer.component);
  }
  return found;
}

/// Finds good disjoint supports on a dense S.
class DisjointStarts {
 public:
  DisjointStarts(const Matrix& matrix, const Problem& problem, const Budget& budget)
      : matrix_(matrix), problem_(problem), budget_(budget) {}

  /// Returns `count` local optima, and last the best one after hops. Empty if there are too few
  /// variables.
  std::vector<JointSupports> find(Index count) const {
    if (total_cardinality(problem_.cardinality) > matrix_.rows()) {
      return {};
    }
    std::vector<JointSupports> states(static_cast<std::size_t>(count));
    parallel_for(states.size(), problem_.threads, [&](std::size_t i) {
      states[i] = JointSearch(matrix_, problem_.cardinality)
                      .local_optimum(beginning(static_cast<Index>(i)));
    });
    states.push_back(after_hops(*std::max_element(
        states.begin(), states.end(),
        [](const JointSupports& a, const JointSupports& b) { return a.total() < b.total(); })));
    return states;
  }

 private:
  /// Returns supports of random variables (draw > 0), or of those of largest variance.
  std::vector<Support> beginning(Index draw) const {
    Random random = numbered_random(problem_, "disjoint", draw);
    Vector score = matrix_.diagonal();
    if (draw > 0) {
      for (double& entry : score) {
        entry = random.uniform();
      }
    }
    Support order = all_variables(matrix_.rows());
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return score[a] > score[b]; });
    std::vector<Support> supports;
    auto next = order.begin();
    for (const Index k : problem_.cardinality) {
      supports.emplace_back(next, next + k);
      std::sort(supports.back().begin(), supports.back().end());
      next += k;
    }
    return supports;
  }

  JointSupports after_hops(JointSupports best) const {
    JointSearch search(matrix_, problem_.cardinality);
    Index idle = 0;
    for (Index hop = 0; idle < kDisjointPatience && !budget_.is_time_up(); ++hop) {
      Random random = numbered_random(problem_, "disjoint hop", hop);
      JointSupports next = search.local_optimum(search.perturbed(best, random));
      idle = is_gain(best.total(), next.total()) ? 0 : idle + 1;
      if (idle == 0) {
        best = std::move(next);
      }
    }
    return best;
  }

  const Matrix& matrix_;
  const Problem& problem_;
  const Budget& budget_;
};

class OrthogonalAscent {
 public:
  /// `given`: feasible components, from which the search begins, too; may be empty.
  OrthogonalAscent(const Problem& problem, const OrthogonalAscentRule& rule, Orthogonality asked,
                   std::vector<Component> given, Budget& budget)
      : problem_(problem),
        rule_(rule),
        asked_(asked),
        given_(std::move(given)),
        budget_(budget),
        search_(
            problem,
            [&problem, asked, &budget](const Matrix& matrix, OrthogonalComponents& state) {
              OrthogonalSearch(matrix, problem.cardinality, asked).exchange(state, [&](double) {
                return !budget.is_time_up();
              });
            },
            budget) {}

  void run();
  OrthogonalAscentAnswer answer() const {
    return {.components = components(), .core = search_.core().size(), .hops = search_.hops()};
  }

 private:
  using States = std::vector<OrthogonalComponents>;
  OrthogonalSearch on_core() const {
    return OrthogonalSearch(search_.core().matrix(), problem_.cardinality, asked_);
  }
  Support first_core() const;
  void start();
  void draw(Index round);
  void hop();
  Support nearby() const;
  std::vector<Component> components() const;

  const Problem& problem_;
  const OrthogonalAscentRule& rule_;
  Orthogonality asked_;
  std::vector<Component> given_;
  Budget& budget_;
  CoreSearch<OrthogonalComponents> search_;
};

Support OrthogonalAscent::first_core() const {
  const Covariance& covariance = problem_.covariance;
  const Index places = total_cardinality(problem_.cardinality);
  const Index wanted = std::min(covariance.variables(), std::max(rule_.core, 2 * places));
  if (wanted == covariance.variables()) {
    return all_variables(wanted);
  }
  const auto by_variance =
      std::max(places, static_cast<Index>((1 - kFoundShare) * static_cast<double>(wanted)));
  Support core = top_k(covariance.diagonal().cwiseMax(0.0), by_variance);
  const Support found = found_by_deflation(problem_, budget_);
  core.insert(core.end(), found.begin(), found.end());
  for (const Component& component : given_) {
    core.insert(core.end(), component.support.begin(), component.support.end());
  }
  return core;
}

void OrthogonalAscent::start() {
  const OrthogonalSearch on_core = this->on_core();
  const Matrix& matrix = search_.core().matrix();
  if (!given_.empty()) {
    std::vector<Support> supports;
    Matrix near = Matrix::Zero(matrix.rows(), problem_.components);
    for (const Component& component : given_) {
      const Support positions = positions_among(search_.core().variables(), component.support);
      near.col(std::ssize(supports))(positions) = component.values;
      supports.push_back(positions);
    }
    search_.improve({on_core.evaluate(std::move(supports), near)});
  }
  if (rule_.from_deflation && budget_.next(search_.value())) {
    search_.improve({on_core.by_deflation()});
  }
  if (rule_.from_disjoint && budget_.next(search_.value())) {
    for (JointSupports& joint : DisjointStarts(matrix, problem_, budget_).find(rule_.draws)) {
      if (!budget_.next(search_.value())) {
        break;
      }
      Matrix near = Matrix::Zero(matrix.rows(), problem_.components);
      for (std::size_t t = 0; t < joint.supports.size(); ++t) {
        near.col(static_cast<Index>(t))(joint.supports[t]) = joint.loadings[t];
      }
      search_.improve({on_core.evaluate(std::move(joint.supports), near)});
    }
  }
  // If no start was feasible so far, random starts follow even if the rule does not ask for them.
  if (rule_.from_random || !search_.has_answer()) {
    draw(0);
  }
}

/// Improves states from random starts.
void OrthogonalAscent::draw(Index round) {
  const OrthogonalSearch on_core = this->on_core();
  const std::string name = fmt::format("round {}/start", round);
  search_.draw(
      rule_.draws,
      [&](Index number) {
        Random random = numbered_random(problem_, name, number);
        return on_core.drawn(random);
      },
      [this](States starts) { search_.improve(std::move(starts)); });
}

void OrthogonalAscent::hop() {
  const OrthogonalSearch on_core = this->on_core();
  double before = std::numeric_limits<double>::lowest();  // the first batch begins at the best
  Index restarted = 0;
  search_.hop(rule_.patience, [&](Index first) {
    const double value = search_.best().total();
    const bool has_gained = is_gain(before, value);
    const bool is_worth = search_.runner_up().total() > kWorthHopping * value;
    const OrthogonalComponents from = has_gained || search_.runner_up().is_empty() || !is_worth
                                          ? search_.best()
                                          : search_.runner_up();
    before = value;
    // Each component is searched for again once after a gain.
    restarted = has_gained ? 0 : restarted;
    for (; restarted < problem_.components && !budget_.is_time_up(); ++restarted) {
      OrthogonalComponents best = search_.best();
      if (on_core.restart(best, restarted)) {
        search_.consider(best);
        search_.improve({std::move(best)});
      }
    }
    States states(static_cast<std::size_t>(kStatesAtOnce));
    parallel_for(states.size(), problem_.threads, [&](std::size_t i) {
      Random random = numbered_random(problem_, "hop", first + static_cast<Index>(i));
      states[i] = on_core.perturbed(from, random);
    });
    return states;
  });
}

/// Returns, for each t, the variables at which S u_t without its part in the span of U is largest.
Support OrthogonalAscent::nearby() const {
  const Index p = problem_.covariance.variables();
  Matrix loadings = Matrix::Zero(p, problem_.components);
  const std::vector<Component> found = components();
  for (std::size_t t = 0; t < found.size(); ++t) {
    loadings.col(static_cast<Index>(t)) = to_dense(found[t], p);
  }
  Support all;
  for (std::size_t t = 0; t < found.size(); ++t) {
    Vector product;
    problem_.covariance.multiply(found[t], product);
    product -= loadings * (loadings.transpose() * product).eval();
    const Support near = top_k(product, std::min(p, kNearby * problem_.cardinality[t]));
    all.insert(all.end(), near.begin(), near.end());
  }
  return all;
}

void OrthogonalAscent::run() {
  search_.extend(first_core());
  budget_.begin_loop();
  budget_.phases().finish("core");
  start();
  if (!search_.has_answer()) {
    return;
  }
  budget_.begin_loop();
  hop();
  Index agreeing = 1;
  for (Index round = 1;
       round < rule_.rounds && agreeing < rule_.agreeing && budget_.next(search_.value());
       ++round) {
    OrthogonalComponents before = search_.exchange_best({});
    draw(round);
    if (search_.has_answer()) {
      hop();
    }
    const double value = search_.has_answer() ? search_.best().total() : 0;
    if (is_gain(before.total(), value)) {
      agreeing = 1;
      continue;
    }
    agreeing += is_gain(value, before.total()) ? 0 : 1;
    search_.exchange_best(std::move(before));
  }
  for (int time = 0; time < kMostWidenings && !search_.core().is_whole() &&
                     budget_.next(search_.value()) && search_.grow(nearby(), [this] { hop(); });
       ++time) {
  }
}

std::vector<Component> OrthogonalAscent::components() const {
  const OrthogonalComponents& best = search_.best();
  std::vector<Component> result;
  for (std::size_t t = 0; t < best.supports.size(); ++t) {
    Component component = restrict_to(best.loadings.col(static_cast<Index>(t)), best.supports[t]);
    component.support = members_at(search_.core().variables(), component.support);
    result.push_back(std::move(component));
  }
  return result;
}

}  // namespace

std::string nothing_found(const std::string& constraint) {
  return fmt::format("no components of these cardinalities with constraint {} were found",
                     constraint);
}

OrthogonalAscentAnswer orthogonal_ascent(const Problem& problem, const OrthogonalAscentRule& rule,
                                         Orthogonality asked, Budget& budget) {
  std::vector<Component> given;
  if (rule.from_both && asked.of_scores && !asked.of_loadings) {
    OrthogonalAscentRule first = rule;
    first.rounds = 1;
    Budget part = budget.part(kShareOfBoth);
    given = orthogonal_ascent(problem, first, {.of_loadings = true, .of_scores = true}, part)
                .components;
  }
  OrthogonalAscent ascent(problem, rule, asked, std::move(given), budget);
  ascent.run();
  return ascent.answer();
}

}  // namespace spca
