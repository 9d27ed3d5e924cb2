#pragma once

/// Starts from the columns of S, for methods that would start at the variable of largest variance.
///
/// On a correlation matrix all variances are equal, and the first variable is as good a choice as
/// any other. Column j has more information: with I the positions of the k largest entries of
/// S e_j, the largest eigenvalue of S_II is at least
///
///   ||S_{I,j}||^2 / S_jj,
///
/// by Cauchy and Schwarz, because S = X'X and S_{I,j} = X_I'a_j. This is the score of a column.

#include <vector>

#include "spca/covariance/covariance.h"

namespace spca {

/// Variances that differ by less, relative to the larger one, count as equal. Files have six digits
/// or more, and rounding makes the unit variances of a correlation matrix differ.
inline constexpr double kTiedVariances = 1e-6;

/// Numbers computed from S that differ by less, relative to the larger one, count as equal, and the
/// lower index is taken. Otherwise sparse data, dense data and S itself would break ties by
/// rounding.
inline constexpr double kTiedByRounding = 1e-9;

/// Returns the index of the first entry that ties with the largest. All entries are >= 0.
Index first_of_largest(const Vector& entries);

/// The variables whose variance ties with the largest.
Support variables_of_largest_variance(const Covariance& covariance);

/// Returns the variables whose columns are tried as starts: all of positive variance if there are
/// at most 64, otherwise the 16 of largest variance. If more tie with the last of them, as in a
/// correlation matrix, those with the largest loadings in the leading eigenvector of S are taken,
/// so that the order of the variables does not matter; or all tied ones, if all_tied_are_tried().
Support start_variables(const Covariance& covariance);

/// Returns true if more variables tie than start_variables() needs and it takes all of them: at
/// most 4000, if the columns of S take little time because S is stored or its data are few or
/// sparse.
bool all_tied_are_tried(const Covariance& covariance);

struct ColumnStart {
  Index variable = 0;
  double score = 0;
  Component component;  // the k largest entries of the column, unit length
};

/// Returns the columns of `variables` with the largest scores, best first, at most `count`. No two
/// have the same support. Ties go to the lower variable. With more than 64 columns most are ruled
/// out by bounds on their scores: with m_q = sum_i |S_ij|^q, Hoelder's inequality bounds the sum of
/// the k largest squares by k^(1 - 2/q) m_q^(2/q).
std::vector<ColumnStart> best_columns(const Covariance& covariance, const Support& variables,
                                      Index k, Index count);

/// Returns true if at most 5000 variables tie, more than start_variables() needs, and their columns
/// would take long, as those of dense data do.
bool best_columns_are_sketched(const Covariance& covariance);

/// The same as best_columns() above, among start_variables(); or among those that
/// best_sketched_columns() (sketched_columns.h) finds, if best_columns_are_sketched().
std::vector<ColumnStart> best_columns(const Covariance& covariance, Index k, Index count);

/// Returns true if the variables that tie with the k-th largest variance do not all fit into k.
bool ties_leave_a_choice(const Covariance& covariance, Index k);

/// Returns the k variables of largest variance, fewer if no more have positive variance. Among tied
/// variables, those are taken that covary most with the leading vector of the variables above the
/// tie. If none is above it, the best column replaces that vector.
Support largest_variances(const Covariance& covariance, Index k);

}  // namespace spca
