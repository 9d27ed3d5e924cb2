/// Several sparse orthogonal components at once, whose supports may overlap, by ascent on fixed
/// supports and exchanges.
///
/// Problem  maximise tr(U'SU)  s.t. U'U = I, ||u_t||_0 <= k_t. The option `constraint` requires
///          uncorrelated scores, u_s'S u_t = 0, in place of orthogonal loadings, or both; u_t
///          is of unit length in any case
/// Step     none of these steps lowers the variance (orthogonal_search.h):
///          1. on fixed supports, blocks and Newton steps on the manifold of the constraints
///          2. exchanges of one variable
///          3. restarts of one component
/// Start    `starts`, of which the best is kept:
///          disjoint    disjoint supports, by the ascent and the exchanges of bipart-ascent
///          deflation   one component after the other, each on the remainder after those before
///          random      the same from random directions
///          From the best, hops: one or two components are sought anew, or some variables change
///          places, and the steps follow. Hops also continue from slightly worse states; the best
///          state is kept
/// Stops    after `rounds` rounds, the first from these starts and the others from random ones; a
///          round ends when `patience` hops in a row have gained nothing
/// Cost     a dense M x M matrix holds S on the core: all variables, if p <= `core`; otherwise
///          those of largest variance and those that an ascent for one component finds on projected
///          S. A round of exchanges costs O(M (r + k) r) and some ascents on fixed supports, O(k^3
///          r) for disjoint supports and O((k_1 + ... + k_r)^3) for overlapping ones. Beyond the
///          core, r products with S find the variables that matter; hops follow again until nothing
///          changes
/// Source   the problem: Cory-Wright, Pauphilet, Operations Research 2026; the search is this
///          project's
/// Differs  the constraints hold to rounding (1e-12), not to a tolerance of the search. One
///          component alone is found by the search of the solver `search` (anytime_search.h)

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "spca/base/parallel.h"
#include "spca/base/random.h"
#include "spca/base/sha256.h"
#include "spca/covariance/deflation.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/anytime_search.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/joint/joint_search.h"
#include "spca/methods/orthogonal/orthogonal_search.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_orthogonal_ascent {
namespace {

struct OrthogonalAscentOptions {
  std::string constraint = kOrthogonal;
  std::vector<std::string> starts = {"disjoint", "deflation", "random"};
  Index draws = 8;
  Index patience = 256;
  Index rounds = 3;
  Index core = 1000;

