#include "spca/methods/pricing/loading_search.h"

#include <algorithm>
#include <atomic>

#include "spca/base/parallel.h"
#include "spca/methods/relaxations/factored_covariance.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// At most this number of rounds that narrow limits: for all supports of a leader, and for a part of
// them.
constexpr int kLeaderRounds = 12;
constexpr int kPartRounds = 4;
// One advance() divides at most this number of families, of at most this number of leaders.
constexpr std::size_t kFamiliesAtOnce = 16;
constexpr std::size_t kLeadersAtOnce = 4;
// begin() asks for the time after this number of leaders.
constexpr Index kFirstLeadersAtOnce = 16;
// Number of steps of a bisection.
constexpr int kBisections = 6;
// If a search takes long, its next aim is the value of the best support found plus this share of
// the gap to the bound. Near the end, relative to the first bound, it is that value itself again.
constexpr double kAimShare = 0.5;
constexpr double kNearEnd = 0.05;
// An aim is raised after this work, in multiplications, and each time after more by this factor.
constexpr double kFirstWork = 3e7;
constexpr double kWorkGrowth = 2;
// An enumeration that takes more work is abandoned.
constexpr double kMostEnumeration = 1.5e10;
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
                             const StrongestEntries& strongest, std::function<bool()> keep_going,
                             Wanted wanted)
    : matrix_(matrix),
      pricing_(std::move(pricing)),
      k_(k),
      wanted_(wanted),
      keep_going_(std::move(keep_going)),
      bounds_(static_cast<std::size_t>(std::max(1, allowed_threads())),
              LoadingBound(matrix_, pricing_, k_, strongest)) {}

double LoadingSearch::work() const {
  double work = 0;
  for (const LoadingBound& bound : bounds_) {
    work += bound.work();
  }
  return work;
}

/// Calls work(i, bound) for i = 0 ... count - 1 on several threads, each with a bound of its own.
void LoadingSearch::share(std::size_t count,
                          const std::function<void(std::size_t, LoadingBound&)>& work) {
  std::atomic<std::size_t> next = 0;
  const std::size_t threads = std::min(bounds_.size(), count);
  parallel_for(threads, static_cast<int>(threads), [&](std::size_t thread) {
    for (std::size_t i = next++; i < count; i = next++) {
      work(i, bounds_[thread]);
    }
  });
}

/// An upper bound on the worth of the leader's supports.
double LoadingSearch::Leader::current() const {
  if (!is_searched) {
    return std::max(bound, found);
  }
  const double left = open.empty() ? aim : std::max(aim, open.largest_bound());
  return std::max(std::min(bound, left), found);
}

