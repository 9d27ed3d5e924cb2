#pragma once

/// The limits a_i <= n_i <= b_i on the number n_i of supports that have variable i, which define a
/// node of overlap_tree.h: what follows from them and from the prices of a proof, and how a node is
/// divided.

#include <vector>

#include "spca/base/types.h"
#include "spca/methods/pairs/pair_bound.h"

namespace spca {

/// Tightens the limits. Returns whether any supports may satisfy them.
bool tighten(PairConditions& conditions);

/// n_i is at most `at_most`, in 0..r-1, in one part of a node, and larger in the other.
struct CountDivision {
  Index variable = -1;  // i; -1: the node is not divided
  Index at_most = 0;
  double part = 0.5;  // of a support, by which the count in the relaxation exceeds at_most
};

/// The limits of the two parts. A common support has a variable r times or never.
PairConditions fewer_of(PairConditions conditions, const CountDivision& division);
PairConditions more_of(PairConditions conditions, const CountDivision& division);

/// Returns a division for each variable whose limits differ and whose count is not whole: at the
/// whole count below. `counts`: PairSearch::counts() of the relaxation, p.
std::vector<CountDivision> divisions_of_parts(const PairConditions& conditions,
                                              const Vector& counts);

/// Returns the division by the variable of largest count whose limits differ: it is in fewer
/// supports than its whole count, or in no fewer; of count zero, in none or in some. None if all
/// limits are equal.
CountDivision division_of_whole(const PairConditions& conditions, const Vector& counts);

/// Tightens the limits of each variable for which the prices of the proof show that other counts
/// give at most `target`. Returns the largest bound of what they rule out, or minus infinity.
/// `bound`: pair_bound_under() of the proof.
double rule_out(PairConditions& conditions, const PairProof& proof, double bound, double target);

}  // namespace spca
