/// Several sparse components with disjoint supports at once, by alternating ascent and exchanges.
///
/// Problem  maximise Tr(V'SV)  s.t. ||v_j||_2 = 1, ||v_j||_0 <= k_j, disjoint supports
/// Step     none of these steps lowers the variance:
///          1. C_j = V_I'v_j / ||.||, v_j the best on I_j for S_d = V V', and the assignment for
///             the weights (V C)_ij^2, until nothing changes
///          2. the same on S, with W_j = S v_j / sqrt(v_j'S v_j)
///          3. exchanges of variables (joint_search.h)
/// Start    `starts`, of which the best is kept:
///          random      directions C drawn from the sphere
///          deflation   one component after the other, each by ascent on the remaining variables
///          spannogram-sweep, tpower   the answer of that solver with removal of supports
///          From the best, hops: one or two supports are drawn anew, or some variables change
///          places, and the steps follow. The better of the two states is kept.
///          If the answer of a solver leads higher than all hops, hops start there again. So the
///          answer is never below these answers, if they are found in half of the time
/// Stops    when `patience` hops in a row have gained nothing, and growing the core gains nothing
/// Cost     a dense M x M matrix holds S on the core: the `core` variables of largest variance and
///          those that the steps on S_d find. With K = k_1 + ... + k_r a step costs O(M K) there,
///          and a round of exchanges at most O(M K k + M K r). Then ascent steps follow on the
///          whole of S: r products with sparse vectors and an assignment each. New variables from
///          these steps join the core, and hops follow again, until nothing changes. At the end the
///          core is doubled for as long as a quarter of the patience gains there
/// Source   the objective, the low-rank step and the assignment: Asteris, Papailiopoulos,
///          Kyrillidis, Dimakis, NIPS 2015; ascent, exchanges and hops are this project's
/// Differs  exchanges examine the core only. If p is larger, the answer is a local optimum of
///          exchanges there and of assignments on all variables. A single component is found by the
///          search of the solver `search` (anytime_search.h) with its default options, and from the
///          deflation answers if these are better

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "spca/base/parallel.h"
#include "spca/base/random.h"
#include "spca/base/sha256.h"
#include "spca/dense/leading_eigenpair.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/anytime_search.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/joint/deflation_answers.h"
#include "spca/methods/joint/disjoint.h"
#include "spca/methods/joint/joint_search.h"
#include "spca/methods/joint/padding.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_bipart_ascent {
namespace {

// At most this number of variables in the core: S of them takes 200 MB.
constexpr Index kLargestCore = 5000;
constexpr const char* kStartsOption = "/options/starts";
// Solvers of one component whose answers, with removal of supports between them, take about as long
// as the joint search; on a corpus of 102,660 words nine tenths of the time.
constexpr std::array kDeflated = {"spannogram-sweep", "tpower"};
const Choices kStarts = {"random", "deflation", kDeflated[0], kDeflated[1]};

struct BipartAscentOptions {
  Index rank = 4;
  std::vector<std::string> starts = {"random", "deflation", kDeflated[0], kDeflated[1]};
  Index draws = 32;
  Index patience = 200;
  Index core = 600;

  bool begins_at(const char* start) const {
    return std::find(starts.begin(), starts.end(), start) != starts.end();
  }

