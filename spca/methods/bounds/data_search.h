#pragma once

/// The search of `branch-bound` among more variables than its tables of S can have: by the
/// relaxation for a given cardinality (relaxation_tree.h), through products with the data. A pass
/// over the columns of S gives another bound (squares_bound.h), which is the better one if no small
/// set of variables dominates; the pass is made in parts while the root is bounded.
///
/// If S itself is given, the pass and the bounds of the other solvers come first, and then a factor
/// of S replaces the data (data_factor.h). If S has no factor, or the data have too many samples,
/// the search only improves the best support: by the hops of anytime_search.h.

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "spca/methods/bounds/certified_search.h"
#include "spca/methods/bounds/relaxation_tree.h"
#include "spca/methods/bounds/squares_bound.h"

namespace spca {

/// Data of at most this number of samples are searched by the relaxation, for any `max_variables`.
/// Chosen by trial, not measured.
inline constexpr Index kFewSamples = 20'000;
/// At most this number of samples are searched. The points of the relaxation are matrices with one
/// row per sample, of which kLargestSpace columns are in memory at a time. They may take as much
/// memory as the tables of S of `max_variables` variables.
Index max_samples_searched(Index max_variables);

class DataSearch {
 public:
  /// `support`: k variables, the best known, of positive value. `max_variables`: see max_entries().
  /// All must outlive the search.
  DataSearch(const Problem& problem, const std::vector<std::string>& feeds, Index max_variables,
             const Support& support, Budget& budget);

  /// Bounds the root, as far as time permits.
  void begin();
  /// Continues the pass over the columns, then uses the bounds of the other solvers, then searches
  /// the most promising subtrees. Without a tree, it makes all hops that the budget permits.
  void advance();
  /// Lowers the bound to one found elsewhere, with its certificate.
  void limit(double bound, std::shared_ptr<const BoundCertificate> certificate);
  /// Returns true if advance() no longer has an effect, because hops without gain have ended the
  /// search.
  bool is_exhausted() const { return is_exhausted_; }
  /// Returns true if the best support is an optimum.
  bool is_finished() const;

  const Support& support() const { return tree_ ? tree_->support() : best_->support(); }
  /// The failures of feeds; empty if there were none.
  const std::string& note() const { return note_; }
  double value() const { return tree_ ? tree_->value() : best_->value(); }
  /// An upper bound on the value of every support. It never rises. Infinity until begin() has a
  /// bound.
  double bound() const;
  /// The variables of the root that may be in a better support, after begin(); all if there is no
  /// tree.
  Support variables_left() const;
  /// The points that eliminated the others; none if there is no tree.
  std::vector<std::shared_ptr<const RelaxationPoint>> root_points() const;
  /// value, bound, gap, relaxation_nodes, relaxation_work and variables_left.
  std::vector<std::pair<std::string, double>> facts() const;
  /// The certificate of bound(), or of a slightly larger bound. `elimination` is used if there is
  /// neither a tree nor a complete pass.
  std::shared_ptr<const BoundCertificate> certificate(
      const EliminationCertificate& elimination) const;

 private:
  void plant();
  void begin_without_data();
  void consider(const Support& support);
  void hop();
  double tree_bound() const;
  void feed();
  bool has_pass() const;
  void go_on_with_pass();

  const Problem& problem_;
  const std::vector<std::string>& feeds_;
  Index max_variables_;
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