  void describe(OptionVisitor& visit) {
    visit("constraint", constraint,
          "products of different components that vanish: u_s'u_t (orthogonal), u_s'S u_t "
          "(uncorrelated), or both",
          {kOrthogonal, kUncorrelated, kBoth});
    visit("starts", starts, "where the search begins; the best result is kept",
          {"disjoint", "deflation", "random"});
    visit("draws", draws, "number of random starts, and of starts of disjoint supports",
          at_least(1));
    visit("patience", patience, "hops without gain after which a round ends; 0 for no hops",
          at_least(0));
    visit("rounds", rounds, "number of rounds; from the second on they begin at random starts",
          at_least(1));
    visit(
        "core", core,
        "largest number of variables of which S is formed, or 2 (k_1 + ... + k_r) if that is more",
        between(1, 5000));
  }
};

// Number of starts or hops between two checks of the clock. It does not depend on the number of
// threads, and so neither does the answer.
constexpr std::size_t kBatch = 8;
constexpr double kSmallestGain = 1e-10;
// This share of the core is reserved for variables that ascents on all of S find.
constexpr double kFoundShare = 0.5;
// For each component this multiple of k_t variables, those of largest |S u_t|, joins the core.
constexpr Index kNearby = 4;
// Hops continue from the best of the last ones that led elsewhere, if it reaches this share of the
// best value.
constexpr double kWorthHopping = 0.98;
constexpr int kMostWidenings = 5;
// Number of hops of disjoint supports without gain before they end: they are cheap.
constexpr Index kDisjointPatience = 200;

bool is_gain(double before, double after) {
  return after > before + kSmallestGain * std::abs(before);
}

/// The supports of components that ascents on projected S find one after the other outside of the
/// core, with the variables near them.
Support found_by_deflation(const Problem& problem, Budget& budget) {
  Support found;
  std::shared_ptr<const Covariance> left(&problem.covariance, [](const Covariance*) {});
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

class OrthogonalAscent {
 public:
  OrthogonalAscent(const Problem& problem, const OrthogonalAscentOptions& options,
                   Orthogonality asked, Budget& budget)
      : problem_(problem), options_(options), asked_(asked), budget_(budget) {}

  void run();
  bool has_answer() const { return !best_.is_empty(); }
  std::vector<Component> components() const;
  Index core_size() const { return std::ssize(core_); }
  double hops() const { return hops_; }

 private:
  using States = std::vector<OrthogonalComponents>;
  void choose_core();
  void form_core(Support core);
  JointSupports disjoint_start(JointSearch& search, Index draw) const;
  std::vector<JointSupports> disjoint_starts();
  Index places() const {
    return std::accumulate(problem_.cardinality.begin(), problem_.cardinality.end(), Index{0});
  }
  void improve(States& states);
  void start();
  void draw();
  void hop();
  bool widen();
  double value() const { return has_answer() ? best_.value : 0; }
  bool has(const char* name) const {
    return std::find(options_.starts.begin(), options_.starts.end(), name) != options_.starts.end();
  }

  const Problem& problem_;
  const OrthogonalAscentOptions& options_;
  Orthogonality asked_;
  Budget& budget_;
  Support core_;  // ascending
  Matrix matrix_;
  OrthogonalComponents best_;  // as positions in the core
  OrthogonalComponents last_;  // the best of the last improved states that are worse than best_
  double hops_ = 0;
  Index hop_seed_ = 0;
  Index round_ = 0;
};

void OrthogonalAscent::form_core(Support core) {
  std::sort(core.begin(), core.end());
  core.erase(std::unique(core.begin(), core.end()), core.end());
  OrthogonalComponents moved = best_;
  if (has_answer()) {
    moved.loadings = Matrix::Zero(std::ssize(core), problem_.components);
    for (std::size_t t = 0; t < moved.supports.size(); ++t) {
      const Support variables = members_at(core_, best_.supports[t]);
      moved.supports[t] = positions_among(core, variables);
      const auto column = static_cast<Index>(t);
      const Vector entries = best_.loadings.col(column)(best_.supports[t]);
      moved.loadings.col(column)(moved.supports[t]) = entries;
    }
  }
  best_ = std::move(moved);
  core_ = std::move(core);
  matrix_ = problem_.covariance.submatrix(core_);
}

void OrthogonalAscent::choose_core() {
  const Covariance& covariance = problem_.covariance;
  const Index wanted = std::min(covariance.variables(), std::max(options_.core, 2 * places()));
  Support core;
  if (wanted == covariance.variables()) {
    core.resize(static_cast<std::size_t>(wanted));
    std::iota(core.begin(), core.end(), Index{0});
  } else {
    const auto by_variance =
        std::max(places(), static_cast<Index>((1 - kFoundShare) * static_cast<double>(wanted)));
    core = top_k(covariance.diagonal().cwiseMax(0.0), by_variance);
    const Support found = found_by_deflation(problem_, budget_);
    core.insert(core.end(), found.begin(), found.end());
  }
  form_core(std::move(core));
}

/// Disjoint supports from random ones (draw > 0) or from those of largest variance, by the ascent
/// and the exchanges of bipart-ascent. Empty if there are too few variables.
JointSupports OrthogonalAscent::disjoint_start(JointSearch& search, Index draw) const {
  const Index m = core_size();
  Random random(hash64(fmt::format("{}/disjoint {}", problem_.seed, draw)));
  Vector score = matrix_.diagonal();
  if (draw > 0) {
    for (double& entry : score) {
      entry = random.uniform();
    }
  }
  std::vector<Index> order(static_cast<std::size_t>(m));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return score[a] > score[b]; });
  std::vector<Support> supports;
  auto next = order.begin();
  for (const Index k : problem_.cardinality) {
    supports.emplace_back(next, next + k);
    std::sort(supports.back().begin(), supports.back().end());
    next += k;
  }
  JointSupports state = search.evaluate(std::move(supports));
  search.ascend(state);
  search.exchange(state);
  return state;
}

/// The starts, the best of them last, after hops among disjoint supports.
std::vector<JointSupports> OrthogonalAscent::disjoint_starts() {
  if (places() > core_size()) {
    return {};
  }
  std::vector<JointSupports> states(static_cast<std::size_t>(options_.draws));
  parallel_for(states.size(), problem_.threads, [&](std::size_t i) {
    JointSearch search(matrix_, problem_.cardinality);
    states[i] = disjoint_start(search, static_cast<Index>(i));
  });
  JointSupports best = *std::max_element(
      states.begin(), states.end(),
      [](const JointSupports& a, const JointSupports& b) { return a.total() < b.total(); });
  JointSearch search(matrix_, problem_.cardinality);
  Index idle = 0;
  for (Index hop = 0; idle < kDisjointPatience && !budget_.is_time_up(); ++hop) {
    Random random(hash64(fmt::format("{}/disjoint hop {}", problem_.seed, hop)));
    JointSupports next = search.evaluate(search.perturbed(best, random));
    search.ascend(next);
    search.exchange(next);
    idle = is_gain(best.total(), next.total()) ? 0 : idle + 1;
    if (idle == 0) {
      best = std::move(next);
    }
  }
  states.push_back(std::move(best));
  return states;
}

