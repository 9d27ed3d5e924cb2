#include "spca/methods/pricing/support_pricer.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "spca/base/parallel.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// When a quick bound is wanted and sums of squares leave it above this multiple of the target, the
// relaxation of all variables is bounded as well, which takes longer.
constexpr double kWeakBound = 1.5;
// A support that exceeds the target by less may already be in the linear program, whose tolerance
// is half of this. Then the search continues, because only its bound is of use.
constexpr double kClearExcess = 2e-9;
// If the division by largest loading has found a support that exceeds the target, it continues
// until its work is this multiple: others may be near, and its bound falls.
constexpr double kWorkAfterFind = 1.5;
// The division by largest loading gets this multiple of the other searches' time while it bounds
// best, and the reverse otherwise. So does the division bounded by pairs, and before its first turn
// if supports have at least kManyForPairs variables: bench/notes/2026-11-23-branch-price.md ("pairs
// begin at 18 variables").
constexpr double kFavouredWork = 8;
constexpr Index kManyForPairs = 18;

/// The conditions of pair_bound.h on the supports of k of p variables. Rules on pairs are left out,
/// unless they follow from required and barred variables.
PairConditions conditions_of(const SupportPricing& pricing, Index k, Index p) {
  const Vector none = Vector::Zero(p);
  PairConditions conditions =
      PairConditions::charged(k, pricing.prices.size() > 0 ? pricing.prices : none);
  std::vector<int> chosen;
  std::vector<int> candidates(static_cast<std::size_t>(p));
  std::iota(candidates.begin(), candidates.end(), 0);
  pricing.rules.apply(chosen, candidates);
  conditions.most = none;
  for (const int i : candidates) {
    conditions.most[i] = 1;
  }
  for (const int i : chosen) {
    conditions.least[i] = conditions.most[i] = 1;
  }
  return conditions;
}

/// The division bounded by pairs, where S is small enough.
class TurnsOfPairs {
 public:
  /// `matrix`: S, which must outlive this.
  TurnsOfPairs(const Matrix& matrix, const SupportPricing& asked, Index k)
      : k_(k), enough_(asked.target + kClearExcess) {
    const Index p = matrix.rows();
    if (OneComponentTree::is_possible(p) && matrix.diagonal().maxCoeff() > 0) {
      tree_.emplace(matrix, conditions_of(asked, k, p), enough_);
    }
  }

  /// Takes a turn and returns true if it is due after `work` of the other searches, whose least
  /// bound is `others`.
  bool advance(double work, double others, Budget& budget) {
    if (!tree_) {
      return false;
    }
    const bool is_favoured = tree_->nodes() == 0 ? k_ >= kManyForPairs : bound() < others;
    const double counted = (is_favoured ? kFavouredWork : 1) * work;
    if (!tree_->is_due(counted)) {
      return false;
    }
    tree_->advance(counted, allowed_threads(), budget);
    return true;
  }

  /// An upper bound on the worth of a support; infinity before the first turn.
  double bound() const { return tree_ ? tree_->bound() : std::numeric_limits<double>::infinity(); }
  /// Returns whether no support is worth more than the target. One that the program holds is worth
  /// as much, but for rounding.
  bool is_finished() const { return bound() <= enough_; }
  std::shared_ptr<const OverlapProof> proof() const {
    return std::make_shared<const OverlapProof>(tree_->proof());
  }

 private:
  Index k_;
  double enough_;
  std::optional<OneComponentTree> tree_;
};

}  // namespace

SupportPricer::SupportPricer(const Matrix& matrix, OutsideVariables outside, Index max_count)
    : matrix_(matrix), outside_(std::move(outside)) {
  if (!outside_.is_empty()) {
    const Index p = matrix.rows();
    extended_ = Matrix::Zero(p + max_count, p + max_count);
    extended_.topLeftCorner(p, p) = matrix;
  }
}

bool SupportPricer::factor(Budget& budget) {
  if (factor_ == nullptr && matrix_.diagonal().maxCoeff() > 0) {
    factor_ = factor_covariance(matrix(), [&] { return !budget.is_time_up(); });
  }
  return factor_ != nullptr;
}