  void describe(OptionVisitor& visit) {
    visit("rank", rank, "d, the rank of the approximation on which random starts ascend first",
          between(1, 64));
    visit("starts", starts, "where the ascent begins; the best result is kept", kStarts);
    visit("draws", draws, "number of random starts", at_least(1));
    visit("patience", patience, "hops without gain after which the search ends; 0 for no hops",
          at_least(0));
    visit("core", core, "variables among which exchanges are looked for, at least 2 K",
          between(1, kLargestCore));
  }
};

// Number of starts or hops between two checks of the clock. It does not depend on the number of
// threads, and so neither does the answer.
constexpr std::size_t kBatch = 8;
// An ascent ends when a step gains less than this share of the value.
constexpr double kSmallestGain = 1e-10;
// At most this number of steps on S_d; about ten suffice unless gains become tiny.
constexpr int kLargestSpanAscent = 100;
// The patience is divided by this for the search on a larger core.
constexpr Index kShareOfPatience = 4;

/// The variance that the supports explain, each alone.
double worth(const Covariance& covariance, const std::vector<Support>& supports) {
  double total = 0;
  for (const Support& support : supports) {
    total += support.empty() ? 0 : best_on_support(covariance, support).value;
  }
  return total;
}

/// The total may be negative if S is indefinite.
bool is_gain(double before, double after) {
  return after > before + kSmallestGain * std::abs(before);
}

class AscentSearch {
 public:
  AscentSearch(const Problem& problem, const BipartAscentOptions& options, const LowRank& low_rank,
               Budget& budget);
  /// `deflated`: supports found by deflation, of which some may lack variables. The answer is never
  /// below them.
  void run(const std::vector<std::vector<Support>>& deflated);
  std::vector<Support> best() const { return in_variables(best_.supports); }
  bool has_answer() const { return !best_.supports.empty(); }
  Index core_size() const { return std::ssize(core_); }
  double value() const { return std::max(deflated_value_, has_answer() ? best_.total() : 0); }
  double hops() const { return hops_; }

 private:
  std::vector<Support> random_start(Index draw) const;
  std::vector<Support> deflation_start() const;
  void pad(std::vector<Support>& supports) const;
  void extend_core(const std::vector<std::vector<Support>>& starts);
  Matrix squared_products() const;
  void start();
  void hop(Index patience);
  bool widen();
  void search() {
    do {
      hop(options_.patience);
    } while (widen());
  }
  std::vector<JointSupports> evaluated(std::vector<std::vector<Support>> deflated);
  void take(std::vector<JointSupports> states);
  Support promising() const;
  void grow();
  std::vector<Support> in_core(const std::vector<Support>& supports) const;
  std::vector<Support> in_variables(const std::vector<Support>& supports) const;
  void improve(std::vector<JointSupports>& states);

