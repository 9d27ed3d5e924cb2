#pragma once

/// The search of `branch-bound` among more variables than S is formed of, for data: by the
/// relaxation for a given cardinality (relaxation_tree.h), through products with the data. A pass
/// over the columns of S gives another bound (squares_bound.h), which is the better one if no few
/// variables stand out; it is made bit by bit while the root is bounded.

#include <string>
#include <utility>
#include <vector>

#include "spca/methods/bounds/certified_search.h"
#include "spca/methods/bounds/relaxation_tree.h"
#include "spca/methods/bounds/squares_bound.h"

namespace spca {

/// Data of more samples than this are not searched: the points of the relaxation are matrices of as
/// many rows, and some hundred of their columns are in memory at a time.
inline constexpr Index kMostSamplesSearched = 20'000;

class DataSearch {
 public:
  /// S has a data form and at most kMostSamplesSearched samples. `support`: k variables, the best
  /// known, of positive value. `most`: see most_entries(). All must outlive the search.
  DataSearch(const Problem& problem, const std::vector<std::string>& feeds, Index most,
             const Support& support, Budget& budget);

  /// Bounds the root.
  void begin();
  /// Goes on with the pass over the columns, then takes in the bounds of the other solvers, then
  /// searches the most promising subtrees.
  void advance();
  /// Whether the best support is an optimum.
  bool is_finished() const;

  const Support& support() const { return tree_.support(); }
  double value() const { return tree_.value(); }
  /// No support has a larger value. It never rises. Infinity before begin() has bounded anything.
  double bound() const;
  /// Those of the root that may be in a better support, after begin().
  const Support& variables_left() const { return tree_.variables_left(); }
  /// The points that left them.
  std::vector<std::shared_ptr<const RelaxationPoint>> root_points() const;
  /// value, bound, gap, relaxation_nodes, relaxation_work and variables_left.
  std::vector<std::pair<std::string, double>> facts() const;
  /// What certifies bound(), or a little more than that.
  std::shared_ptr<const BoundCertificate> certificate() const;

 private:
  void feed();
  bool has_pass() const;
  void go_on_with_pass();

  const Problem& problem_;
  const std::vector<std::string>& feeds_;
  Index most_;
  Budget& budget_;
  RelaxationTree tree_;
  SquaresBound squares_;
  Support start_;
  double fed_bound_ = std::numeric_limits<double>::infinity();
  std::vector<std::shared_ptr<const BoundCertificate>> fed_;
  bool is_fed_ = false;
};

}  // namespace spca
