#pragma once

/// The search of `branch-bound` among more variables than its tables of S may have: by the
/// relaxation for a given cardinality (relaxation_tree.h), through products with the data. A pass
/// over the columns of S gives another bound (squares_bound.h), which is the better one if no few
/// variables stand out; it is made bit by bit while the root is bounded.
///
/// If S itself is given, the pass and the bounds of the other solvers come first, and then a factor
/// of S takes the place of the data (data_factor.h). If S has no factor, or data have too many
/// samples, only the best support can still be improved: by the hops of anytime_search.h.

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "spca/methods/bounds/certified_search.h"
#include "spca/methods/bounds/relaxation_tree.h"
#include "spca/methods/bounds/squares_bound.h"

namespace spca {

/// Data of at least so many samples are searched by the relaxation, whatever `most` is.
inline constexpr Index kFewSamples = 20'000;
/// The points of the relaxation are matrices with a row each sample, of which kLargestSpace columns
/// are in memory at a time. They may take as much as the tables of S of `most` variables would.
Index most_samples_searched(Index most);

class DataSearch {
 public:
  /// `support`: k variables, the best known, of positive value. `most`: see most_entries(). All must
  /// outlive the search.
  DataSearch(const Problem& problem, const std::vector<std::string>& feeds, Index most,
             const Support& support, Budget& budget);

  /// Bounds the root, as far as time permits.
  void begin();
  /// Goes on with the pass over the columns, then takes in the bounds of the other solvers, then
  /// searches the most promising subtrees. Without a tree, all hops that the budget permits.
  void advance();
  /// Takes in a bound that was found elsewhere, and what certifies it.
  void limit(double bound, std::shared_ptr<const BoundCertificate> certificate);
  /// Whether advance() can change nothing any more: hops without gain have ended the search.
  bool is_exhausted() const { return is_exhausted_; }
  /// Whether the best support is an optimum.
  bool is_finished() const;

  const Support& support() const { return tree_ ? tree_->support() : best_->support(); }
  /// Empty, or which feeds broke down.
  const std::string& note() const { return note_; }
  double value() const { return tree_ ? tree_->value() : best_->value(); }
  /// No support has a larger value. It never rises. Infinity before begin() has bounded anything.
  double bound() const;
  /// Those of the root that may be in a better support, after begin(); all if there is no tree.
  Support variables_left() const;
  /// The points that left them; none if there is no tree.
  std::vector<std::shared_ptr<const RelaxationPoint>> root_points() const;
  /// value, bound, gap, relaxation_nodes, relaxation_work and variables_left.
  std::vector<std::pair<std::string, double>> facts() const;
  /// What certifies bound(), or a little more than that. `elimination` stands in if there is neither a
  /// tree nor a complete pass.
  std::shared_ptr<const BoundCertificate> certificate(
      const EliminationCertificate& elimination) const;

 private:
  void plant();
  void begin_without_data();
  void offer(const Support& support);
  void hop();
  double tree_bound() const;
  void feed();
  bool has_pass() const;
  void go_on_with_pass();

  const Problem& problem_;
  const std::vector<std::string>& feeds_;
  Index most_;
  Budget& budget_;
  std::unique_ptr<BestSupport> best_;     // null once the tree has it
  std::unique_ptr<RelaxationTree> tree_;  // null if there is no factor of S
  SquaresBound squares_;
  Support start_;
  double fed_bound_ = std::numeric_limits<double>::infinity();
  std::vector<std::shared_ptr<const BoundCertificate>> fed_;
  bool is_fed_ = false;
  bool is_exhausted_ = false;
  std::string note_;
};

}  // namespace spca
