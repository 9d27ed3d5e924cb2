#pragma once

/// A bound for an answer whose solver proves none: another solver searches for one.

#include <string>

#include "harness/cli/solve_report.h"

namespace spca::cli {

/// Throws InputError that opens with --certify unless a solver here proves bounds on what is asked
/// for: one component, or several with disjoint supports, of given cardinalities.
void check_certifiable(const PreparedSolve& prepared);

/// Judges `outcome`, which solves `prepared`, with the bound that branch-bound (one component) or
/// branch-price (several) proves within `seconds`. If that solver finds a better answer,
/// `prepared` and the report are that solver's. The report's note says what was done.
SolveReport certified_report(PreparedSolve& prepared, SolveOutcome outcome, double seconds,
                             SolveWatch* watch);

}  // namespace spca::cli
