#include "spca/methods/packing/column_generation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/packing/violated_rows.h"

namespace spca {
namespace {

// The limits of effort below without a source were chosen by trial, not measured.

// At most this number of supports of one cardinality join the program at a time.
constexpr std::size_t kMostJoiningProgram = 40;
// If the first ascents find no support to join, at most kMostStarts known supports start ascents,
// and at most kMostExchanged found supports start exchanges. Both take much less time than the
// pricing search (bench/notes/2026-11-23-branch-price.md, "the 1000 dearest supports").
constexpr std::ptrdiff_t kMostStarts = 1000;
constexpr std::size_t kMostExchanged = 300;
// Number of optimal vertices whose prices are averaged; more if the ascents find nothing, because a
// core or a proof follows: bench/notes/2026-11-23-branch-price.md, "64 optimal ones instead of 12".
constexpr int kFewCorners = 12;
constexpr int kManyCorners = 64;
// The position of the stabilised prices between the program's (0) and the best ones (1).
constexpr double kCentreShare = 0.5;
// The bound at the best prices is first computed after this number of programs, and then whenever
// the number of programs has doubled.
constexpr Index kFirstBound = 4;
// A support is worth more than its prices if the excess is above this share of the largest
// eigenvalue.
constexpr double kSmallestExcessWorth = 1e-10;
// The share of the accuracy by which supports may exceed their prices.
constexpr double kSlackOfAccuracy = 0.5;
// At most kMostRowsAdded rows are added at a time. Rows are added until the program's value has not
// fallen by the share kGainOfRows in more than kMostStalls rounds in a row: several optima may have
// the same value.
constexpr std::size_t kMostRowsAdded = 20;
constexpr double kGainOfRows = 1e-5;
constexpr int kMostStalls = 5;
// Supports are enumerated down to a depth below the program's prices: a multiple, kFirstDepth to
// kMostDepth, of the gap between the program's value and the best known one, if that gap is at most
// kMostGap of the value. If a complete enumeration leaves the bound open, the next is deeper by at
// least the factor kDepthGrowth; an incomplete one is the last. The first depth was measured on
// colon500: bench/notes/2026-11-23-branch-price.md.
constexpr double kMostGap = 0.01;
constexpr double kFirstDepth = 1.75;
constexpr double kMostDepth = 16;
constexpr double kDepthGrowth = 1.5;

double largest_eigenvalue(const Matrix& matrix) {
  return symmetric_eigenvalues(matrix)[matrix.rows() - 1];
}

}  // namespace

DisjointProblem::DisjointProblem(const Matrix& matrix, const std::vector<Index>& cardinality,
                                 double accuracy, const OutsideVariables& outside)
    : cardinality_(cardinality),
      counts_(counts_of(cardinality)),
      accuracy_(accuracy),
      scale_(power_of_two_from(largest_eigenvalue(matrix))),
      matrix_(matrix / scale_),
      search_(matrix_, cardinality),
      pricer_(matrix_, outside.over(scale_),
              *std::max_element(cardinality.begin(), cardinality.end())) {}

bool DisjointProblem::add(const Support& support, double worth) {
  if (!known_.insert(support).second) {
    return false;
  }
  columns_.push_back({.support = support, .worth = worth});
  return true;
}

void DisjointProblem::store(const Support& support) {
  add(support, largest_eigenvalue(principal_submatrix(matrix_, support)));
}

std::vector<Support> DisjointProblem::stored() const {
  std::vector<Support> supports;
  for (const Column& column : columns_) {
    supports.push_back(column.support);
  }
  return supports;
}

bool DisjointProblem::is_closed(double bound) const {
  return bound <= value() * (1 + accuracy_) + kSmallestExcessWorth;
}

double DisjointProblem::slack() const {
  const auto count = static_cast<double>(cardinality_.size());
  return std::max(kSlackOfAccuracy * accuracy_ * value() / count, kPricingRounding);
}

void DisjointProblem::improve(const std::vector<Support>& supports) {
  if (supports.size() != cardinality_.size()) {
    return;
  }
  JointSupports state = search_.evaluate(supports);
  search_.ascend(state);
  search_.exchange(state);
  for (const Support& support : state.supports) {
    store(support);
  }
  if (best_.supports.empty() || state.total() > best_.total()) {
    best_ = std::move(state);
  }
}

void DisjointProblem::round_off(const std::vector<PackingProgram::Taken>& taken) {
  std::vector<Support> supports(cardinality_.size());
  std::vector<char> is_used(static_cast<std::size_t>(matrix_.rows()), 0);
  for (const PackingProgram::Taken& one : taken) {
    const bool fits = std::none_of(one.support.begin(), one.support.end(), [&](Index i) {
      return is_used[static_cast<std::size_t>(i)] != 0;
    });
    std::size_t position = 0;  // the first of this cardinality that is free
    while (position < supports.size() &&
           (!supports[position].empty() || cardinality_[position] != std::ssize(one.support))) {
      ++position;
    }
    if (fits && position < supports.size()) {
      supports[position] = one.support;
      for (const Index i : one.support) {
        is_used[static_cast<std::size_t>(i)] = 1;
      }
    }
  }
  // The remaining places take the remaining variables, in their order.
  Index next = 0;
  for (std::size_t j = 0; j < supports.size(); ++j) {
    for (; std::ssize(supports[j]) < cardinality_[j]; ++next) {
      if (is_used[static_cast<std::size_t>(next)] == 0) {
        supports[j].push_back(next);
      }
    }
  }
  improve(supports);
}

ColumnGeneration::ColumnGeneration(DisjointProblem& problem, PairRules rules,
                                   const std::vector<SubsetRow>& rows, Budget& budget)
    : problem_(problem),
      rules_(std::move(rules)),
      budget_(budget),
      program_(problem.matrix().rows(), problem.counts()),
      next_bound_(kFirstBound),
      depth_(kFirstDepth) {
  proof_.prices = Vector();
  for (const SubsetRow& row : rows) {
    program_.add(row);
  }
}

std::vector<SubsetRow> ColumnGeneration::rows() const {
  std::vector<SubsetRow> rows;
  for (const SubsetCharge& one : program_.charges()) {
    rows.push_back(one.row);
  }
  return rows;
}

/// The known supports that are worth most beyond the prices.
std::vector<Support> ColumnGeneration::dearest(const Vector& prices) const {
  std::vector<std::pair<double, std::size_t>> nets;
  for (std::size_t t = 0; t < problem_.columns().size(); ++t) {
    const DisjointProblem::Column& column = problem_.columns()[t];
    nets.emplace_back(column.worth - prices(column.support).sum(), t);
  }
  const auto count = std::min(kMostStarts, std::ssize(nets));
  std::partial_sort(nets.begin(), nets.begin() + count, nets.end(), std::greater<>());
  std::vector<Support> supports;
  for (std::ptrdiff_t position = 0; position < count; ++position) {
    supports.push_back(problem_.columns()[nets[static_cast<std::size_t>(position)].second].support);
  }
  return supports;
}

ColumnGeneration::Found ColumnGeneration::seek(const Vector& prices, Effort effort) const {
  Found found;
  PricedEffort limits;
  std::vector<Support> starts = problem_.supports();
  if (effort == Effort::kThorough) {
    limits = {.columns = problem_.matrix().rows(), .exchanged = kMostExchanged};
    starts = dearest(prices);
  }
  for (const PackingProgram::Taken& taken : program_.taken()) {
    starts.push_back(taken.support);
  }
  for (const auto& [k, count] : problem_.counts()) {
    found[k] = priced_supports(
        problem_.matrix(), prices, k, starts, kMostJoiningProgram, [this] { return has_time(); },
        limits);
    std::erase_if(found[k], [&](const PricedSupport& one) { return !rules_.allow(one.support); });
  }
  return found;
}

/// Adds a support if it is worth more than the program's prices. Returns whether the program has
/// grown.
bool ColumnGeneration::join(const Support& support, double worth) {
  const double net = worth - program_.prices()(support).sum() -
                     program_.share(std::ssize(support)) - charge_for(program_.charges(), support);
  if (!(net > kSmallestExcessWorth)) {
    return false;
  }
  problem_.add(support, worth);
  return program_.add(support, worth);
}

bool ColumnGeneration::join(const Found& found) {
  bool has_grown = false;
  for (const auto& [k, supports] : found) {
    for (const PricedSupport& one : supports) {
      has_grown = join(one.support, one.worth) || has_grown;
    }
  }
  return has_grown;
}

/// Sets the centre: the prices where L, (1) of disjoint_bound.h, is least by the estimate of the
/// ascents. If there are rows, there is no centre.
void ColumnGeneration::update_centre(const Vector& prices, const Found& found) {
  if (!program_.charges().empty()) {
    return;
  }
  double value = prices.sum();
  for (const auto& [k, count] : problem_.counts()) {
    const double net = found.at(k).empty() ? 0 : found.at(k).front().net;
    value += static_cast<double>(count) * std::max(0.0, net);
  }
  if (value < centre_value_) {
    centre_value_ = value;
    centre_ = prices;
    centre_found_.clear();
    for (const auto& [k, supports] : found) {
      if (!supports.empty()) {
        centre_found_[k] = supports.front();
      }
    }
  }
}

/// The support from which a search for k variables starts. If the rules allow none of those found,
/// any support will do.
Support ColumnGeneration::start_of(const Found& found, Index k) const {
  if (!found.at(k).empty()) {
    return found.at(k).front().support;
  }
  return all_variables(k);
}

/// Adds the supports that a search found. Returns whether the program has grown.
bool ColumnGeneration::add_supports(Index k, const std::vector<Support>& found) {
  bool has_grown = false;
  for (const Support& support : found) {
    has_grown =
        (std::ssize(support) == k && rules_.allow(support) &&
         join(support, largest_eigenvalue(principal_submatrix(problem_.matrix(), support)))) ||
        has_grown;
  }
  return has_grown;
}

void ColumnGeneration::update_bound(double bound, DisjointProof::Node proof) {
  if (bound < bound_) {
    bound_ = bound;
    proof_ = std::move(proof);
    if (rules_.empty()) {
      const double value = problem_.value() * problem_.scale();
      budget_.add_bound(std::max(bound * problem_.scale(), value), value);
    }
  }
}

/// Bounds the supports at the program's prices.
ColumnGeneration::Proof ColumnGeneration::prove(const Found& found) {
  const Vector prices = program_.prices();
  DisjointProof::Node proof{.prices = prices, .charges = program_.charges()};
  double bound = prices.sum() + most_charged(proof.charges);
  bool has_grown = false;
  bool is_proven = true;
  for (const auto& [k, count] : problem_.counts()) {
    const SupportPricing pricing{
        .prices = prices, .target = program_.share(k) + problem_.slack(), .rules = rules_};
    ChargedOptimum optimum = maximise_charged(problem_.pricer(), problem_.matrix(), pricing,
                                              proof.charges, start_of(found, k), count, budget_);
    ++proofs_;
    bound += static_cast<double>(count) * (std::max(0.0, optimum.bound) + kPricingRounding);
    is_proven = is_proven && optimum.is_proven;
    has_grown = add_supports(k, optimum.found) || has_grown;
    proof.pricing[k] = std::move(optimum.division);
  }
  update_bound(bound, std::move(proof));
  return has_grown ? Proof::kGrown : (is_proven ? Proof::kProven : Proof::kUnfinished);
}

/// Computes a bound at the centre, long before the program is solved. Supports that the searches of
/// the pricer find are not added; prove() does that.
void ColumnGeneration::bound_at_centre() {
  DisjointProof::Node proof{.prices = centre_};
  double bound = centre_.sum();
  for (const auto& [k, count] : problem_.counts()) {
    const auto known = centre_found_.find(k);
    if (known == centre_found_.end()) {
      return;
    }
    const SupportPricing pricing{.prices = centre_,
                                 .target = std::max(0.0, known->second.net) + problem_.slack(),
                                 .rules = rules_};
    PricedOptimum optimum = problem_.pricer().bound(pricing, known->second.support, count, budget_);
    bound += static_cast<double>(count) * (std::max(0.0, optimum.bound) + kPricingRounding);
    proof.pricing[k].parts = {{.proof = std::move(optimum.proof)}};
  }
  update_bound(bound, std::move(proof));
}

/// Adds rows that the optimum violates. Returns false if there are none, or if more than
/// kMostStalls rounds in a row have improved little.
bool ColumnGeneration::cut_off() {
  const bool is_stalled = !(program_.value() < (1 - kGainOfRows) * value_at_cut_);
  stalls_ = is_stalled ? stalls_ + 1 : 0;
  if (stalls_ > kMostStalls) {
    return false;
  }
  value_at_cut_ = program_.value();
  bool is_cut = false;
  for (const SubsetRow& row : violated_rows(program_.taken(), kMostRowsAdded)) {
    is_cut = program_.add(row) || is_cut;
  }
  centre_.resize(0);
  return is_cut;
}

/// Ends the proof by enumeration if the value of the program, with fractional supports, is only a
/// little above the best disjoint supports. Returns whether the enumeration was complete.
bool ColumnGeneration::enumerate() {
  const double gap = program_.value() - problem_.value();
  if (depth_ > kMostDepth || !(gap > kSmallestExcessWorth) || gap > kMostGap * program_.value() ||
      !program_.charges().empty()) {
    return false;
  }
  const EnumeratedProblem problem = enumerate(depth_ * gap);
  DisjointProof::Node proof{.prices = problem.prices};
  double bound = problem.prices.sum();
  bool is_complete = true;
  for (const auto& [k, enumerated] : problem.supports) {
    proof.enumerated[k] = enumerated.target;
    bound += static_cast<double>(problem.counts.at(k)) * (enumerated.bound + kPricingRounding);
    is_complete = is_complete && enumerated.is_complete;
    for (const PricedSupport& one : enumerated.supports) {
      join(one.support, one.worth);
    }
  }
  if (is_complete) {
    const EnumeratedOptimum optimum =
        solve_enumerated(problem, problem_.value(), [this] { return has_time(); });
    add_supports(optimum);
    bound = std::min(bound, optimum.bound());
    depth_ = std::max(kDepthGrowth * depth_,
                      depth_ + kDepthGrowth * (optimum.beyond - problem_.value()) / gap);
  } else {
    depth_ = 2 * kMostDepth;  // a further enumeration would take too long
  }
  update_bound(bound, std::move(proof));
  return is_complete;
}

/// The problem of the supports whose worth is below the program's prices by at most `depth`.
EnumeratedProblem ColumnGeneration::enumerate(double depth) {
  EnumeratedProblem problem{.prices = program_.prices(),
                            .rules = rules_,
                            .counts = problem_.counts(),
                            .rounding = kPricingRounding};
  for (const auto& [k, count] : problem_.counts()) {
    const SupportPricing pricing{.prices = problem.prices,
                                 .target = std::max(0.0, program_.share(k) - depth),
                                 .rules = rules_};
    problem.supports[k] = problem_.pricer().enumerate(pricing, k, count, kMostEnumerated, budget_);
    ++proofs_;
  }
  return problem;
}

void ColumnGeneration::add_supports(const EnumeratedOptimum& optimum) {
  if (optimum.value > problem_.value()) {
    std::vector<PackingProgram::Taken> taken;
    for (const Support& support : optimum.supports) {
      taken.push_back({.support = support});
    }
    problem_.round_off(taken);
  }
}

/// Solves the program and searches for supports that are worth more than its prices. Returns the
/// last ones found, or nothing if the program or the best disjoint supports have changed. With
/// thorough effort it also computes bounds and starts ascents from more points.
std::optional<ColumnGeneration::Found> ColumnGeneration::step(Effort effort) {
  for (; entered_ < problem_.columns().size(); ++entered_) {
    const DisjointProblem::Column& column = problem_.columns()[entered_];
    if (rules_.allow(column.support)) {
      program_.add(column.support, column.worth);
    }
  }
  program_.solve();
  ++programs_;
  program_.centre_prices(kFewCorners);
  if (effort == Effort::kThorough && programs_ >= next_bound_ && centre_.size() > 0) {
    bound_at_centre();
    next_bound_ *= 2;
  }
  const double before = problem_.value();
  if (program_.value() > before + kSmallestExcessWorth) {
    problem_.round_off(program_.taken());
  }
  if (centre_.size() > 0) {
    const Vector between = kCentreShare * centre_ + (1 - kCentreShare) * program_.prices();
    const Found near = seek(between);
    update_centre(between, near);
    if (join(near)) {
      return std::nullopt;
    }
  }
  Found found = seek(program_.prices());
  update_centre(program_.prices(), found);
  if (join(found) || problem_.value() > before) {
    return std::nullopt;
  }
  program_.centre_prices(kManyCorners);
  found = seek(program_.prices(), effort);
  update_centre(program_.prices(), found);
  if (join(found)) {
    return std::nullopt;
  }
  return found;
}

void ColumnGeneration::find_prices() {
  while (budget_.next(problem_.value() * problem_.scale()) && !step(Effort::kQuick)) {
  }
}

void ColumnGeneration::run() {
  while (budget_.next(problem_.value() * problem_.scale()) && !is_closed()) {
    const std::optional<Found> found = step(Effort::kThorough);
    if (!found || enumerate()) {
      continue;
    }
    const Proof proof = prove(*found);
    if (proof == Proof::kProven && !is_closed() && cut_off()) {
      continue;
    }
    if (proof != Proof::kGrown) {
      // If it is unfinished, either the budget is over, or the search has found a support that the
      // program holds already and regards as worth no more than its prices after rounding.
      is_complete_ = proof == Proof::kProven;
      break;
    }
  }
}

}  // namespace spca
