#pragma once

#include "spca/methods/spannogram/direction_cells.h"
#include "spca/solving/certificate.h"

namespace spca {

/// That of a search over directions (direction_cells.h). Every v has v'Sv <= v'WW'v + lambda_{d+1}
/// with W = V D of reduced_factor(), and no support of cardinality k has a larger value on WW' than
/// the largest bound of the tree's leaves, which check() computes anew. The direction c of a cell
/// of V is D^-1 c in one of W, with the same supports, and no shorter: the bound of each cell is at
/// most that on S_d.
class LowRankCertificate final : public BoundCertificate {
 public:
  LowRankCertificate(Index rank, CellTree tree) : rank_(rank), tree_(std::move(tree)) {}
  double check(const Covariance& covariance, Index k) const override;

 private:
  Index rank_;
  CellTree tree_;
};

}  // namespace spca
