#include "spca/methods/packing/loading_search.h"

#include <algorithm>

#include "spca/methods/bounds/factored_covariance.h"

namespace spca {
namespace {

// How often limits are narrowed: of all supports of a leader, and of a part of them.
constexpr int kLeaderTimes = 12;
constexpr int kPartTimes = 4;
// Families that one advance() divides.
constexpr int kDivisions = 4;
// If the open families take more, those of smallest bound come first: they end soonest.
constexpr double kMostOpenBytes = 5e8;

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
                             StrongestEntries& strongest, std::function<bool()> keep_going)
    : matrix_(matrix),
      pricing_(std::move(pricing)),
      k_(k),
      keep_going_(std::move(keep_going)),
      bound_(matrix_, pricing_, k_, strongest) {}

/// Keeps what is open of a family. A single support is looked at.
void LoadingSearch::take(LoadingFamily family, int times) {
  if (!bound_.reduce(family, pricing_.target, times)) {
    return;
  }
  const Index chosen = std::ssize(family.chosen);
  if (chosen < k_ && chosen + std::ssize(family.candidates) > k_) {
    const double bound = family.bound;
    open_.push(std::make_unique<Node>(Node{.bound = bound, .family = std::move(family)}));
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
  PricedSupport one = priced_support(matrix_, pricing_.prices, std::move(support));
  if (one.net > value_) {
    value_ = one.net;
    support_ = one.support;
  }
  if (one.net > pricing_.target) {
    PricedSupport& best = found_.try_emplace(family.leader(), one).first->second;
    if (one.net > best.net) {
      best = std::move(one);
    }
  }
}

std::vector<Support> LoadingSearch::supports() const {
  std::vector<Support> supports;
  for (const auto& [leader, one] : found_) {
    supports.push_back(one.support);
  }
  return supports;
}

void LoadingSearch::begin() {
  for (Index leader = 0; leader < matrix_.rows(); ++leader) {
    if (!keep_going_()) {
      return;  // it bounds nothing
    }
    take(bound_.of_leader(leader), kLeaderTimes);
  }
  has_begun_ = true;
}

void LoadingSearch::advance() {
  const double node_bytes = 2.5 * sizeof(double) * static_cast<double>(matrix_.rows());
  for (int division = 0; division < kDivisions && !is_finished() && keep_going_(); ++division) {
    const bool is_crowded = static_cast<double>(open_.size()) * node_bytes > kMostOpenBytes;
    const auto node = is_crowded ? open_.pop_smallest() : open_.pop_largest();
    LoadingFamily with = std::move(node->family);
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
    take(std::move(with), kPartTimes);
    take(std::move(without), kPartTimes);
  }
}

double LoadingSearch::bound(Index count) const {
  if (!has_begun_) {
    return std::numeric_limits<double>::infinity();
  }
  std::map<int, double> of_leader;
  for (const auto& [leader, one] : found_) {
    of_leader[leader] = one.net;
  }
  open_.for_each([&](const Node& node) {
    double& largest = of_leader.try_emplace(node.family.leader(), node.bound).first->second;
    largest = std::max(largest, node.bound);
  });
  std::vector<double> bounds;
  for (const auto& [leader, bound] : of_leader) {
    bounds.push_back(bound);
  }
  return mean_of_largest(std::move(bounds), pricing_.target, count);
}

}  // namespace spca
