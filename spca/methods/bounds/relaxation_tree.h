#pragma once

/// Branch and bound for max lambda_max(S_II) over supports I of k variables by the relaxation for a
/// given cardinality (cardinality_relaxation.h), on a dense S.
///
/// A node has chosen variables and candidates. Its relaxation starts from its parent's Y and
/// ascends as long as it may still close the node. Each bound computed in between drops candidates
/// and chooses others. The remaining family is branched on the candidate whose share is nearest to
/// 1/2; with prices, on the one whose branches lose most. If the gap exceeds the price, so that no
/// variable can be settled, and X mixes directions, the directions are divided instead
/// (direction_cuts.h). The nodes of largest bound come first (if the open nodes take much memory,
/// those of smallest bound), a fixed number at a time: neither the answer nor the number of nodes
/// depends on the threads.
///
/// Prices of the variables are added to the price of the relaxation (cardinality_relaxation.h (2)).
/// Consequences of the rules on pairs of variables are applied in every node.
///
/// A node takes about ten evaluations of the relaxation and a few eigendecompositions of n x n, n
/// the rank of S. An evaluation is O(n p q), q <= 24.
///
/// Source  this project

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "spca/methods/bounds/best_support.h"
#include "spca/methods/bounds/open_nodes.h"
#include "spca/methods/relaxations/factored_covariance.h"
#include "spca/methods/relaxations/relaxation_certificate.h"
#include "spca/methods/relaxations/support_pricing.h"

namespace spca {

class RelaxationTree {
 public:
  /// `matrix` is S, p x p, positive semidefinite and not zero; it must outlive the tree. `support`:
  /// k of its variables, the best known.
  RelaxationTree(const Matrix& matrix, const Support& support);
  /// The same constructor for an S that the caller has factored.
  RelaxationTree(std::shared_ptr<const FactoredCovariance> factor, const Matrix& matrix,
                 const Support& support);
  /// The same constructor with prices: value() and bound() are of lambda_max(S_II) less the prices
  /// of I. If the rules do not allow `support`, value() is minus infinity until an allowed one is
  /// found.
  RelaxationTree(std::shared_ptr<const FactoredCovariance> factor, const Matrix& matrix,
                 const Support& support, SupportPricing pricing);
  /// The same constructor for an S that is not formed. `best` has a support of k variables.
  RelaxationTree(std::shared_ptr<const FactoredCovariance> factor,
                 std::unique_ptr<BestSupport> best);
  ~RelaxationTree();
  RelaxationTree(const RelaxationTree&) = delete;
  RelaxationTree& operator=(const RelaxationTree&) = delete;

  /// Bounds the root. `keep_going` is called before each step; false stops.
  void begin(const std::function<bool()>& keep_going);
  bool has_begun() const { return has_begun_; }
  /// Returns true if there are subtrees that can be searched. If the factor is formed and S has a
  /// larger rank than kLargestSettled, only the root is bounded.
  bool can_advance() const;
  /// Searches the most promising subtrees; 1 <= threads. `keep_going` is called from all of them;
  /// if it returns false, the nodes at work stay open with their current bounds.
  void advance(int threads, const std::function<bool()>& keep_going);
  void advance(int threads) {
    advance(threads, [] { return true; });
  }
  /// Returns true if the best support found is an optimum, or none exceeds the target.
  bool is_finished() const { return has_begun_ && open_.empty(); }
  /// Considers a support of k variables that was found elsewhere.
  void consider(const Support& support);

  const Support& support() const { return best_->support(); }
  double value() const { return best_->value(); }
  /// An upper bound on the value of every support. Infinity before begin().
  double bound() const;
  /// Number of nodes bounded.
  Index nodes() const { return nodes_; }
  /// Number of multiplications so far, roughly: nanoseconds on one core.
  double work() const { return work_; }
  /// The variables of the root that may be in a better support than the best known; all before
  /// begin().
  const Support& variables_left() const { return variables_left_; }
  /// The estimated work of begin(), in multiplications.
  double begin_work() const;
  /// The certificate of bound(). For a search of very many nodes it proves a larger bound: its size
  /// is limited, and omitted nodes are covered by their ancestors.
  std::shared_ptr<const RelaxationCertificate> certificate() const;

 private:
  struct Node;
  class Task;
  void merge(Task& task);
  void divide(const Node& parent, std::vector<std::unique_ptr<Task>>& tasks);
  double least() const;
  double floor() const { return std::max(value(), pricing_.target); }

  std::shared_ptr<const FactoredCovariance> factor_;
  std::unique_ptr<BestSupport> best_;
  Support start_;
  SupportPricing pricing_;
  Vector prices_;  // in units of the factor
  Index k_;
  bool has_begun_ = false;
  OpenNodes<Node> open_;
  RelaxationCertificate certificate_;
  double certificate_bytes_ = 0;
  Support variables_left_;
  Index nodes_ = 0;
  double work_ = 0;
};

}  // namespace spca
