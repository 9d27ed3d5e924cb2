#pragma once

/// Branch and bound for tr(U'SU) over orthonormal U with ||u_t||_0 <= k_t, if all supports of so few
/// variables can be looked at. It tightens the relaxation of orthogonal_bound.h:
///
/// Branching
///   The supports I_1, ..., I_r on which the components have no zero, one after the other. A node has
///   the first m of them. Its bound is that of the relaxation, with a Lambda of its own:
///
///     tr Lambda + sum_{t <= m} lambda_max((S - Lambda)_{I_t I_t})
///               + sum_{t > m} max { lambda_max((S - Lambda)_JJ) : J allowed }                     (1)
///
///   Components of equal cardinality can change places. So J does not come before I_m in an order of
///   the supports, which is that of their worth at the Lambda of the root.
/// Valid inequality
///   Two supports never share exactly one variable: of the loadings there one would be zero. In a
///   node that leaves about half of the supports. The supports have up to k_t variables, not k_t.
/// Elimination
///   A support that brings (1) at the root below the value known is in no node.
/// Search
///   The node of largest bound comes first. A child begins with the Lambda and the bound (1) that its
///   parent ended with; it gets its own Lambda when its turn comes, which most never do. Nodes are
///   bounded, and children made, only down to a goal, which falls to the target by steps: the largest
///   bound is what counts, and what goes further below it costs most.
///
/// Source  this project's

#include <vector>

#include "spca/base/types.h"
#include "spca/solving/budget.h"

namespace spca {

struct OrthogonalTreeBound {
  double value = 0;        // no orthonormal components have more variance
  Index nodes = 0;         // that got a Lambda of their own, once for each goal that they met
  Index supports = 0;      // that are left after the elimination
  bool is_closed = false;  // every node was bounded below the target
};

/// Whether the supports are few enough.
bool has_orthogonal_tree(Index p, const std::vector<Index>& cardinality);

/// `matrix` is S, p x p; `factor`: L of the root, p x q; `bound`: that of the root. Nodes with a bound
/// of `target` or less are left out; it is the value known, or a little more. Ends after `most_nodes`
/// nodes, or when the budget is over; the value is a bound whenever that is.
OrthogonalTreeBound orthogonal_tree_bound(const Matrix& matrix,
                                          const std::vector<Index>& cardinality,
                                          const Matrix& factor, double bound, double target,
                                          Index most_nodes, Budget& budget);

}  // namespace spca
