#pragma once

/// Maximises lambda_max(S_II) less the prices of I, by branch and bound on loading_bound.h.
///
/// The supports are divided by their leaders. The larger the worth that a support must exceed, the
/// narrower are the limits of its loadings, and the sooner a family is closed. So the bound of a
/// leader falls in steps. First, bisection finds the least bound for which the leader is closed at
/// once. Then a search looks for supports that are worth more than an aim, at first the target or
/// the best support found: an open family is divided by the candidate that may lift lambda most,
/// into the supports that hold it and those that do not. If a search takes long, its aim is raised.
/// If no family is left open, the aim is the bound, and the next search has a lower aim. The leader
/// of largest bound comes first, and of its families the one of largest bound or, if the open
/// families take too much memory, of smallest bound. A few leaders and families are taken together
/// and shared among allowed_threads(). How many does not depend on the threads, so the answers do
/// not either. Only the end of the search depends on the clock.
///
/// Source  this project

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "spca/methods/ascent/priced_supports.h"
#include "spca/methods/bounds/open_nodes.h"
#include "spca/methods/pricing/loading_bound.h"

namespace spca {

class LoadingSearch {
 public:
  enum class Wanted { kBest, kAll };  // the supports that exceed the target

  /// `matrix`: S, p x p, positive semidefinite. `pricing` has p prices and a target; 1 <= k <= p.
  /// `keep_going` is called now and then; false stops the search. `strongest`: the entries of S.
  /// `matrix` and `strongest` must outlive the object.
  LoadingSearch(const Matrix& matrix, SupportPricing pricing, Index k,
                const StrongestEntries& strongest, std::function<bool()> keep_going,
                Wanted wanted = Wanted::kBest);
  LoadingSearch(const LoadingSearch&) = delete;
  LoadingSearch& operator=(const LoadingSearch&) = delete;

  /// Bounds the supports of each leader; if `keep_going` returns false meanwhile, there is no
  /// bound.
  void begin();
  /// Returns true if no support exceeds the target, or the best support found is an optimum.
  bool is_finished() const;
  /// Divides a few families. Only after begin(), and if not finished.
  void advance();
  /// With Wanted::kAll: finds all supports that exceed the target. Returns false if they are more
  /// than `most`, if it takes too much work, or if `keep_going` returns false.
  bool enumerate(std::size_t most);

  /// An upper bound on the mean worth of `count` disjoint supports, if each is worth at least the
  /// target: they have different leaders, so the `count` largest bounds of leaders count. It
  /// never rises.
  double bound(Index count) const;
  /// The best support found, k variables (empty: none), and its worth.
  const Support& support() const { return support_; }
  double value() const { return value_; }
  /// The best support of each leader, among the supports found that exceed the target.
  std::vector<Support> supports() const;
  /// The supports found so far that exceed the target, unordered and perhaps twice; all of them if
  /// the search is finished. Empty unless Wanted::kAll.
  const std::vector<PricedSupport>& all() const { return all_; }
  /// Number of multiplications so far, roughly.
  double work() const;

 private:
  struct Node {
    double bound = 0;
    double aim = 0;  // the aim for which the family was reduced
    LoadingFamily family;
  };
  /// The supports of one leader.
  struct Leader {
    Index variable = 0;
    double bound = 0;      // from the finished searches
    double root = 0;       // the first bound
    double found = 0;      // kBest: the largest worth found, or the target; kAll: the target
    bool is_long = false;  // an aim was raised
    bool is_searched = false;
    double aim = 0;        // of the current search, for supports worth more than this
    OpenNodes<Node> open;  // its open families
    double work = 0;       // since the aim was set
    double enough = 0;     // the work after which the aim is raised
    std::optional<PricedSupport> best = {};  // of the supports found that exceed the target

    double current() const;
    /// Returns true if no support may be worth more than those found.
    bool is_finished() const { return !(current() > found); }
  };
  /// A family of a leader, and what becomes of it.
  struct Task {
    Leader* leader = nullptr;
    double aim = 0;
    std::unique_ptr<Node> node = nullptr;  // null: all supports of the leader
    std::vector<LoadingFamily> open = {};
    std::vector<PricedSupport> found = {};
    double work = 0;
  };
  double bisected(Index leader, double root, LoadingBound& bound) const;
  std::unique_ptr<Leader> first_leader(Index variable, LoadingBound& bound) const;
  void add_family(Task& task, LoadingFamily family, int times, LoadingBound& bound) const;
  void divide(Task& task, LoadingBound& bound) const;
  void share(std::size_t count, const std::function<void(std::size_t, LoadingBound&)>& work);
  void update_best(Leader& leader, PricedSupport one);
  void begin_search(Leader& leader);
  void end_or_raise(Leader& leader);
  std::vector<Leader*> largest(std::size_t count) const;
  bool is_crowded() const;

  const Matrix& matrix_;
  SupportPricing pricing_;
  Index k_;
  Wanted wanted_;
  std::function<bool()> keep_going_;
  std::vector<LoadingBound> bounds_;  // one for each thread
  bool has_begun_ = false;
  std::vector<std::unique_ptr<Leader>> leaders_;  // the leaders not closed for the target at once
  double value_ = -std::numeric_limits<double>::infinity();
  Support support_;
  std::vector<PricedSupport> all_;
};

/// The mean of the `count` largest bounds; missing ones count as `floor`.
double mean_of_largest(std::vector<double> bounds, double floor, Index count);

}  // namespace spca