/// Takes all steps from each state. The best state is kept, in the order of the states, so that it
/// does not depend on the threads.
void OrthogonalAscent::improve(States& states) {
  const OrthogonalSearch search(matrix_, problem_.cardinality, asked_);
  parallel_for(states.size(), problem_.threads, [&](std::size_t i) {
    search.exchange(states[i], [this](double) { return !budget_.is_time_up(); });
  });
  last_ = {};
  for (OrthogonalComponents& state : states) {
    const bool is_other = has_answer() && !state.is_empty() && is_gain(state.value, best_.value);
    if (is_other && (last_.is_empty() || state.value > last_.value)) {
      last_ = state;
    }
    if (!state.is_empty() && (!has_answer() || is_gain(best_.value, state.value))) {
      best_ = std::move(state);
    }
  }
}

void OrthogonalAscent::start() {
  const OrthogonalSearch search(matrix_, problem_.cardinality, asked_);
  if (has("deflation") && budget_.next(value())) {
    States states = {search.by_deflation()};
    improve(states);
  }
  if (has("disjoint") && budget_.next(value())) {
    for (JointSupports& joint : disjoint_starts()) {
      if (!budget_.next(value())) {
        break;
      }
      Matrix near = Matrix::Zero(core_size(), problem_.components);
      for (std::size_t t = 0; t < joint.supports.size(); ++t) {
        near.col(static_cast<Index>(t))(joint.supports[t]) = joint.loadings[t];
      }
      States states = {search.evaluate(std::move(joint.supports), near)};
      improve(states);
    }
  }
  // If no start was feasible so far, random ones follow even if they are not in `starts`.
  if (has("random") || !has_answer()) {
    draw();
  }
}

/// Random starts.
void OrthogonalAscent::draw() {
  const OrthogonalSearch search(matrix_, problem_.cardinality, asked_);
  for (Index first = 0; first < options_.draws && budget_.next(value());) {
    const auto count = std::min(kBatch, static_cast<std::size_t>(options_.draws - first));
    States states(count);
    parallel_for(count, problem_.threads, [&](std::size_t i) {
      Random random(hash64(fmt::format("{}/round {}/start {}", problem_.seed, round_,
                                       first + static_cast<Index>(i))));
      states[i] = search.drawn(random);
    });
    first += static_cast<Index>(count);
    improve(states);
  }
}

void OrthogonalAscent::hop() {
  const OrthogonalSearch search(matrix_, problem_.cardinality, asked_);
  Index idle = 0;
  Index restarted = 0;
  OrthogonalComponents from = best_;
  while (idle < options_.patience && budget_.next(value())) {
    const double before = best_.value;
    // Each component is sought anew once after a gain.
    for (; restarted < problem_.components && !budget_.is_time_up(); ++restarted) {
      if (search.restart(best_, restarted)) {
        States states = {best_};
        improve(states);
      }
    }
    States states(kBatch);
    const Index first = hop_seed_;
    hop_seed_ += static_cast<Index>(kBatch);
    parallel_for(kBatch, problem_.threads, [&](std::size_t i) {
      Random random(hash64(fmt::format("{}/hop {}", problem_.seed, first + static_cast<Index>(i))));
      states[i] = search.perturbed(from, random);
    });
    hops_ += static_cast<double>(kBatch);
    improve(states);
    const bool has_gained = is_gain(before, best_.value);
    idle = has_gained ? 0 : idle + static_cast<Index>(kBatch);
    restarted = has_gained ? 0 : restarted;
    const bool is_worth = !last_.is_empty() && last_.value > kWorthHopping * best_.value;
    from = has_gained || !is_worth ? best_ : last_;
  }
}

/// Adds the variables of largest |S u_t| beyond the core to it. Returns whether there were any.
bool OrthogonalAscent::widen() {
  const Index p = problem_.covariance.variables();
  if (core_size() == p || !budget_.next(value())) {
    return false;
  }
  Support core = core_;
  Matrix loadings = Matrix::Zero(p, problem_.components);
  const std::vector<Component> found = components();
  for (std::size_t t = 0; t < found.size(); ++t) {
    loadings.col(static_cast<Index>(t)) = to_dense(found[t], p);
  }
  for (std::size_t t = 0; t < found.size(); ++t) {
    Vector product;
    problem_.covariance.multiply(found[t], product);
    product -= loadings * (loadings.transpose() * product).eval();
    const Support near = top_k(product, std::min(p, kNearby * problem_.cardinality[t]));
    core.insert(core.end(), near.begin(), near.end());
  }
  const Index before = core_size();
  form_core(std::move(core));
  return core_size() > before;
}

