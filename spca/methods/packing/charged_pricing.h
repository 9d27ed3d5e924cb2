#pragma once

/// The pricing problem of support_pricer.h if the rows of subset_row.h have prices, too:
///
///   max { lambda_max(S_II) - sum over I of mu - sum over rows of charge floor(|I and T| / d) }
///
/// Without the charges it is the problem that the pricer solves, and its optimum is an upper bound.
/// If the pricer returns a support with a positive charge, the supports that hold one variable of a
/// charged row are searched apart from those that do not. The charge of the variables that all
/// supports of a part hold is a constant.

#include <map>
#include <vector>

#include "spca/methods/pricing/subset_row.h"
#include "spca/methods/pricing/support_pricer.h"

namespace spca {

/// Hints for a check: one proof for each part of a division by variables.
struct PricingDivision {
  struct Part {
    PricingProof proof = {};  // of an undivided part
    Index variable = -1;      // -1: not divided
    Index with = -1;          // the parts, as indices in `parts`, after this one
    Index without = -1;
  };
  std::vector<Part> parts = {};  // all supports first
};

struct ChargedOptimum {
  double bound = 0;                 // on the mean of the wanted supports; at least the target
  std::vector<Support> found = {};  // k variables of S; they may exceed the target
  bool is_proven = false;
  PricingDivision division = {};
};

/// The same as SupportPricer::maximise(), with charges. `matrix`: the S of the pricer.
ChargedOptimum maximise_charged(SupportPricer& pricer, const Matrix& matrix,
                                const SupportPricing& pricing,
                                const std::vector<SubsetCharge>& charges, const Support& start,
                                Index count, Budget& budget);

/// The same as SupportPricer::check(), with charges: nothing in the division is trusted. p: the
/// number of variables of S.
double check_charged(SupportPricer& pricer, Index p, const SupportPricing& pricing,
                     const std::vector<SubsetCharge>& charges, const PricingDivision& division,
                     Index k, Index count, Budget& budget);

}  // namespace spca
