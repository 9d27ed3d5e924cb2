#pragma once

/// The question of support_pricer.h if the rows of subset_row.h have prices, too:
///
///   max { lambda_max(S_II) - sum over I of mu - sum over rows of charge floor(|I and T| / d) }
///
/// Without the charges it is the question that the pricer answers, and no less. If its answer is a
/// support whose charges decide, the supports with one of the variables of such a row are asked for apart
/// from those without. What the variables that all supports hold have to pay is known.

#include <map>
#include <vector>

#include "spca/methods/packing/subset_row.h"
#include "spca/methods/packing/support_pricer.h"

namespace spca {

/// What a check begins with, for each part of a division by variables.
struct PricingDivision {
  struct Part {
    PricingProof proof = {};  // of a part that is not divided
    Index variable = -1;      // -1: not divided
    Index with = -1;          // the parts, as places in `parts`, behind this one
    Index without = -1;
  };
  std::vector<Part> parts = {};  // all supports first
};

struct ChargedOptimum {
  double bound = 0;                 // on the mean of the supports wanted; at least the target
  std::vector<Support> found = {};  // k variables of S; they may exceed the target
  bool is_proven = false;
  PricingDivision division = {};
};

/// As SupportPricer::maximise(). `matrix`: its S.
ChargedOptimum maximise_charged(SupportPricer& pricer, const Matrix& matrix,
                                const SupportPricing& pricing,
                                const std::vector<SubsetCharge>& charges, const Support& start,
                                Index count, Budget& budget);

/// As SupportPricer::check(): nothing in the division is trusted. p: the variables of S.
double check_charged(SupportPricer& pricer, Index p, const SupportPricing& pricing,
                     const std::vector<SubsetCharge>& charges, const PricingDivision& division,
                     Index k, Index count, Budget& budget);

}  // namespace spca
