#pragma once

#include "spca/certificate.h"
#include "spca/direction_cells.h"

namespace spca {

/// That of a search over directions (direction_cells.h). Every v has v'Sv <= v'S_d v +
/// lambda_{d+1}, and no support of cardinality k has a larger value on S_d than the largest bound
/// of the tree's leaves, which check() computes anew.
class LowRankCertificate final : public BoundCertificate {
 public:
  LowRankCertificate(Index rank, CellTree tree) : rank_(rank), tree_(std::move(tree)) {}
  double check(const Covariance& covariance, Index k) const override;

 private:
  Index rank_;
  CellTree tree_;
};

}  // namespace spca
