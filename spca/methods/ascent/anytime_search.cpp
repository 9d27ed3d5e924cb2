#include "spca/methods/ascent/anytime_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spca/base/parallel.h"
#include "spca/base/random.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/leading_eigenpair.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/core_search.h"
#include "spca/methods/ascent/power_starts.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/ascent/support_exchange.h"
#include "spca/methods/ascent/support_polish.h"
#include "spca/methods/ascent/truncated_power.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// At most this number of steps of a climb. A support that has not settled then is scored as it is.
constexpr int kMostClimbingSteps = 40;
// One hop in this number builds a new support.
constexpr std::uint64_t kFreshShare = 4;

class AnytimeSearch {
 public:
  AnytimeSearch(const Problem& problem, const AnytimeRule& rule, Budget& budget)
      : problem_(problem),
        covariance_(problem.covariance),
        rule_(rule),
        budget_(budget),
        core_(problem.covariance) {
    k_ = std::min(problem.cardinality[0],
                  std::ssize(useful(all_variables(covariance_.variables()))));
  }

  AnytimeAnswer run(const std::vector<Component>& first);

 private:
  Support useful(const Support& support) const;
  bool consider(SupportOptimum found);
  void ascend_from(const std::vector<Component>& starts);
  std::vector<Component> variable_starts() const;
  Component path_start() const;
  void build_core();
  void search_core();
  Support hop(Index number) const;
  bool round();
  bool widen();

  const Problem& problem_;
  const Covariance& covariance_;
  const AnytimeRule& rule_;
  Budget& budget_;
  Index k_;
  SupportOptimum best_{.value = 0, .component = {}};
  Core core_;     // it holds the best support
  Support full_;  // positions in the core: the best support, filled up to k variables
  Index hops_ = 0;
};

/// The variables of the support that can raise the value. A variable without variance cannot,
/// unless a deflation made S indefinite: then one of variance zero or below may be in the best
/// support. An answer of another method may hold such variables, with loadings that are rounding.
Support AnytimeSearch::useful(const Support& support) const {
  if (covariance_.semidefinite_shift() > 0) {
    return support;
  }
  Support variables;
  std::copy_if(support.begin(), support.end(), std::back_inserter(variables),
               [&](Index i) { return covariance_.diagonal()[i] > 0; });
  return variables;
}

bool AnytimeSearch::consider(SupportOptimum found) {
  if (!(found.value > best_.value * (1 + kSmallestRise)) || found.component.support.empty()) {
    return false;
  }
  best_ = std::move(found);
  return true;
}

/// Keeps the k entries of largest magnitude, at unit length.
Component cut_to(const Component& component, Index k) {
  Component kept;
  std::vector<Index> positions = top_k(component.values, k);
  kept.support = members_at(component.support, positions);
  kept.values = component.values(positions);
  return normalized(std::move(kept));
}

/// Takes truncated power steps until the support does not change. The answer has at most k
/// variables.
Component stepped(const Covariance& covariance, const Component& component, Index k) {
  Component last = until_support_stays(covariance, component, k, kMostClimbingSteps);
  if (!last.support.empty()) {
    return last;
  }
  return component.cardinality() > k ? cut_to(component, k) : component;
}

/// The same as stepped(), with the best loadings on the support at the end.
SupportOptimum ascended(const Covariance& covariance, const Component& component, Index k) {
  return best_on_support(covariance, stepped(covariance, component, k).support);
}

/// Runs ascents from the starts, some at a time. The best is chosen in the order of the starts, so
/// that it does not depend on the threads.
void AnytimeSearch::ascend_from(const std::vector<Component>& starts) {
  const auto batch = static_cast<std::size_t>(kHopsInRound);
  for (std::size_t begin = 0; begin < starts.size() && budget_.next(best_.value); begin += batch) {
    std::vector<SupportOptimum> found(std::min(batch, starts.size() - begin));
    parallel_for(found.size(), problem_.threads,
                 [&](std::size_t i) { found[i] = ascended(covariance_, starts[begin + i], k_); });
    for (SupportOptimum& one : found) {
      consider(std::move(one));
    }
  }
}

std::vector<Component> AnytimeSearch::variable_starts() const {
  std::vector<Component> starts;
  const Index count = std::min(rule_.starts, covariance_.variables());
  for (const Index j : top_k(covariance_.diagonal().cwiseMax(0.0), count)) {
    starts.push_back({.support = {j}, .values = Vector::Ones(1)});
  }
  starts.push_back(path_start());
  return starts;
}