StrongestEntries& SupportPricer::strongest() {
  if (!strongest_) {
    strongest_.emplace(matrix());
  }
  return *strongest_;
}

/// Returns the pricing problem over the variables of S and the zero variables of `extended_`, if
/// each of the latter adds at most `added`. Its optimum is smaller by k `added`.
SupportPricing SupportPricer::extended(const SupportPricing& pricing, double added, Index k) const {
  if (extended_.rows() == 0) {
    return pricing;
  }
  SupportPricing other = pricing;
  other.prices = Vector::Zero(extended_.rows());
  other.prices.head(matrix_.rows()) = pricing.prices.array() + added;
  other.target -= static_cast<double>(k) * added;
  return other;
}

PricedOptimum SupportPricer::maximise(const SupportPricing& pricing, const Support& start,
                                      Index count, Budget& budget) {
  return search(pricing, start, count, Effort::kWhole, budget);
}

PricedOptimum SupportPricer::bound(const SupportPricing& pricing, const Support& start, Index count,
                                   Budget& budget) {
  return search(pricing, start, count, Effort::kRoot, budget);
}

PricedOptimum SupportPricer::search(const SupportPricing& pricing, const Support& start,
                                    Index count, Effort effort, Budget& budget) {
  const std::function<bool()> keep_going = [&] { return !budget.is_time_up(); };
  const Index k = std::ssize(start);
  const double added = outside_.most_added(pricing.prices, pricing.target, k);
  const SupportPricing asked = extended(pricing, added, k);
  const auto exceeds = [&](const auto& searched) {
    return effort == Effort::kWhole && searched.value() > asked.target + kClearExcess &&
           is_inside(searched.support());
  };
  // The squares alone close easy searches; others are divided.
  SearchByTurns whole(matrix(), factor_, start, asked, keep_going);
  while (!whole.is_finished() && !exceeds(whole) &&
         whole.next_step() == SearchByTurns::Step::kSubtrees && keep_going()) {
    whole.advance(allowed_threads(), keep_going);
  }
  const double shift = static_cast<double>(k) * added;
  PricedOptimum optimum{.bound = whole.bound(),
                        .support = whole.support(),
                        .is_proven = whole.is_finished(),
                        .proof = {.least = pricing.target, .start = whole.support()}};
  bool by_loadings = false;
  if (!whole.is_finished() && !exceeds(whole)) {
    LoadingSearch loadings(matrix(), asked, k, strongest(), keep_going);
    loadings.begin();
    if (effort == Effort::kRoot && loadings.bound(count) > kWeakBound * asked.target) {
      bound_root(whole, budget);
    }
    TurnsOfPairs pairs(matrix(), asked, k);
    const auto is_finished = [&] {
      return whole.is_finished() || loadings.is_finished() || pairs.is_finished();
    };
    // It is not known in advance which of the searches is better: they take turns.
    double enough = std::numeric_limits<double>::infinity();
    while (effort == Effort::kWhole && !is_finished() && !exceeds(whole) &&
           loadings.work() < enough && keep_going()) {
      if (pairs.advance(whole.work() + loadings.work(), std::min(whole.bound(), loadings.bound(1)),
                        budget)) {
        continue;
      }
      const double favour = loadings.bound(1) < whole.bound() ? kFavouredWork : 1 / kFavouredWork;
      if (loadings.work() < favour * whole.work()) {
        loadings.advance();
        if (exceeds(loadings)) {
          enough = std::min(enough, kWorkAfterFind * loadings.work());
        }
      } else {
        whole.advance(allowed_threads(), keep_going);
      }
    }
    const RelaxationTree* relaxations = whole.relaxations();
    optimum.bound = std::min(whole.bound(), loadings.bound(count));
    optimum.is_proven = is_finished();
    by_loadings = loadings.bound(count) < whole.bound();
    optimum.proof.by_loadings = by_loadings || loadings.is_finished();
    if (pairs.bound() < optimum.bound) {
      optimum.bound = std::max(pairs.bound(), asked.target);
      optimum.proof.by_pairs = pairs.proof();
    }
    optimum.proof.relaxations =
        relaxations != nullptr && relaxations->has_begun() ? relaxations->certificate() : nullptr;
    optimum.support = loadings.value() > whole.value() ? loadings.support() : whole.support();
    optimum.others = loadings.supports();
    std::erase_if(optimum.others, [&](const Support& one) { return !is_inside(one); });
  }
  optimum.bound += shift;
  // A bound by loadings is a mean and may be below the worth of a support, so it cannot be a
  // target: the same search, for the same target, proves it. A proof by pairs is of its own target.
  optimum.proof.target = optimum.is_proven && !by_loadings && optimum.proof.by_pairs == nullptr
                             ? optimum.bound
                             : pricing.target;
  if (!is_inside(optimum.support)) {  // it holds variables outside, which are not identified
    optimum.support = start;
  }
  return optimum;
}

