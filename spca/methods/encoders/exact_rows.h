#pragma once

/// The k rows on which a linear encoder loses least, by branch and bound, with a bound at any time.
///
/// Let f(J) = ||X_{C,r}||_F^2 be what the best encoder with r components on the rows J captures
/// (linear_encoder.h). More rows never capture less. A node holds rows I that must be taken and rows
/// C that may be; t = k - |I| places are left. Three bounds on f(J), I <= J <= I + C, |J| <= k:
///
/// Whole
///   f(J) <= f(I + C).
///
/// Pigeonhole
///   Split C into t + 1 groups G_m. J - I has t rows and so misses a whole group:
///   f(J) <= max_m f(I + C - G_m). Any split gives a bound; a good one has groups that are missed
///   alike. Rows are dealt out by how much each alone is missed. Then single rows move to the group
///   that is missed least, as long as the maximum falls.
///
/// Interlacing
///   t further columns leave lambda_{i+t} <= mu_i, for lambda those of Q'XX'Q on J and mu those on I:
///   f(J) <= sum_{i <= r} min(nu_i, mu_{i-t}), nu those on I + C and mu_{i-t} infinite for i <= t.
///
/// This project's method. S and S^2 are held, and a value of f takes two eigenproblems of |J| x |J|:
/// it is meant for some 60 rows at most.

#include <functional>

#include "spca/base/types.h"

namespace spca {

/// Variables at most of which S and S^2 are held and rows are searched.
inline constexpr Index kMostRowsSearched = 64;

struct ExactRowsProblem {
  Matrix s;        // S, p x p
  Matrix squared;  // S^2
  Index r = 1;     // components, 1 <= r <= k
  Index k = 1;     // rows, k <= p
};

struct ExactRows {
  Support rows;         // ascending, at most k; empty if none was found above `floor`
  double captured = 0;  // f(rows)
  double bound = 0;     // no k rows capture more than the larger of this and `floor`
  Index nodes = 0;
  bool is_finished = false;  // bound is captured, or no rows capture more than `floor`
};

/// f(J); rows of which X_J has no rank add nothing.
double captured_on(const ExactRowsProblem& problem, const Support& rows);

/// Searches for the k rows that capture most.
///
/// `start`: k rows known, or none. `floor`: rows that capture less are of no interest, and subtrees
/// that cannot capture `floor` are dropped. `enough`: the search ends at rows that capture as much.
/// `keep_going`: asked before each node with the best value so far.
ExactRows exact_rows(const ExactRowsProblem& problem, const Support& start, double floor,
                     double enough, const std::function<bool(double)>& keep_going);

}  // namespace spca