/// Truncated steps at cardinalities 8k, 4k and 2k from the largest variances: the warm start of
/// Yuan and Zhang.
Component AnytimeSearch::path_start() const {
  const Index p = covariance_.variables();
  Component start = truncated(covariance_.diagonal().cwiseMax(0.0), std::min(kPathFactor * k_, p));
  for (const Index cardinality : path_cardinalities(k_, p)) {
    start = stepped(covariance_, start, cardinality);
  }
  return start;
}

/// Chooses the variables of the core: those of the best support, half of the size of the core by
/// |(Sv)_j|, and the rest by variance; all variables if there are few.
void AnytimeSearch::build_core() {
  const Index p = covariance_.variables();
  const Index wanted = std::min(p, std::max(rule_.core, 2 * k_));
  if (wanted == p) {
    core_.set(all_variables(p));
    return;
  }
  Vector product;
  covariance_.multiply(best_.component, product);
  Support variables = best_.component.support;
  const Support near = top_k(product, wanted / 2);
  variables.insert(variables.end(), near.begin(), near.end());
  const Support large = top_k(covariance_.diagonal().cwiseMax(0.0), wanted - wanted / 2);
  variables.insert(variables.end(), large.begin(), large.end());
  core_.set(std::move(variables));
}

/// Runs the deterministic part of the core search: ascents from each variable, if the core is all
/// of S, and exchanges.
void AnytimeSearch::search_core() {
  SupportAscent ascent(core_.matrix(), k_);
  full_ = filled_up(positions_among(core_.variables(), best_.component.support), k_);
  ascent.consider(full_);
  if (core_.is_whole()) {
    ascent.search([&](double value) { return budget_.next(std::max(value, best_.value)); });
  }
  ascent.exchange([&](double value) { return budget_.next(std::max(value, best_.value)); });
  // On an indefinite S an ascent may end on fewer than k variables, or on none.
  if (std::ssize(ascent.support()) == k_) {
    full_ = ascent.support();
  }
  consider(best_on_support(covariance_, members_at(core_.variables(), full_)));
}

/// Draws `count` different numbers below `bound`.
std::vector<Index> drawn(Index count, Index bound, Random& random) {
  std::vector<Index> numbers(static_cast<std::size_t>(bound));
  std::iota(numbers.begin(), numbers.end(), Index{0});
  for (Index i = 0; i < count; ++i) {
    const auto left = static_cast<std::uint64_t>(bound - i);
    std::swap(numbers[static_cast<std::size_t>(i)],
              numbers[static_cast<std::size_t>(i) + random.below(left)]);
  }
  numbers.resize(static_cast<std::size_t>(count));
  return numbers;
}

/// One hop, from the best support of the core to another local optimum of exchanges. Returns
/// positions in the core.
Support AnytimeSearch::hop(Index number) const {
  if (core_.size() <= k_) {
    return full_;  // there is no other support
  }
  Random random = numbered_random(problem_, "hop", number);
  const Index m = core_.size();
  SupportAscent ascent(core_.matrix(), k_);
  if (random.below(kFreshShare) == 0) {
    // Builds from one variable and those of largest covariance with it, among half of the core.
    const auto j = static_cast<Index>(random.below(static_cast<std::uint64_t>(m)));
    Vector column = core_.matrix().col(j);
    for (Index i = 0; i < m; ++i) {
      if (i != j && random.below(2) == 0) {
        column[i] = 0;
      }
    }
    const Support support = top_k(column, k_);
    ascent.consider(support);
  } else {
    // Replaces some members by other variables of the core: those of largest covariance with the
    // rest, each times a random number, or variables drawn at random.
    const Index most = std::max<Index>(1, std::min(k_ / 2 + 1, k_));
    const Index count = 1 + static_cast<Index>(random.below(static_cast<std::uint64_t>(most)));
    std::vector<Index> leaving = drawn(count, k_, random);
    std::sort(leaving.begin(), leaving.end());
    Support support = full_;
    for (auto position = leaving.rbegin(); position != leaving.rend(); ++position) {
      support.erase(support.begin() + *position);
    }
    Vector worth = Vector::Zero(m);
    if (!support.empty() && random.below(2) == 0) {
      const LeadingEigenpair rest = leading_eigenpair(principal_submatrix(core_.matrix(), support));
      for (std::size_t i = 0; i < support.size(); ++i) {
        worth += rest.vector[static_cast<Index>(i)] * core_.matrix().col(support[i]);
      }
      worth = worth.cwiseAbs();
      for (double& entry : worth) {
        entry *= random.uniform();
      }
    } else {
      for (double& entry : worth) {
        entry = random.uniform();
      }
    }
    // Remaining members must not be drawn again, and removed members do not return at once.
    for (const Index i : full_) {
      worth[i] = -1;
    }
    const Index free = m - k_;
    const Support entering = top_k_signed(worth, std::min(count, free));
    support.insert(support.end(), entering.begin(), entering.end());
    for (auto position = leaving.begin(); std::ssize(support) < k_; ++position) {
      // there are too few free variables
      support.push_back(full_[static_cast<std::size_t>(*position)]);
    }
    std::sort(support.begin(), support.end());
    ascent.consider(support);
  }
  if (!ascent.support().empty()) {
    ascent.exchange();
  }
  return std::ssize(ascent.support()) == k_ ? ascent.support() : full_;
}

