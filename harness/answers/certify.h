#pragma once

/// Computes the variance of given loadings and a bound on the variance of every answer to the same
/// problem. The loadings, not the name of a solver, determine the problem. The bound comes from
/// branch-bound for one component, from branch-price for disjoint components, from the metric
/// upper_bound_orthogonal for orthogonal ones, and in every case also from the eigenvalues,
/// variances and rows of S.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/answers/answer_kind.h"
#include "harness/answers/solve_report.h"

namespace spca {

/// Loadings to be certified, from a solver or from elsewhere.
struct GivenAnswer {
  std::vector<Component> components;
  /// The cardinality limit of each component. If empty, the limits are the numbers of nonzeros.
  std::vector<Index> cardinality = {};
  /// Eigenvalues of S that are already known (Spectrum::seed_with).
  std::map<Index, Vector> eigenvalues = {};
};

/// The answer of the solver that searched for a bound.
struct ProvenAnswer {
  Request request;
  SolveReport report;
};

struct Certificate {
  double value = kNotMeasured;  // the projected variance of the loadings
  double upper_bound = kNotMeasured;
  double gap = kNotMeasured;  // (upper_bound - value) / upper_bound
  AnswerKind kind = AnswerKind::kAny;
  std::vector<Index> cardinality;  // cardinalities for which the bound holds
  bool is_cardinality_asked = false;
  std::string source;  // origin of the bound: a solver, a metric, or "spectrum"
  std::map<std::string, std::vector<double>> metrics;
  std::optional<ProvenAnswer> proof;
  /// Empty, or one line that says which value is above a bound (contradiction.h). Nothing is
  /// certified then.
  std::string contradiction;
};

/// Throws InputError whose message begins with "components" if there are none, or if they are not
/// unit vectors on p variables.
void check_loadings(const std::vector<Component>& components, Index p);

/// Bounds the variance of every answer of the same kind and cardinalities. `request` provides the
/// data, seed and threads; each bound may take `seconds`. Throws InputError whose message begins
/// with "components" or "cardinality" if the loadings are not unit vectors on p variables or exceed
/// their cardinality limits. The bound is NaN if no proof holds and the eigenvalues of
/// S do not converge in time.
Certificate certify(const Request& request, const GivenAnswer& given, double seconds,
                    SolveWatch* watch = nullptr);

/// Returns the members that the Python and R packages report, with the answer of the search as
/// "proof".
Json certificate_json(const Certificate& certificate);

/// Judges `outcome`, which solves `request`, with the bound that certify() finds. If the search
/// finds a better answer, or any answer while `outcome` lacks components, the function sets
/// `request` to the search's request and returns the search's report. The notes of the report say
/// which was done.
SolveReport certified_report(Request& request, SolveOutcome outcome, double seconds,
                             SolveWatch* watch);

}  // namespace spca
