#pragma once

/// Branch and bound for max lambda_max(S_II) over supports I of k variables by the relaxation for a
/// given cardinality (cardinality_relaxation.h), on a dense S.
///
/// A node has chosen variables and candidates. Its relaxation begins at its parent's Y and is
/// climbed for as long as it may still close the node; each bound on the way drops candidates and
/// chooses others. What is left is branched on at the candidate whose share is nearest to 1/2. The
/// nodes of largest bound come first, a fixed number at a time: neither the answer nor the number
/// of nodes depends on the threads. A node takes some ten evaluations of the relaxation, of O(n p
/// q) each with n the rank of S and q <= kMostColumns, and a few eigendecompositions of n x n.

#include <functional>
#include <limits>
#include <map>
#include <memory>

#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/cardinality_relaxation.h"

namespace spca {

/// What proves the bounds of a search: the points of its nodes and the variables branched on.
struct RelaxationProof {
  struct Node {
    std::vector<std::shared_ptr<const RelaxationPoint>> points;
    int variable = -1;  // -1: not branched on, or the rest is not kept
    Index with = -1;    // the child with the variable
    Index without = -1;
  };
  std::vector<Node> nodes;  // the root first
  Support support;          // the best one known

  /// An upper bound on lambda_max(S_II) over |I| = k, from `matrix` and the points alone, which it
  /// has no need to trust; k = |support|.
  double bound(const Matrix& matrix) const;
};

struct FactoredCovariance;

class RelaxationTree {
 public:
  /// `matrix` is S, p x p, positive semidefinite and not zero; it must outlive the tree. `support`:
  /// k of its variables, the best known.
  RelaxationTree(const Matrix& matrix, const Support& support);
  ~RelaxationTree();
  RelaxationTree(const RelaxationTree&) = delete;
  RelaxationTree& operator=(const RelaxationTree&) = delete;

  /// Bounds the root, as far as `keep_going`, asked before each step, says so.
  void begin(const std::function<bool()>& keep_going);
  bool has_begun() const { return has_begun_; }
  /// Whether there are subtrees that can be searched: S of a larger rank than kLargestSettled is
  /// bounded at the root alone.
  bool can_advance() const;
  /// Searches the most promising subtrees.
  void advance(int threads);
  bool is_finished() const { return has_begun_ && open_.empty(); }
  /// A support that was found elsewhere.
  void offer(const Support& support);

  const Support& support() const { return ascent_.support(); }
  double value() const { return ascent_.value(); }
  /// No support has a larger value.
  double bound() const;
  /// Nodes that were bounded.
  Index nodes() const { return nodes_; }
  /// Multiplications so far, roughly: nanoseconds on one core.
  double work() const { return work_; }
  /// What begin() takes, in the same unit, before it has begun.
  double begin_work() const;
  std::shared_ptr<const RelaxationProof> proof() const;

 private:
  struct Node;
  class Task;
  using Order = std::pair<double, Index>;  // minus the bound, number
  void take(Task& task);
  double least() const;

  std::unique_ptr<FactoredCovariance> factored_;
  Index k_;
  SupportAscent ascent_;
  bool has_begun_ = false;
  std::map<Order, std::unique_ptr<Node>> open_;
  RelaxationProof proof_;
  double proof_bytes_ = 0;
  Index pushed_ = 0;
  Index nodes_ = 0;
  double work_ = 0;
};

}  // namespace spca