EnumeratedSupports SupportPricer::enumerate(const SupportPricing& pricing, Index k, Index count,
                                            std::size_t max_count, Budget& budget) {
  const std::function<bool()> keep_going = [&] { return !budget.is_time_up(); };
  const double added = outside_.most_added(pricing.prices, pricing.target, k);
  const double shift = static_cast<double>(k) * added;
  LoadingSearch search(matrix(), extended(pricing, added, k), k, strongest(), keep_going,
                       LoadingSearch::Wanted::kAll);
  const bool is_complete = search.enumerate(max_count);
  EnumeratedSupports enumerated{.target = pricing.target,
                                .others = pricing.target,
                                .bound = search.bound(count) + shift,
                                .is_complete = is_complete};
  std::set<Support> known;
  for (const PricedSupport& one : search.all()) {
    if (!is_inside(one.support)) {  // the variables outside are not identified
      enumerated.others = std::max(enumerated.others, one.net + shift);
    } else if (known.insert(one.support).second) {
      enumerated.supports.push_back(priced_support(matrix_, pricing.prices, one.support));
    }
  }
  return enumerated;
}

/// Runs until the relaxation of all variables is bounded.
void SupportPricer::bound_root(SearchByTurns& whole, Budget& budget) {
  const std::function<bool()> keep_going = [&] { return !budget.is_time_up(); };
  const auto has_begun = [&] {
    return whole.relaxations() != nullptr && whole.relaxations()->has_begun();
  };
  while (!whole.is_finished() && !has_begun() && keep_going()) {
    whole.advance(allowed_threads(), keep_going);
  }
}

double SupportPricer::check(const SupportPricing& pricing, const PricingProof& proof, Index k,
                            Index count, Budget& budget) {
  const std::function<bool()> keep_going = [&] { return budget.next(); };
  SupportPricing asked = pricing;
  asked.target = proof.target;
  // For any h in the proof, no support is worth more than h or the bound that follows.
  const double least = std::min(proof.least, proof.target);
  const double added = outside_.most_added(pricing.prices, least, k);
  asked = extended(asked, added, k);
  const double shift = static_cast<double>(k) * added;
  double bound = std::numeric_limits<double>::infinity();
  if (proof.relaxations != nullptr && std::ssize(proof.relaxations->support) == k &&
      factor(budget)) {
    bound = proof.relaxations->bound(*factor_, asked, keep_going);
  }
  const bool is_usable = std::ssize(proof.start) == k && k > 0 && proof.start.front() >= 0 &&
                         proof.start.back() < matrix().rows();
  if (proof.by_pairs != nullptr) {
    const double by_pairs = check_overlap_proof(
        matrix(), {k}, conditions_of(asked, k, matrix().rows()), *proof.by_pairs, budget);
    return std::min(bound, std::max(asked.target, by_pairs)) + shift;
  }
  if (!(bound > asked.target) || !is_usable || !keep_going()) {
    return bound + shift;
  }
  if (proof.by_loadings) {
    LoadingSearch loadings(matrix(), asked, k, strongest(), keep_going);
    loadings.begin();
    while (!loadings.is_finished() && keep_going()) {
      loadings.advance();
    }
    return std::min(bound, loadings.bound(count)) + shift;
  }
  SearchByTurns search(matrix(), factor_, proof.start, asked, keep_going);
  while (!search.is_finished() && !(search.value() >= bound) && keep_going()) {
    search.advance(allowed_threads(), keep_going);
  }
  return std::min(bound, search.bound()) + shift;
}

}  // namespace spca
