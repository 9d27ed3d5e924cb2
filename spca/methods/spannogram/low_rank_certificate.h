#pragma once

#include <utility>

#include "spca/methods/spannogram/direction_boxes.h"
#include "spca/solving/certificate.h"

namespace spca {

/// Certifies a search over directions (direction_boxes.h) by its splits. Every unit v has v'Sv <=
/// v'WW'v + lambda_{d+1}, W = V D = reduced_factor() of low_rank.h, D the diagonal of reduction().
/// No support of cardinality k has a larger value on WW' than the largest bound of the tree's
/// leaves, which check() recomputes.
///
/// The search itself split the directions of V. The direction c of a box of V becomes D^-1 c for
/// W, with V c = W D^-1 c and so with the same top-k sets. D^-1 c is no shorter than c, so the
/// bound of each box is at most the one on S_d.
class LowRankCertificate final : public BoundCertificate {
 public:
  /// `rank`: d, 1 <= d <= kLargestRank.
  LowRankCertificate(Index rank, BoxTree tree) : rank_(rank), tree_(std::move(tree)) {}

 protected:
  double do_check(const Covariance& covariance, Index k, Budget& budget) const override;

 private:
  Index rank_;
  BoxTree tree_;
};

}  // namespace spca
