#include "spca/methods/pricing/loading_search.h"

#include <algorithm>

#include "spca/methods/relaxations/factored_covariance.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// At most this number of rounds that narrow limits: for all supports of a leader, and for a part of
// them.
constexpr int kLeaderRounds = 12;
constexpr int kPartRounds = 4;
// At most this number of families are divided by one advance().
constexpr int kDivisions = 4;
// Number of steps of a bisection.
constexpr int kBisections = 6;
// If a search takes long, its next aim is the value of the best support found plus this share of
// the gap to the bound. Near the end, relative to the first bound, it is that value itself again.
constexpr double kAimShare = 0.5;
constexpr double kNearEnd = 0.05;
// An aim is raised after this work, in multiplications, and each time after more by this factor.
constexpr double kFirstWork = 3e7;
constexpr double kWorkGrowth = 2;
// If the open families take more memory, those of smallest bound come first: they end soonest.
constexpr double kMostFamilyBytes = 5e8;

}  // namespace

double mean_of_largest(std::vector<double> bounds, double floor, Index count) {
  std::sort(bounds.begin(), bounds.end(), std::greater<>());
  bounds.resize(static_cast<std::size_t>(count), floor);
  double sum = 0;
  for (const double bound : bounds) {
    sum += std::max(bound, floor) - floor;
  }
  return floor + sum / static_cast<double>(count);
}

LoadingSearch::LoadingSearch(const Matrix& matrix, SupportPricing pricing, Index k,
                             StrongestEntries& strongest, std::function<bool()> keep_going,
                             Wanted wanted)
    : matrix_(matrix),
      pricing_(std::move(pricing)),
      k_(k),
      wanted_(wanted),
      keep_going_(std::move(keep_going)),
      bound_(matrix_, pricing_, k_, strongest) {}

/// An upper bound on the worth of the leader's supports.
double LoadingSearch::Leader::current() const {
  if (!is_searched) {
    return std::max(bound, found);
  }
  const double left = open.empty() ? aim : std::max(aim, open.largest_bound());
  return std::max(std::min(bound, left), found);
}

/// Stores the family if it stays open. A single support is evaluated.
void LoadingSearch::add_family(Leader& leader, LoadingFamily family, int times) {
  if (!bound_.reduce(family, leader.aim, times)) {
    return;
  }
  const Index chosen = std::ssize(family.chosen);
  if (chosen < k_ && chosen + std::ssize(family.candidates) > k_) {
    const double bound = family.bound;
    leader.open.push(std::make_unique<Node>(
        Node{.bound = bound, .aim = leader.aim, .family = std::move(family)}));
    return;
  }
  Support support(family.chosen.begin(), family.chosen.end());
  if (chosen < k_) {
    support.insert(support.end(), family.candidates.begin(), family.candidates.end());
  }
  std::sort(support.begin(), support.end());
  if (!pricing_.rules.allow(support)) {
    return;
  }
  update_best(leader, priced_support(matrix_, pricing_.prices, std::move(support)));
}

/// Stores a support of the leader that the rules allow.
void LoadingSearch::update_best(Leader& leader, PricedSupport one) {
  if (one.net > value_) {
    value_ = one.net;
    support_ = one.support;
  }
  if (!(one.net > pricing_.target)) {
    return;
  }
  PricedSupport& best = found_.try_emplace(leader.variable, one).first->second;
  if (one.net > best.net) {
    best = one;
  }
  if (wanted_ == Wanted::kAll) {
    all_.push_back(std::move(one));
  } else {
    leader.found = std::max(leader.found, one.net);
    leader.aim = std::max(leader.aim, leader.found);
  }
}

std::vector<Support> LoadingSearch::supports() const {
  std::vector<Support> supports;
  for (const auto& [leader, one] : found_) {
    supports.push_back(one.support);
  }
  return supports;
}

/// The least bound for which the leader's family is closed at once, approximately.
double LoadingSearch::bisected(Index leader, double bound) {
  double open = pricing_.target;
  double closed = bound;
  for (int step = 0; step < kBisections; ++step) {
    const double middle = (open + closed) / 2;
    LoadingFamily family = bound_.of_leader(leader);
    if (bound_.reduce(family, middle, kLeaderRounds)) {
      open = middle;
      closed = std::min(closed, family.bound);
    } else {
      closed = middle;
    }
  }
  return closed;
}

