#pragma once

/// Branch and bound for tr(U'SU) over orthonormal U with ||u_t||_0 <= k_t, by the number of
/// supports that have a variable. No search for one component is needed.
///
/// Node
///   Limits a_i <= n_i <= b_i on the number n_i of components in which variable i has a loading
///   other than zero. The bound is (6) of pair_bound.h with these limits. At the root a = 0 and
///   b = r. No component is named, so equal components cause no repeated work.
/// Branching
///   A variable whose n_i is not whole in the relaxation: n_i is at most the whole number below, or
///   more. Of these the one whose earlier divisions promise most (division_gains.h). With b_i = 1
///   only one component has i; with a_i = 2 variable i takes a place of a second component. If all
///   n_i are whole, they are fixed one by one.
/// Leaf
///   If at most two places are left for variables that are not fixed, the assignments of variables
///   to supports are enumerated (assigned_supports.h), unless they are too many.
/// Valid inequality
///   Two supports never share exactly one variable, because one of the two loadings there would
///   be zero. So if only one variable may be in several supports, it is in one at most.
/// Prices
///   The prices of the multipliers show that some counts of a variable give at most the target. The
///   node excludes these counts. A variable that no support has is left out.
/// Core
///   The steps of a node are among variables that matter. Their costs extend to all variables
///   (core_proof.h), and the bound is that of all variables. Variables that raise it join.
/// Search
///   The nodes of largest bound come first, a few at a time, which threads share. A child starts
///   with the bound and the multipliers of its parent, and takes its own steps when it is selected.
///
/// Source  this project's

#include <limits>
#include <memory>
#include <vector>

#include "spca/base/types.h"
#include "spca/methods/bounds/open_nodes.h"
#include "spca/methods/pairs/count_limits.h"
#include "spca/methods/pairs/division_gains.h"
#include "spca/methods/pairs/pair_descent.h"
#include "spca/solving/budget.h"

namespace spca {

/// The divisions and the multipliers that prove a bound; any contents prove one.
struct OverlapProof {
  struct Node {
    Index variable = -1;  // the i by which the node is divided; -1: not divided
    Index at_most = 0;    // n_i is at most this in `fewer`, and larger in `more`
    Index fewer = -1;     // indices in `nodes`
    Index more = -1;
    /// The multipliers of a node that is not divided, or that its parts need.
    PairProof pairs = {};
    Support core = {};  // the variables of `pairs`, ascending; empty: all
  };
  std::vector<Node> nodes;  // the root first; empty: there is no proof
  double target = -std::numeric_limits<double>::infinity();  // of what prices rule out

  /// Makes it the proof for S in another unit: `factor` S, factor > 0.
  void scale(double factor);
};

/// Computes the bound of the proof from S alone: the largest over the nodes that are not divided.
/// Infinity if the proof is invalid or the budget ends before.
double check_overlap_proof(const Matrix& matrix, const std::vector<Index>& cardinality,
                           const PairConditions& conditions, const OverlapProof& proof,
                           Budget& budget);

class OverlapTree {
 public:
  /// `matrix`: S, p x p, which must outlive the tree and have a positive eigenvalue. 1 <= r <= p.
  /// `conditions`: of the supports: PairConditions::shared(), common() or charged(), for these
  /// cardinalities. A common support has at least r variables.
  /// Nodes with a bound of at most `target` are not divided.
  OverlapTree(const Matrix& matrix, const std::vector<Index>& cardinality,
              const PairConditions& conditions, double target);
  ~OverlapTree();

  /// Continues until no node exceeds the target or is left to divide, until at least `most_nodes`
  /// nodes have taken their own steps, until the proof would be too large, or until the budget is
  /// over. Within the budget, the bound does not depend on the number of threads.
  void run(Index most_nodes, int threads, Budget& budget);

  /// An upper bound on the variance of orthonormal components; infinity before the first steps.
  double bound() const;
  /// Returns true if no node that could be divided determines the bound.
  bool is_finished() const;
  /// The proof of bound().
  const OverlapProof& proof() const { return proof_; }
  /// Number of nodes that took their own steps.
  Index nodes() const { return refined_; }

 private:
  struct Node;
  struct Steps;
  void take(Node& node, PairProof pairs, const Support& core);
  double bound_by_supports_of(const Node& node, const Budget& budget) const;
  void refine(Node& node, bool keeps_state, const Budget& budget);
  Steps first_steps(const PairConditions& conditions) const;
  Support first_core(const PairConditions& conditions) const;
  Steps take_steps(Steps steps, const Node& node, int growths, const Budget& budget) const;
  static double entries_of_state(const Node& node);
  Support grown_core(const Steps& steps, const Node& node) const;
  Support core_of_nodes(const Node& root, const Steps& steps) const;
  CountDivision division_after(const PairConditions& conditions, const Steps& steps) const;
  std::vector<std::unique_ptr<Node>> next_nodes();
  void divide(const Node& node);
  void add_gain(const Node& node);
  void add(std::unique_ptr<Node> node);
  bool has_space() const;

  const Matrix& matrix_;
  OutsideVariables outside_;  // none
  std::vector<Index> cardinality_;
  double target_;
  OpenNodes<Node> open_;
  double left_ = -std::numeric_limits<double>::infinity();  // the largest bound of closed nodes
  OverlapProof proof_;
  DivisionGains gains_;
  Index refined_ = 0;
  double stored_ = 0;  // number of entries of the costs in the proof
};

}  // namespace spca
