#pragma once

/// Branch and bound for tr(U'SU) over orthonormal U with ||u_t||_0 <= k_t, over supports that are
/// enumerated: all of them, or those that may be in a better answer (near_supports.h). It tightens
/// the relaxation of orthogonal_bound.h:
///
/// Branching
///   The branches are the supports I_1, ..., I_r on which the components have no zero, one after
///   the other. A node has the first m of them. Its bound is that of the relaxation, with its own
///   Lambda:
///
///     tr Lambda + sum_{t <= m} lambda_max((S - Lambda)_{I_t I_t})
///               + sum_{t > m} max { lambda_max((S - Lambda)_JJ) : J allowed }                  (1)
///
///   Components of equal cardinality are interchangeable. So J does not come before I_m in an order
///   of the supports, which is that of their worth at the Lambda of the root.
/// Valid inequality
///   Two supports never share exactly one variable, because one of the two loadings there would be
///   zero. In a node that leaves about half of the supports. The supports have up to k_t variables,
///   not exactly k_t.
/// Elimination
///   A support is dropped from all nodes if it brings (1) at the root below the known value.
/// Search
///   The node of largest bound comes first. A child starts with the Lambda and the bound (1) that
///   its parent ended with; it gets its own Lambda when it is selected, which most never are. Nodes
///   are refined, and children made, only down to a goal, which falls to the target in steps: only
///   the largest bound counts, and refining further below it costs most.
///
/// Source  this project's

#include <map>
#include <vector>

#include "spca/base/types.h"
#include "spca/solving/budget.h"

namespace spca {

struct OrthogonalTreeBound {
  double value = 0;        // an upper bound on the variance of orthonormal components
  Index nodes = 0;         // number of nodes that got their own Lambda, once for each goal
  Index supports = 0;      // number of supports left after the elimination
  bool is_closed = false;  // no node is left with a bound above the target
};

/// The supports that a component of at most k variables may have, by k.
using SupportChoices = std::map<Index, std::vector<Support>>;

/// At most this number of variables in the supports.
inline constexpr Index kMostTreeVariables = 512;

/// Returns true if there are few enough supports to enumerate all of them.
bool has_orthogonal_tree(Index p, const std::vector<Index>& cardinality);

/// Returns all supports of 1 to k of p variables, for each k.
SupportChoices all_choices(Index p, const std::vector<Index>& cardinality);

/// Runs the branch and bound. `matrix` is S, p x p, p <= kMostTreeVariables; `choices` has a list
/// for each cardinality; `factor`: L of the root, p x q; `bound`: the bound of the root. Nodes with
/// a bound of at most `target` are dropped; the target is the known value, or more. Ends after
/// `most_nodes` nodes, when the budget is over, or after the `share` of the time that it has left.
/// The value bounds every answer whose supports are among the choices.
OrthogonalTreeBound orthogonal_tree_bound(const Matrix& matrix,
                                          const std::vector<Index>& cardinality,
                                          const SupportChoices& choices, const Matrix& factor,
                                          double bound, double target, Index most_nodes,
                                          Budget& budget, double share = 1);

}  // namespace spca
