#pragma once

/// Bounds on the variance that any feasible answer to a problem explains.

#include <string>
#include <vector>

#include "spca/solving/solver.h"
#include "spca/spectrum/spectrum.h"

namespace spca {

/// At most this share of a value or bound is rounding. A value v'Sv of k nonzeros differs from its
/// exact value by at most 2k u |v|'|S||v| <= 2k u tr(S_II) <= 2k^2 u max_j S_jj, u = 1.1e-16, and
/// max_j S_jj is below every correct bound. That is 1e-9 at k = 2000 if all errors have one sign;
/// errors of random signs stay below it for any k. Rounding of the bound is in the bound itself.
inline constexpr double kRoundingAboveBound = 1e-9;

/// Returns true if the value lies above the bound by more than rounding, which includes a bound of
/// -infinity. False if either is NaN.
bool exceeds(double value, double bound);

/// Returns the bound, or the value of a feasible answer if that lies above the bound by rounding:
/// no printed bound is below the value that is printed with it. A value that exceeds the bound by
/// more leaves the bound unchanged, because then one of the two is wrong. NaN if the bound is NaN.
double raised_by_rounding(double bound, double value);

/// Returns a bound on the variance that any feasible answer to the same problem explains. NaN if
/// the eigenvalues do not converge and no certificate can be checked. -infinity, which contradicts
/// any answer, if that is what a certificate gives. `cardinality` has the
/// cardinalities that bound the solver, or is empty. The bound is the least of those that apply:
///
///   any answer            lambda_1 + ... + lambda_r, which bounds Tr(V'SV) over orthonormal V
///   orthogonal loadings   the sum over j of the bound on one component of cardinality k_j;
///                         the checked certificate of the solution, if the solver's traits say
///                         `orthogonal`
///   disjoint supports     that sum, and the sum of the k_1 + ... + k_r largest variances;
///                         the checked certificate of the solution, if the solver's traits say
///                         `disjoint`
///   one component         the bound for k nonzeros (Spectrum::cardinality_bound);
///                         the checked certificate of the solution
///   a solver whose traits say `exact`, if it ended by its own rule
///                         the value of its answer
///
/// If the answer is feasible and explains more by rounding, its value is the bound
/// (raised_by_rounding).
double upper_bound(const SolverEntry& solver, const Solution& solution,
                   const std::vector<Index>& cardinality, const Covariance& covariance,
                   const Spectrum& spectrum);

/// A bound on the variance that any feasible answer explains, and the cost of its check.
struct CheckedBound {
  double value = kNotMeasured;  // in the units of S; NaN as upper_bound()
  /// The source of the bound, as a noun phrase: "the certificate of branch-bound, checked".
  std::string source = {};
  /// True if the solver is the source: its trait `exact`, or its certificate.
  bool is_of_solver = false;
  double check_seconds = kNotMeasured;  // wall time of the check; NaN if nothing was checked
  /// True if time ran out. The certificate then counts only as far as it was checked: the bound
  /// holds, but may be weaker.
  bool was_stopped = false;
};
/// The same as upper_bound(), with `check_limit` seconds for the eigenvalues and the check of the
/// certificate together. The limit of the spectrum (Spectrum::limit) bounds the eigenvalues' part.
CheckedBound upper_bound_within(double check_limit, const SolverEntry& solver,
                                const Solution& solution, const std::vector<Index>& cardinality,
                                const Covariance& covariance, const Spectrum& spectrum);

/// Returns the time limit of the check of a certificate: the time limit of the solve, because a
/// check may take as long as the search, but at least kLeastCheckSeconds.
double check_time_limit(double time_limit);
/// At least this number of seconds are allowed for the check of a certificate. Chosen by trial, not
/// measured.
inline constexpr double kLeastCheckSeconds = 0.5;

}  // namespace spca
