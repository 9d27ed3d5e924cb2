#pragma once

/// Finds the k rows of least loss for a linear encoder, by branch and bound, with a valid bound at
/// any time.
///
/// Let f(J) = ||X_{C,r}||_F^2 be the part that the best encoder with r components on the rows J
/// captures (linear_encoder.h). More rows never capture less. A node holds rows I that must be
/// taken and rows C that may be; t = k - |I| places are left. Three bounds on f(J), I <= J <= I +
/// C, |J| <= k:
///
/// Whole
///   f(J) <= f(I + C).
///
/// Pigeonhole
///   Split C into t + 1 groups G_m. J - I has t rows and so misses a whole group: f(J) <= max_m f(I
///   + C - G_m). Any split gives a bound; a good one has groups of about equal loss. Rows are
///   assigned to groups by the loss without each. Then single rows move to the group of least loss,
///   as long as the maximum falls.
///
/// Interlacing
///   Let lambda, mu and nu be the eigenvalues of Q'XX'Q on J, on I and on I + C. Then t further
///   columns leave lambda_{i+t} <= mu_i, and f(J) <= sum_{i <= r} min(nu_i, mu_{i-t}), with
///   mu_{i-t} infinite for i <= t.
///
/// All are computed as losses, ||X||_F^2 - f, with the rounding of each set of columns
/// (column_factor.h): a bound of the search is a bound on the true loss.
///
/// This project's method. A value of f takes two decompositions of |J| columns, so the search is
/// meant for at most about 60 rows.

#include <functional>

#include "spca/base/types.h"
#include "spca/methods/encoders/column_factor.h"

namespace spca {

/// At most this number of variables: the factor is stored, and rows are searched. Chosen by trial,
/// not measured.
inline constexpr Index kMostRowsSearched = 64;

struct ExactRowsProblem {
  ColumnFactor factor;
  Index r = 1;  // components, 1 <= r <= k
  Index k = 1;  // rows, k <= p
};

struct ExactRows {
  Support rows;       // ascending, at most k; empty if none was evaluated
  LossInterval loss;  // of `rows`; infinite without rows
  double others = 0;  // a lower bound on the loss of any other k rows, except for equal losses
  double bound = 0;   // a lower bound on the loss of any k rows
  Index nodes = 0;
  bool is_finished = false;  // no node is open: the remaining gap is due to rounding
};

/// Returns the loss of the best encoder with r components on `rows`, with limits of its true value.
LossInterval loss_on(const ExactRowsProblem& problem, const Support& rows);

/// Searches for the k rows of least loss.
///
/// `start`: k known rows, or none. `max_loss`: nodes that cannot have a smaller loss are dropped;
/// rows that are evaluated may have a larger one. `enough`: the search ends at rows with at most
/// this loss. `keep_going` is called before each node with the least loss so far; false stops.
ExactRows exact_rows(const ExactRowsProblem& problem, const Support& start, double max_loss,
                     double enough, const std::function<bool(double)>& keep_going);

}  // namespace spca
