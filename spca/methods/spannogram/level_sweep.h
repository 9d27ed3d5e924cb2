#pragma once

/// The supports along the k-level of an arrangement of lines: rank 2 of the spannogram. With
/// c = (1, x) and c = (x, 1), |x| <= 1, the V_i c are lines in x, and I_k(V c) are the k topmost of
/// the 2p lines +-V_i c. The line at rank k is the k-level.
///
/// The k-level is followed from left to right. At the next intersection with another line it goes
/// on along that line. If that line was above, the support stays the same; if that line was below,
/// it enters the support in place of the line that was followed. An interval of x is halved until
/// few lines can reach its k-level.
///
/// Source  k-levels: T. K. Dey, Improved bounds for planar k-sets and related problems, DCG 1998

#include <set>
#include <vector>

#include "spca/base/types.h"
#include "spca/solving/budget.h"

namespace spca {

/// A support and its value on S_2 = V V'.
struct FoundSupport {
  double value = 0;
  Support support;
};

/// The supports of all directions.
struct SweptSpan {
  std::vector<FoundSupport> found;  // best first; of equal values in the order found
  std::set<int> variables;          // that may be among the k topmost lines
  double vertices = 0;              // number of intersections visited
};

/// Sweeps the lines of `variables`, at least k rows of V = `factor` (p x 2), until the budget ends.
/// Supports of a value below `floor` are left out, up to rounding. The threads do not change the
/// answer.
SweptSpan sweep_levels(const Matrix& factor, Index k, double floor,
                       const std::vector<int>& variables, int threads, Budget& budget);

}  // namespace spca
