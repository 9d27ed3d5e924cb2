#pragma once

/// A proof that no disjoint supports are worth more than a bound: prices, and hints that show how
/// little any support is worth beyond its prices. If the linear program takes supports in part, the
/// problem is divided by rules on pairs, and each part has its own prices. With many variables per
/// component, costs of pairs prove a better bound (pair_bound.h).

#include <map>
#include <vector>

#include "spca/methods/packing/charged_pricing.h"
#include "spca/methods/packing/enumerated_packing.h"
#include "spca/methods/pairs/pair_bound.h"

namespace spca {

struct DisjointProof {
  /// A node is divided into the problems in which one support holds both variables of a pair and
  /// those in which no support does. Together they are all problems of the node.
  struct Node {
    Vector prices = {};                      // mu >= 0, p
    std::vector<SubsetCharge> charges = {};  // prices of rows that cut off fractional optima
    /// t of enumerated_packing.h, by cardinality; if empty, `pricing` bounds each support.
    std::map<Index, double> enumerated = {};
    std::map<Index, PricingDivision> pricing = {};  // by cardinality
    PairRules::Pair pair{-1, -1};                   // none: not divided
    Index together = -1;                            // the parts, as indices in `nodes`
    Index apart = -1;
  };
  std::vector<Node> nodes;  // the root first; empty: there is no proof by prices
  /// A bound on all problems at once; without costs there is none.
  PairProof pairs = {};

  bool empty() const { return nodes.empty() && pairs.costs.size() == 0; }
};

/// Recomputes the bound from S and the proof: the largest L(mu) of disjoint_bound.h over all parts,
/// or the bound by pairs if that is smaller. Nothing in the proof is trusted. Returns infinity if
/// neither bound is known, because its part of the proof is invalid or the budget is over.
/// `outside`: the variables that are not part of S.
double check_disjoint_proof(const Matrix& matrix, const std::vector<Index>& cardinality,
                            const DisjointProof& proof, const OutsideVariables& outside,
                            Budget& budget);

/// The number of supports wanted of each cardinality.
std::map<Index, Index> counts_of(const std::vector<Index>& cardinality);

/// Added to n_k for each support against rounding, relative to the largest eigenvalue of S.
inline constexpr double kPricingRounding = 1e-11;

}  // namespace spca