/// Keeps the family if it stays open. A single support is evaluated.
void LoadingSearch::add_family(Task& task, LoadingFamily family, int times,
                               LoadingBound& bound) const {
  if (!bound.reduce(family, task.aim, times)) {
    return;
  }
  const Index chosen = std::ssize(family.chosen);
  if (chosen < k_ && chosen + std::ssize(family.candidates) > k_) {
    task.open.push_back(std::move(family));
    return;
  }
  Support support(family.chosen.begin(), family.chosen.end());
  if (chosen < k_) {
    support.insert(support.end(), family.candidates.begin(), family.candidates.end());
  }
  std::sort(support.begin(), support.end());
  if (pricing_.rules.allow(support)) {
    task.found.push_back(priced_support(matrix_, pricing_.prices, std::move(support)));
  }
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
  if (!leader.best || one.net > leader.best->net) {
    leader.best = one;
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
  for (const auto& leader : leaders_) {
    if (leader->best) {
      supports.push_back(leader->best->support);
    }
  }
  return supports;
}

/// The least bound for which the leader's family is closed at once, approximately. `root`: a bound.
double LoadingSearch::bisected(Index leader, double root, LoadingBound& bound) const {
  double open = pricing_.target;
  double closed = root;
  for (int step = 0; step < kBisections; ++step) {
    const double middle = (open + closed) / 2;
    LoadingFamily family = bound.of_leader(leader);
    if (bound.reduce(family, middle, kLeaderRounds)) {
      open = middle;
      closed = std::min(closed, family.bound);
    } else {
      closed = middle;
    }
  }
  return closed;
}

/// Returns the leader with its first bound; null if it is closed for the target at once.
std::unique_ptr<LoadingSearch::Leader> LoadingSearch::first_leader(Index variable,
                                                                   LoadingBound& bound) const {
  LoadingFamily family = bound.of_leader(variable);
  if (!bound.reduce(family, pricing_.target, kLeaderRounds)) {
    return nullptr;
  }
  auto leader = std::make_unique<Leader>();
  leader->variable = variable;
  leader->bound = bisected(variable, family.bound, bound);
  leader->root = leader->bound;
  leader->found = pricing_.target;
  leader->enough = kFirstWork;
  return leader;
}

void LoadingSearch::begin() {
  const Index p = matrix_.rows();
  for (Index first = 0; first < p; first += kFirstLeadersAtOnce) {
    if (!keep_going_()) {
      leaders_.clear();
      return;  // without a bound
    }
    std::vector<std::unique_ptr<Leader>> some(
        static_cast<std::size_t>(std::min(kFirstLeadersAtOnce, p - first)));
    share(some.size(), [&](std::size_t i, LoadingBound& bound) {
      some[i] = first_leader(first + static_cast<Index>(i), bound);
    });
    for (auto& leader : some) {
      if (leader != nullptr) {
        leaders_.push_back(std::move(leader));
      }
    }
  }
  has_begun_ = true;
}

/// At most `count` leaders whose supports may be worth more than those found, in descending order
/// of bound.
std::vector<LoadingSearch::Leader*> LoadingSearch::largest(std::size_t count) const {
  const double least = wanted_ == Wanted::kBest ? std::max(value_, pricing_.target)
                                                : -std::numeric_limits<double>::infinity();
  std::vector<Leader*> open;
  for (const auto& leader : leaders_) {
    if (!leader->is_finished() && leader->current() > least) {
      open.push_back(leader.get());
    }
  }
  std::stable_sort(open.begin(), open.end(),
                   [](const Leader* a, const Leader* b) { return a->current() > b->current(); });
  open.resize(std::min(open.size(), count));
  return open;
}

bool LoadingSearch::is_finished() const { return has_begun_ && largest(1).empty(); }

void LoadingSearch::begin_search(Leader& leader) {
  const double above = leader.bound - leader.found;
  const bool is_near = above < kNearEnd * (leader.root - pricing_.target);
  leader.is_searched = true;
  const bool is_direct = !leader.is_long || is_near || wanted_ == Wanted::kAll;
  leader.aim = is_direct ? leader.found : leader.found + kAimShare * above;
  leader.work = 0;
}

bool LoadingSearch::is_crowded() const {
  const double node_bytes = 2.5 * sizeof(double) * static_cast<double>(matrix_.rows());
  std::size_t count = 0;
  for (const auto& leader : leaders_) {
    count += leader->open.size();
  }
  return static_cast<double>(count) * node_bytes > kMostFamilyBytes;
}

/// Divides the family by a candidate, or reduces it again if the aim has risen.
void LoadingSearch::divide(Task& task, LoadingBound& bound) const {
  const double before = bound.work();
  if (task.node == nullptr) {
    add_family(task, bound.of_leader(task.leader->variable), kLeaderRounds, bound);
  } else if (task.node->aim < task.aim) {
    add_family(task, std::move(task.node->family), kPartRounds, bound);
  } else {
    LoadingFamily with = std::move(task.node->family);
    with.bound = task.node->bound;
    auto best = std::find(with.candidates.begin(), with.candidates.end(), with.lifting);
    if (best == with.candidates.end()) {
      best = std::max_element(with.candidates.begin(), with.candidates.end(), [&](int a, int b) {
        return bound.worth(with, a) < bound.worth(with, b);
      });
    }
    const int variable = *best;
    with.candidates.erase(best);
    LoadingFamily without = with;
    with.chosen.push_back(variable);
    add_family(task, std::move(with), kPartRounds, bound);
    add_family(task, std::move(without), kPartRounds, bound);
  }
  task.work = bound.work() - before;
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
  const std::vector<Leader*> leaders = largest(kLeadersAtOnce);
  const bool are_crowded = is_crowded();
  std::vector<Task> tasks;
  for (Leader* leader : leaders) {
    if (!leader->is_searched) {
      begin_search(*leader);
      tasks.push_back({.leader = leader, .aim = leader->aim});
    }
    for (std::size_t i = 0; i < kFamiliesAtOnce / leaders.size() && !leader->open.empty(); ++i) {
      tasks.push_back(
          {.leader = leader,
           .aim = leader->aim,
           .node = are_crowded ? leader->open.pop_smallest() : leader->open.pop_largest()});
    }
  }
  share(tasks.size(), [&](std::size_t i, LoadingBound& bound) { divide(tasks[i], bound); });
  for (Task& task : tasks) {
    task.leader->work += task.work;
    for (LoadingFamily& family : task.open) {
      const double bound = family.bound;
      task.leader->open.push(std::make_unique<Node>(
          Node{.bound = bound, .aim = task.aim, .family = std::move(family)}));
    }
    for (PricedSupport& one : task.found) {
      update_best(*task.leader, std::move(one));
    }
  }
  for (Leader* leader : leaders) {
    end_or_raise(*leader);
  }
}

bool LoadingSearch::enumerate(std::size_t most) {
  begin();
  while (!is_finished() && all_.size() <= most && work() < kMostEnumeration && keep_going_()) {
    advance();
  }
  return is_finished() && all_.size() <= most;
}

double LoadingSearch::bound(Index count) const {
  if (!has_begun_) {
    return std::numeric_limits<double>::infinity();
  }
  std::vector<double> bounds;
  for (const auto& leader : leaders_) {
    const double current = leader->current();
    bounds.push_back(leader->best ? std::max(current, leader->best->net) : current);
  }
  return mean_of_largest(std::move(bounds), pricing_.target, count);
}

}  // namespace spca
