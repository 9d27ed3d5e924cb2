#pragma once

/// Columns of S with large scores (column_starts.h), found without computing all of S.
///
/// With R, n x 128, of random signs, the inner product of two rows of B'R / sqrt(128) is S_ij, with
/// an error of at most sqrt(S_ii S_jj / 128) in the root mean square. Single entries may be smaller
/// than that, but the k largest squares of a good column stand out. A group of variables that occur
/// together in few samples is in no leading eigenvector, but in the sketch. R is I, and there is no
/// error, with at most 128 samples.
///
/// Source  D. Achlioptas, Journal of Computer and System Sciences 66:4, 2003 (signs)

#include "spca/covariance/covariance.h"

namespace spca {

/// Returns the 64 of `variables` whose columns have the largest scores in the sketch, ascending;
/// all, if they are fewer. Requires has_data_form() and S_jj > 0. 1 <= k <= |variables|. The signs
/// are always the same. O(128 (n p + |variables|^2)).
Support best_sketched_columns(const Covariance& covariance, const Support& variables, Index k);

}  // namespace spca
