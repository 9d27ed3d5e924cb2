#pragma once

/// Blocks of S: the connected components of the variables after entries |S_ij| <= epsilon are
/// dropped. They follow from a maximum spanning tree of |S_ij| for every epsilon.
///
/// Source  Del Pia, Zhou, Zhu, Efficient sparse PCA via block-diagonalization, ICLR 2025

#include "spca/covariance/covariance.h"
#include "spca/solving/budget.h"

namespace spca {

/// An edge of the tree: |S_ij| of two variables.
struct CovarianceEdge {
  double weight = 0;
  Index a = 0;
  Index b = 0;
};

/// Returns a maximum spanning tree of |S_ij|, by Prim's algorithm: one column of S at a time. The
/// edges come in descending order of weight, then in ascending order of variables. If the budget
/// ends first, there are fewer than p - 1 edges.
std::vector<CovarianceEdge> spanning_tree(const Covariance& covariance, Budget& budget);

/// Returns the least epsilon >= `threshold` that leaves no block with more than `largest`
/// variables.
double epsilon_for(const std::vector<CovarianceEdge>& tree, Index p, double threshold,
                   Index largest);

/// Returns the blocks of at least two variables; each other variable is a block of its own.
std::vector<Support> blocks_of(const std::vector<CovarianceEdge>& tree, Index p, double epsilon);

/// Returns an upper bound on v'Sv for unit v with k nonzeros (Gershgorin): a row of S_II has its
/// diagonal entry and at most k - 1 others. Forms S.
double row_sum_bound(const Covariance& covariance, Index k);

/// Returns an upper bound on v'Cv for unit v with k nonzeros, C = S outside the blocks: the
/// largest sum of k - 1 entries of a row of |C|. Reads one column of S at a time. `owner` is the
/// block of each variable. Infinity if the budget is over.
double remainder_bound(const Covariance& covariance, const std::vector<Index>& owner, Index k,
                       Budget& budget);

}  // namespace spca
