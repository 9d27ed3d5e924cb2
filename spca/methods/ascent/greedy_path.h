#pragma once

/// Greedy supports of all cardinalities in one run (greedy_support.h), growing from one variable or
/// shrinking from all.

#include <vector>

#include "spca/methods/ascent/greedy_support.h"
#include "spca/solving/solver.h"

namespace spca {

struct GreedyPath {
  std::vector<PathPoint> points;  // for 1, 2, ... variables
  std::vector<double> values;     // v'Sv of each
  /// Growing: there are k points, or no candidate is left. Shrinking: there are points of every
  /// cardinality down to 1.
  bool is_complete = false;
};

/// The variable at which a path begins if several tie for the largest variance.
enum class GrowFrom {
  /// For m = 2, 4, 8, ..., m <= 2k, the variable j that maximises ||S_{I,j}||, I = I_m(S e_j)
  /// (column_starts.h). At cardinality c the best of the paths for m <= 2c is kept, so that the
  /// answers do not depend on k.
  kBestColumns,
  kFirst,  // the one of lowest index
};

/// Grows up to k variables out of `candidates`, exactly or approximately (GrowingSupport). The path
/// has at least one point.
GreedyPath grow_path(const Covariance& covariance, const VariableFlags& candidates, GrowFrom start,
                     Index k, bool exact, Budget& budget);

/// Shrinks from `variables`, ascending and not empty, exactly or by a bound (ShrinkingSupport).
/// The path has k points; none if time ends before only k variables are left. If fewer than k are
/// given, the last points repeat. If the path is not complete, the points that were not reached are
/// those of k variables.
GreedyPath shrink_path(const Covariance& covariance, std::vector<Index> variables, Index k,
                       bool exact, Budget& budget);

/// Takes the better components of `other` from `cardinality` on.
void improve(GreedyPath& path, const GreedyPath& other, Index cardinality);

/// The variables of positive variance; if `count` > 0, the `count` largest of them. Among equals
/// the lower index.
VariableFlags variables_to_try(const Covariance& covariance, Index count);

/// At most this number of variables may shrink: the whole of S and p eigenvectors take half a
/// minute.
inline constexpr Index kLargestBackward = 2000;

}  // namespace spca