  const Problem& problem_;
  const BipartAscentOptions& options_;
  const LowRank& low_rank_;
  Budget& budget_;
  Support core_;               // ascending
  Matrix core_matrix_;         // S on the core
  JointSupports best_;         // as positions in the core
  double deflated_value_ = 0;  // of the best deflation answer
  double hops_ = 0;
  Index hop_seed_ = 0;
};

AscentSearch::AscentSearch(const Problem& problem, const BipartAscentOptions& options,
                           const LowRank& low_rank, Budget& budget)
    : problem_(problem), options_(options), low_rank_(low_rank), budget_(budget) {
  const Index places =
      std::accumulate(problem.cardinality.begin(), problem.cardinality.end(), Index{0});
  const Index wanted = std::min(problem.covariance.variables(), std::max(options.core, 2 * places));
  core_ = top_k(problem.covariance.diagonal().cwiseMax(0.0), wanted);
  core_matrix_ = problem.covariance.submatrix(core_);
}

/// Fills every support with free variables of the core, the lowest first. A start on S_d may have
/// too few. The core has at least 2 K variables, and so there are enough.
void AscentSearch::pad(std::vector<Support>& supports) const {
  std::vector<bool> used(static_cast<std::size_t>(problem_.covariance.variables()), false);
  for (const Support& support : supports) {
    for (const Index i : support) {
      used[static_cast<std::size_t>(i)] = true;
    }
  }
  std::size_t next = 0;
  for (std::size_t j = 0; j < supports.size(); ++j) {
    while (std::ssize(supports[j]) < problem_.cardinality[j]) {
      const auto i = static_cast<std::size_t>(core_[next++]);
      if (!used[i]) {
        supports[j].push_back(core_[next - 1]);
      }
    }
    std::sort(supports[j].begin(), supports[j].end());
  }
}

/// Ascends on S_d from directions drawn for this `draw`. The seed depends on the draw, so that the
/// assignment of draws to threads does not matter.
std::vector<Support> AscentSearch::random_start(Index draw) const {
  Random random(hash64(fmt::format("{}/start {}", problem_.seed, draw)));
  Matrix directions(low_rank_.rank(), problem_.components);
  for (double& entry : directions.reshaped()) {
    entry = random.normal();
  }
  directions.colwise().normalize();
  SpanAssignment assignment(low_rank_.factor, problem_.cardinality);
  std::vector<Support> supports = assignment.solve(directions);
  double value = 0;
  for (int step = 0; step < kLargestSpanAscent; ++step) {
    double total = 0;
    for (Index j = 0; j < problem_.components; ++j) {
      const Support& support = supports[static_cast<std::size_t>(j)];
      if (!support.empty()) {
        const SpanDirection best = best_direction(low_rank_.factor, support);
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
  pad(supports);
  return supports;
}

/// Returns supports on the core by deflation: the best of some ascents for one component, then the
/// same without its variables, and so on.
std::vector<Support> AscentSearch::deflation_start() const {
  Support left(core_.size());
  std::iota(left.begin(), left.end(), Index{0});
  std::vector<Support> supports;
  for (const Index k : problem_.cardinality) {
    const Matrix matrix = core_matrix_(left, left);
    JointSearch search(matrix, {k});
    const Vector leading = leading_eigenpair(matrix).vector;
    JointSupports best = search.evaluate({top_k(leading, k)});
    search.ascend(best);
    JointSupports other = search.evaluate({top_k(matrix.diagonal(), k)});
    search.ascend(other);
    if (other.total() > best.total()) {
      best = std::move(other);
    }
    const Support chosen = members_at(left, best.supports[0]);
    supports.push_back(chosen);
    Support rest;
    std::set_difference(left.begin(), left.end(), chosen.begin(), chosen.end(),
                        std::back_inserter(rest));
    left = std::move(rest);
  }
  return in_variables(supports);
}

void AscentSearch::extend_core(const std::vector<std::vector<Support>>& starts) {
  Support all = core_;
  for (const std::vector<Support>& supports : starts) {
    for (const Support& support : supports) {
      all.insert(all.end(), support.begin(), support.end());
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all == core_) {
    return;
  }
  // The positions in the core change, and so the best supports are converted to variables and back.
  const std::vector<Support> best = in_variables(best_.supports);
  core_ = std::move(all);
  core_matrix_ = problem_.covariance.submatrix(core_);
  best_.supports = in_core(best);
}

std::vector<Support> AscentSearch::in_core(const std::vector<Support>& supports) const {
  std::vector<Support> result = supports;
  for (Support& support : result) {
    support = positions_among(core_, support);
  }
  return result;
}

std::vector<Support> AscentSearch::in_variables(const std::vector<Support>& supports) const {
  std::vector<Support> result = supports;
  for (Support& support : result) {
    support = members_at(core_, support);
  }
  return result;
}

/// Takes all steps on the core from each state. The best state is kept, in the order of the states,
/// so that it does not depend on the threads.
void AscentSearch::improve(std::vector<JointSupports>& states) {
  parallel_for(states.size(), problem_.threads, [&](std::size_t i) {
    JointSearch search(core_matrix_, problem_.cardinality);
    states[i] = search.evaluate(std::move(states[i].supports));
    search.ascend(states[i]);
    search.exchange(states[i]);
  });
  for (JointSupports& state : states) {
    if (!has_answer() || is_gain(best_.total(), state.total())) {
      best_ = std::move(state);
    }
  }
}

void AscentSearch::start() {
  if (options_.begins_at("deflation") && budget_.next(value())) {
    std::vector<JointSupports> states(1);
    states[0].supports = in_core(deflation_start());
    improve(states);
  }
  for (Index draw = 0;
       options_.begins_at("random") && draw < options_.draws && budget_.next(value());) {
    const auto count = std::min(kBatch, static_cast<std::size_t>(options_.draws - draw));
    std::vector<std::vector<Support>> starts(count);
    parallel_for(count, problem_.threads,
                 [&](std::size_t i) { starts[i] = random_start(draw + static_cast<Index>(i)); });
    draw += static_cast<Index>(count);
    extend_core(starts);
    std::vector<JointSupports> states(count);
    for (std::size_t i = 0; i < count; ++i) {
      states[i].supports = in_core(starts[i]);
    }
    improve(states);
  }
}

void AscentSearch::hop(Index patience) {
  Index idle = 0;
  while (idle < patience && budget_.next(value())) {
    const double before = best_.total();
    std::vector<JointSupports> states(kBatch);
    JointSearch search(core_matrix_, problem_.cardinality);
    for (JointSupports& state : states) {
      Random random(hash64(fmt::format("{}/hop {}", problem_.seed, hop_seed_++)));
      state.supports = search.perturbed(best_, random);
    }
    hops_ += static_cast<double>(kBatch);
    improve(states);
    idle = best_.total() > before ? 0 : idle + static_cast<Index>(kBatch);
  }
}

/// W_ij^2 = (S v_j)_i^2 / lambda_j of the best, p x r, as in joint_search.h.
Matrix AscentSearch::squared_products() const {
  const std::vector<Support> supports = best();
  Matrix weights = Matrix::Zero(problem_.covariance.variables(), problem_.components);
  Vector product;
  for (Index j = 0; j < problem_.components; ++j) {
    const auto place = static_cast<std::size_t>(j);
    if (best_.values[j] > 0) {
      const Component component{.support = supports[place], .values = best_.loadings[place]};
      problem_.covariance.multiply(component, product);
      weights.col(j) = product.cwiseAbs2() / best_.values[j];
    }
  }
  return weights;
}

/// Ascends on the whole of S from the best state. Returns true if that found a better one.
bool AscentSearch::widen() {
  if (core_size() == problem_.covariance.variables()) {
    return false;
  }
  Assignment assignment(problem_.cardinality);
  bool has_gained = false;
  while (budget_.next(value())) {
    const std::vector<Support>& found = assignment.solve(squared_products());
    if (!is_gain(best_.total(), assignment.value())) {
      break;
    }
    extend_core({found});
    std::vector<JointSupports> states(1);
    states[0].supports = in_core(found);
    const double before = best_.total();
    improve(states);
    if (!(best_.total() > before)) {
      break;
    }
    has_gained = true;
  }
  return has_gained;
}

/// Scores deflation answers. Their variables join the core.
std::vector<JointSupports> AscentSearch::evaluated(std::vector<std::vector<Support>> deflated) {
  for (std::vector<Support>& supports : deflated) {
    pad(supports);
  }
  extend_core(deflated);
  const JointSearch search(core_matrix_, problem_.cardinality);
  std::vector<JointSupports> states;
  for (const std::vector<Support>& supports : deflated) {
    states.push_back(search.evaluate(in_core(supports)));
  }
  return states;
}

/// Takes the best state if it explains more than the current best. No difference is too small: the
/// answer must not be below any of them.
void AscentSearch::take(std::vector<JointSupports> states) {
  for (JointSupports& state : states) {
    if (!has_answer() || state.total() > best_.total()) {
      best_ = std::move(state);
    }
  }
}

/// The variables to add to the core, as many as it has, or all there are: one half those of largest
/// W_ij^2, which would join a support of the best state, the other half those of largest variance,
/// which may form other supports.
Support AscentSearch::promising() const {
  const Index p = problem_.covariance.variables();
  const Index count = std::min({core_size(), kLargestCore - core_size(), p - core_size()});
  Vector weights = squared_products().rowwise().maxCoeff();
  Vector variances = problem_.covariance.diagonal().cwiseMax(0.0);
  // Members of the core rank below all others.
  weights(core_).setConstant(-1);
  variances(core_).setConstant(-1);
  const Support first = count > 1 ? top_k_signed(weights, count / 2) : Support{};
  variances(first).setConstant(-1);
  Support both = top_k_signed(variances, count - std::ssize(first));
  both.insert(both.end(), first.begin(), first.end());
  std::sort(both.begin(), both.end());
  return both;
}

/// Doubles the core for as long as the search among more variables gains.
void AscentSearch::grow() {
  while (core_size() < std::min(problem_.covariance.variables(), kLargestCore) &&
         budget_.next(value())) {
    const double before = best_.total();
    extend_core({{promising()}});
    std::vector<JointSupports> states(1);
    states[0].supports = best_.supports;
    improve(states);
    hop(options_.patience / kShareOfPatience);
    if (!is_gain(before, best_.total())) {
      break;
    }
    widen();
    search();
  }
}

/// The deflation answers come last, so that they do not hide better states from random starts and
/// hops.
void AscentSearch::run(const std::vector<std::vector<Support>>& deflated) {
  for (const std::vector<Support>& supports : deflated) {
    deflated_value_ = std::max(deflated_value_, worth(problem_.covariance, supports));
  }
  start();
  if (has_answer()) {
    widen();
    search();
  }
  std::vector<JointSupports> given = evaluated(deflated);
  const double before = has_answer() ? best_.total() : 0;
  if (has_answer() && !budget_.out_of_time()) {
    std::vector<JointSupports> states = given;
    improve(states);
  }
  take(std::move(given));
  if (!has_answer()) {
    return;
  }
  if (is_gain(before, best_.total())) {
    widen();
    search();
  }
  grow();
}

/// The answers of kDeflated that have at least one component.
std::vector<std::vector<Support>> deflation_answers(const Problem& problem,
                                                    const BipartAscentOptions& options,
                                                    Budget& budget) {
  std::vector<std::vector<Support>> answers;
  // A separate budget: the trace belongs to the joint search, and half of the time remains for it.
  Budget own({.seconds = budget.seconds_left() / 2});
  for (const char* name : kDeflated) {
    if (!options.begins_at(name)) {
      continue;
    }
    std::vector<Support> supports = deflation_answer(problem, name, kStartsOption, own);
    if (!supports.front().empty()) {
      answers.push_back(std::move(supports));
    }
  }
  return answers;
}

/// A single component has no other to share variables with, and a core of the largest variances may
/// miss most of it.
Solution solve_one(const Problem& problem, const BipartAscentOptions& options, Budget& budget) {
  AnytimeAnswer answer = anytime_search(problem, AnytimeRule{}, {}, budget);
  std::vector<Component> better;
  for (const std::vector<Support>& supports : deflation_answers(problem, options, budget)) {
    SupportOptimum found = best_on_support(problem.covariance, supports[0]);
    if (found.value > answer.value) {
      better.push_back(std::move(found.component));
    }
  }
  if (!better.empty()) {
    answer = anytime_search(problem, AnytimeRule{}, better, budget);
  }
  Solution solution = make_solution({std::move(answer.component)}, budget);
  solution.facts = {{"core", static_cast<double>(answer.core)},
                    {"hops", static_cast<double>(answer.hops)}};
  return solution;
}

Solution solve_bipart_ascent(const Problem& problem, const BipartAscentOptions& options,
                             Budget& budget) {
  if (lacks_variables(problem)) {
    return solve_padded(problem, [&](const Problem& padded) {
      return solve_bipart_ascent(padded, options, budget);
    });
  }
  if (!has_variance(problem.covariance)) {
    return skipped(kNoVariance);
  }
  if (problem.components == 1) {
    return solve_one(problem, options, budget);
  }
  const std::vector<std::vector<Support>> deflated = deflation_answers(problem, options, budget);
  budget.finish_phase("deflation");
  const LowRank low_rank = low_rank_approximation(problem.covariance, options.rank, Copies::kAny);
  budget.finish_phase("eigenpairs");
  AscentSearch search(problem, options, low_rank, budget);
  budget.finish_phase("core");
  search.run(deflated);
  std::vector<Component> components;
  if (search.has_answer() && !(search.value() > 0) && !budget.out_of_time()) {
    return skipped(no_positive_support(problem.cardinality[0]));
  }
  if (search.has_answer()) {
    components = components_on(problem.covariance, search.best(), problem.cardinality);
  }
  Solution solution = make_solution(std::move(components), budget);
  solution.facts = {{"core", static_cast<double>(search.core_size())}, {"hops", search.hops()}};
  return solution;
}

SPCA_SOLVER("bipart-ascent", solve_bipart_ascent,
            (Traits{
                .summary = "disjoint components at once, by ascent, exchanges and hops",
                .problem = "max Tr(V'SV)  s.t. ||v_j|| = 1, ||v_j||_0 <= k_j, disjoint supports",
                .source = "objective: Asteris, Papailiopoulos, Kyrillidis, Dimakis, NIPS 2015",
                .multiple_components = true,
                .disjoint = true,
                .seeded = true}));

}  // namespace
}  // namespace spca::solver_bipart_ascent
