#pragma once

/// Why no disjoint supports are worth more: prices, and what shows how little any support is worth
/// beyond them. If the linear program takes parts of supports, there are such prices for each part of
/// a division of all problems by rules on pairs. For many variables a component, costs of
/// pairs show more (pair_bound.h).

#include <map>
#include <vector>

#include "spca/methods/packing/charged_pricing.h"
#include "spca/methods/packing/enumerated_packing.h"
#include "spca/methods/packing/pair_bound.h"

namespace spca {

struct DisjointProof {
  /// The problems in which two variables are in one support, or in none together, are divided
  /// further. Both together are all.
  struct Node {
    Vector prices = {};                      // mu >= 0, p
    std::vector<SubsetCharge> charges = {};  // prices of rows that cut off fractional optima
    /// t of enumerated_packing.h, by cardinality; empty: what follows bounds each support.
    std::map<Index, double> enumerated = {};
    std::map<Index, PricingDivision> pricing = {};  // by cardinality
    PairRules::Pair pair{-1, -1};                   // none: not divided
    Index together = -1;                            // the parts, as places in `nodes`
    Index apart = -1;
  };
  std::vector<Node> nodes;  // the root first; empty: there is no proof by prices
  /// Bounds all problems at once; no costs: there is none.
  PairProof pairs = {};

  bool empty() const { return nodes.empty() && pairs.costs.size() == 0; }
};

/// L(mu) of disjoint_bound.h, the largest of all parts, from S and the prices, or the bound by pairs if
/// that is less. Nothing else in the proof is trusted. Infinity if the budget ends before anything is
/// known, or if it is no proof.
/// `outside`: the variables that are no part of S.
double check_disjoint_proof(const Matrix& matrix, const std::vector<Index>& cardinality,
                            const DisjointProof& proof, const OutsideVariables& outside,
                            Budget& budget);

/// How many supports of each cardinality are wanted.
std::map<Index, Index> counts_of(const std::vector<Index>& cardinality);

/// What is added to n_k for each support, over the largest eigenvalue of S: rounding.
inline constexpr double kPricingRounding = 1e-11;

}  // namespace spca