void OrthogonalAscent::run() {
  choose_core();
  budget_.begin_loop();
  budget_.finish_phase("core");
  start();
  if (!has_answer()) {
    return;
  }
  budget_.begin_loop();
  hop();
  for (round_ = 1; round_ < options_.rounds && budget_.next(value()); ++round_) {
    // Earlier rounds do not count: hops could not leave their optimum.
    OrthogonalComponents before = std::exchange(best_, {});
    draw();
    if (has_answer()) {
      hop();
    }
    if (!has_answer() || !is_gain(before.value, best_.value)) {
      best_ = std::move(before);
    }
  }
  for (int time = 0; time < kMostWidenings && widen(); ++time) {
    const double before = best_.value;
    States states = {best_};
    improve(states);
    hop();
    if (!is_gain(before, best_.value)) {
      break;
    }
  }
}

std::vector<Component> OrthogonalAscent::components() const {
  std::vector<Component> result;
  for (std::size_t t = 0; t < best_.supports.size(); ++t) {
    Component component;
    std::vector<double> values;
    for (const Index i : best_.supports[t]) {
      const double loading = best_.loadings(i, static_cast<Index>(t));
      if (loading != 0) {
        component.support.push_back(core_[static_cast<std::size_t>(i)]);
        values.push_back(loading);
      }
    }
    component.values = Eigen::Map<const Vector>(values.data(), std::ssize(values));
    result.push_back(std::move(component));
  }
  return result;
}

/// By falling variance within equal cardinalities.
std::vector<Component> in_order(std::vector<Component> components, const Problem& problem) {
  std::vector<double> variances;
  for (const Component& component : components) {
    variances.push_back(problem.covariance.quadratic_form(component));
  }
  std::vector<Component> result(components.size());
  std::vector<bool> is_used(components.size(), false);
  for (std::size_t j = 0; j < components.size(); ++j) {
    std::size_t best = components.size();
    for (std::size_t t = 0; t < components.size(); ++t) {
      if (!is_used[t] && problem.cardinality[t] == problem.cardinality[j] &&
          (best == components.size() || variances[t] > variances[best])) {
        best = t;
      }
    }
    is_used[best] = true;
    result[j] = std::move(components[best]);
  }
  return result;
}

Solution solve_one(const Problem& problem, Budget& budget) {
  AnytimeAnswer answer = anytime_search(problem, AnytimeRule{}, {}, budget);
  Solution solution = make_solution({std::move(answer.component)}, budget);
  solution.facts = {{"core", static_cast<double>(answer.core)},
                    {"hops", static_cast<double>(answer.hops)}};
  return solution;
}

Solution solve_orthogonal_ascent(const Problem& problem, const OrthogonalAscentOptions& options,
                                 Budget& budget) {
  if (!has_variance(problem.covariance)) {
    return skipped(kNoVariance);
  }
  if (problem.components == 1) {
    return solve_one(problem, budget);
  }
  if (problem.components > problem.covariance.variables()) {
    return skipped("more components than variables cannot be orthogonal");
  }
  const Orthogonality asked = {.of_loadings = options.constraint != kUncorrelated,
                               .of_scores = options.constraint != kOrthogonal};
  OrthogonalAscent search(problem, options, asked, budget);
  search.run();
  if (!search.has_answer() && !budget.out_of_time()) {
    return skipped(fmt::format("no components of these cardinalities with constraint {} were found",
                               options.constraint));
  }
  Solution solution = make_solution(
      search.has_answer() ? in_order(search.components(), problem) : std::vector<Component>{},
      budget);
  solution.facts = {{"core", static_cast<double>(search.core_size())}, {"hops", search.hops()}};
  return solution;
}

SPCA_SOLVER("orthogonal-ascent", solve_orthogonal_ascent,
            (Traits{.summary = "orthogonal components that may share variables, by ascent and "
                               "exchanges",
                    .problem = "max tr(U'SU)  s.t. U'U = I, ||u_t||_0 <= k_t",
                    .source = "this project; the problem: Cory-Wright, Pauphilet, Oper. Res. 2026",
                    .multiple_components = true,
                    .orthogonal = true,
                    .seeded = true}));

}  // namespace
}  // namespace spca::solver_orthogonal_ascent
