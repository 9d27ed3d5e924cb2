#pragma once

/// The certificate of the bound of a search by the relaxation for a given cardinality.

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "spca/methods/relaxations/direction_cuts.h"
#include "spca/methods/relaxations/factored_covariance.h"
#include "spca/methods/relaxations/relaxation_terms.h"
#include "spca/methods/relaxations/support_pricing.h"

namespace spca {

/// The tree of a search (relaxation_tree.h): for each node the points that settled variables or
/// bounded it, and its branching variable.
struct RelaxationCertificate {
  struct Node {
    std::vector<std::shared_ptr<const RelaxationPoint>> points;  // in the order of the search
    int variable = -1;  // -1: not branched on, or without stored children
    Index with = -1;    // index in `nodes` of the child with the variable
    Index without = -1;
    /// If it was divided by direction, the parts, and their indices in `nodes` (direction_cuts.h).
    std::shared_ptr<const DirectionBranch> branch = nullptr;
    std::array<Index, kDirectionParts> parts = {-1, -1, -1};
  };
  std::vector<Node> nodes;  // the root first
  Support support;          // the best known support, k variables

  /// Returns an upper bound on lambda_max(S_II) over |I| = k, recomputed from `matrix`, which is S.
  /// No number of the search is trusted: points and branches that prove less give a larger bound,
  /// and a certificate without nodes gives infinity if k < p.
  double bound(const Matrix& matrix) const;
  /// The same as bound(matrix), from a factor of S and from `value`, lambda_max(S_II) on `support`.
  /// `keep_going` is called before each point and each branching; once it returns false, open nodes
  /// count with the bounds of their ancestors.
  double bound(const FactoredCovariance& factor, double value,
               const std::function<bool()>& keep_going) const;
  /// The same as bound(factor, value) for the pricing problem (support_pricing.h): returns a bound
  /// on lambda_max(S_II) less the prices of I over the allowed supports with as many variables as
  /// `support`, or the target if that is larger.
  double bound(const FactoredCovariance& factor, const SupportPricing& pricing,
               const std::function<bool()>& keep_going) const;
};

}  // namespace spca