/// A round of hops. Returns true if one of them gained.
bool AnytimeSearch::round() {
  std::vector<Support> supports(static_cast<std::size_t>(kHopsInRound));
  parallel_for(supports.size(), problem_.threads,
               [&](std::size_t i) { supports[i] = hop(hops_ + static_cast<Index>(i)); });
  hops_ += kHopsInRound;
  bool has_gained = false;
  for (const Support& support : supports) {
    if (support != full_ &&
        consider(best_on_support(covariance_, members_at(core_.variables(), support)))) {
      full_ = support;
      has_gained = true;
    }
  }
  return has_gained;
}

/// Searches for exchanges among all variables. Returns true if that gained.
bool AnytimeSearch::widen() {
  Component found =
      polished(covariance_, best_.component, k_, [&](double value) { return budget_.next(value); });
  return consider(best_on_support(covariance_, found.support));
}

AnytimeAnswer AnytimeSearch::run(const std::vector<Component>& first) {
  for (const Component& component : first) {
    const Support support = useful(component.support);
    if (!support.empty()) {
      consider(best_on_support(covariance_, support));
    }
  }
  if (best_.component.support.empty()) {
    Index largest = 0;
    covariance_.diagonal().maxCoeff(&largest);
    consider(best_on_support(covariance_, {largest}));
  }
  if (std::max(rule_.core, 2 * k_) < covariance_.variables()) {
    ascend_from(heaviest_rows(covariance_, k_, rule_.starts));
    ascend_from(variable_starts());
    if (!budget_.out_of_time()) {
      widen();
    }
  }
  budget_.phases().finish("starts");
  if (!budget_.out_of_time()) {
    build_core();
    search_core();
  }
  Index idle = 0;
  bool has_news = false;  // since the last search among all variables
  for (Index rounds = 0; k_ < core_.size() && (rule_.rounds == 0 || rounds < rule_.rounds);
       ++rounds) {
    if (!budget_.next(best_.value)) {
      break;
    }
    const bool has_gained = round();
    idle = has_gained ? 0 : idle + 1;
    has_news = has_news || has_gained;
    const bool is_over = (rule_.patience > 0 && idle >= rule_.patience) ||
                         (rule_.rounds > 0 && rounds + 1 == rule_.rounds);
    if (is_over && has_news && !core_.is_whole() && widen()) {
      build_core();
      search_core();
      idle = 0;
      has_news = false;
      continue;
    }
    if (rule_.patience > 0 && idle >= rule_.patience) {
      break;
    }
  }
  budget_.phases().finish("hops");
  return {.component = best_.component, .value = best_.value, .hops = hops_, .core = core_.size()};
}

}  // namespace

AnytimeAnswer anytime_search(const Problem& problem, const AnytimeRule& rule,
                             const std::vector<Component>& first, Budget& budget) {
  return AnytimeSearch(problem, rule, budget).run(first);
}

Solution anytime_solution(AnytimeAnswer answer, const Budget& budget) {
  Solution solution = make_solution({std::move(answer.component)}, budget);
  solution.facts = {{"core", static_cast<double>(answer.core)},
                    {"hops", static_cast<double>(answer.hops)}};
  return solution;
}

}  // namespace spca
