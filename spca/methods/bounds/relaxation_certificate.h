#pragma once

/// What certifies the bound of a search by the relaxation for a given cardinality.

#include <memory>
#include <vector>

#include "spca/methods/bounds/relaxation_terms.h"

namespace spca {

/// The tree of a search (relaxation_tree.h): for each node the points that settled variables or
/// bounded it, and the variable that it was branched on.
struct RelaxationCertificate {
  struct Node {
    std::vector<std::shared_ptr<const RelaxationPoint>> points;  // in the order of the search
    int variable = -1;  // -1: not branched on, or its children are not kept
    Index with = -1;    // the child with the variable; its place in `nodes`
    Index without = -1;
  };
  std::vector<Node> nodes;  // the root first
  Support support;          // the best one known, k variables

  /// An upper bound on lambda_max(S_II) over |I| = k, from `matrix`, which is S, and the points
  /// alone. Nothing here is trusted: points and branches that prove less give a larger bound, and a
  /// certificate without points gives infinity.
  double bound(const Matrix& matrix) const;
};

}  // namespace spca