void LoadingSearch::begin() {
  for (Index variable = 0; variable < matrix_.rows(); ++variable) {
    if (!keep_going_()) {
      leaders_.clear();
      return;  // without a bound
    }
    LoadingFamily family = bound_.of_leader(variable);
    if (bound_.reduce(family, pricing_.target, kLeaderRounds)) {
      auto leader = std::make_unique<Leader>();
      leader->variable = variable;
      leader->bound = bisected(variable, family.bound);
      leader->root = leader->bound;
      leader->found = pricing_.target;
      leader->enough = kFirstWork;
      leaders_.push_back(std::move(leader));
    }
  }
  has_begun_ = true;
}

/// The unfinished leader of largest bound; null if there is none.
LoadingSearch::Leader* LoadingSearch::largest() const {
  Leader* best = nullptr;
  for (const auto& leader : leaders_) {
    if (!leader->is_finished() && (best == nullptr || leader->current() > best->current())) {
      best = leader.get();
    }
  }
  return best;
}

bool LoadingSearch::is_finished() const {
  if (!has_begun_) {
    return false;
  }
  const Leader* leader = largest();
  return leader == nullptr ||
         (wanted_ == Wanted::kBest && !(leader->current() > std::max(value_, pricing_.target)));
}

void LoadingSearch::begin_search(Leader& leader) {
  const double above = leader.bound - leader.found;
  const bool is_near = above < kNearEnd * (leader.root - pricing_.target);
  leader.is_searched = true;
  const bool is_direct = !leader.is_long || is_near || wanted_ == Wanted::kAll;
  leader.aim = is_direct ? leader.found : leader.found + kAimShare * above;
  leader.work = 0;
  add_family(leader, bound_.of_leader(leader.variable), kLeaderRounds);
}

bool LoadingSearch::is_crowded() const {
  const double node_bytes = 2.5 * sizeof(double) * static_cast<double>(matrix_.rows());
  std::size_t count = 0;
  for (const auto& leader : leaders_) {
    count += leader->open.size();
  }
  return static_cast<double>(count) * node_bytes > kMostFamilyBytes;
}

void LoadingSearch::divide(Leader& leader) {
  const auto node = is_crowded() ? leader.open.pop_smallest() : leader.open.pop_largest();
  LoadingFamily with = std::move(node->family);
  if (node->aim < leader.aim) {
    add_family(leader, std::move(with), kPartRounds);  // the family may be closed already
    return;
  }
  with.bound = node->bound;
  auto best = std::find(with.candidates.begin(), with.candidates.end(), with.lifting);
  if (best == with.candidates.end()) {
    best = std::max_element(with.candidates.begin(), with.candidates.end(), [&](int a, int b) {
      return bound_.worth(with, a) < bound_.worth(with, b);
    });
  }
  const int variable = *best;
  with.candidates.erase(best);
  LoadingFamily without = with;
  with.chosen.push_back(variable);
  add_family(leader, std::move(with), kPartRounds);
  add_family(leader, std::move(without), kPartRounds);
}

/// Open families remain valid for a higher aim. A search with a lower aim starts again.
void LoadingSearch::end_or_raise(Leader& leader) {
  if (leader.open.empty() || leader.is_finished()) {
    leader.bound = leader.current();
    leader.is_searched = false;
    leader.open.clear();
  } else if (leader.work > leader.enough) {
    leader.aim = (leader.aim + leader.current()) / 2;
    leader.is_long = true;
    leader.work = 0;
    leader.enough *= kWorkGrowth;
  }
}

void LoadingSearch::advance() {
  Leader& leader = *largest();
  const double before = bound_.work();
  if (!leader.is_searched) {
    begin_search(leader);
  }
  for (int division = 0;
       division < kDivisions && !leader.open.empty() && !is_finished() && keep_going_();
       ++division) {
    divide(leader);
  }
  leader.work += bound_.work() - before;
  end_or_raise(leader);
}

double LoadingSearch::bound(Index count) const {
  if (!has_begun_) {
    return std::numeric_limits<double>::infinity();
  }
  std::vector<double> bounds;
  for (const auto& leader : leaders_) {
    const auto best = found_.find(leader->variable);
    const double current = leader->current();
    bounds.push_back(best == found_.end() ? current : std::max(current, best->second.net));
  }
  return mean_of_largest(std::move(bounds), pricing_.target, count);
}

}  // namespace spca
