#pragma once

/// The variance of given loadings, and a bound on that of every answer to the same problem. The
/// loadings determine which problem that is, and the name of a solver does not: one component is
/// held against branch-bound, disjoint ones against branch-price, orthogonal ones against the metric
/// upper_bound_orthogonal, and all against eigenvalues, variances and rows of S.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/answers/answer_kind.h"
#include "harness/answers/solve_report.h"

namespace spca {

/// Loadings of a solver or from elsewhere.
struct GivenAnswer {
  std::vector<Component> components;
  /// The cardinalities that the components were held to, one for each. If empty, the number of
  /// nonzeros of each counts.
  std::vector<Index> cardinality = {};
  std::map<Index, Vector> eigenvalues = {};  // of S, that are known already (Spectrum::seed_with)
};

/// The answer of the solver that searched for a bound.
struct ProvenAnswer {
  PreparedSolve prepared;
  SolveReport report;
};

struct Certificate {
  double value = kNotMeasured;  // the projected variance of the loadings
  double upper_bound = kNotMeasured;
  double gap = kNotMeasured;  // (upper_bound - value) / upper_bound
  AnswerKind kind = AnswerKind::kAny;
  std::vector<Index> cardinality;  // for which the bound holds
  bool is_cardinality_asked = false;
  std::string source;  // of the bound: a solver, a metric, or "spectrum"
  std::map<std::string, std::vector<double>> metrics;
  std::optional<ProvenAnswer> proof;
  /// Empty, or one line: a value is above a bound (contradiction.h), and nothing is certified.
  std::string contradiction;
};

/// Bounds what any answer of the same kind and cardinalities explains. `prepared` gives data, seed
/// and threads; each bound may take `seconds`. Throws InputError that opens with "components" or
/// "cardinality" if the loadings are no unit vectors on p variables or have more nonzeros than they
/// were held to. The bound is NaN if there is none, because the eigenvalues of S do not converge.
Certificate certify(const PreparedSolve& prepared, const GivenAnswer& given, double seconds,
                    SolveWatch* watch = nullptr);

/// The members that packages of other languages have, with the answer of the search as "proof".
Json certificate_json(const Certificate& certificate);

/// Judges `outcome`, which solves `prepared`, with the bound that certify() finds. If the search
/// finds a better answer, or `outcome` lacks components, `prepared` and the report are those of the
/// search.
/// The report's notes say what was done.
SolveReport certified_report(PreparedSolve& prepared, SolveOutcome outcome, double seconds,
                             SolveWatch* watch);

}  // namespace spca
