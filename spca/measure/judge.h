#pragma once

/// Judges an answer: feasibility, bound, metrics and laws, from the loadings and the data alone.
/// Used by runs, and by the commands that solve, measure or certify.
///
/// An answer with the status time_limit or incomplete may have fewer components than requested. It
/// must satisfy the cardinalities of the components that it has, and its metrics refer to these
/// components only. It has no bound: one on these components would be none on the problem.

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "spca/data/dataset.h"
#include "spca/measure/metrics.h"
#include "spca/solving/solve.h"

namespace spca {

struct Judgement;

/// Loadings, and the facts about the solve that produced them.
struct Answer {
  const SolverEntry& solver;       // its traits are checked
  const Json& options;             // as used
  Solution solution;               // with a usable status and components
  Index components = 1;            // requested
  std::vector<Index> cardinality;  // empty if the solver was not bound by cardinalities
  bool disjoint = false;           // SolveOutcome::disjoint
  SolveCost cost = {};             // for metrics of time and products
  /// The checked bound of an earlier judgement, if given: `solution` then needs no certificate.
  std::optional<double> upper_bound = std::nullopt;
  /// The source of `upper_bound` (CheckedBound::source), for messages.
  std::string bound_source = "a bound that was proved before";
  /// At most this number of seconds for eigenvalues and the check of the certificate
  /// (check_time_limit()).
  double check_limit = std::numeric_limits<double>::infinity();
  double search_seconds = kMetricSearchSeconds;  // MetricContext::search_seconds
  double penalty = kNotMeasured;                 // MetricContext::penalty
  std::uint64_t seed = 0;                        // MetricContext::seed
  /// Names of metrics that are not to be measured, not even as laws: they are NaN.
  std::set<std::string> without = {};
  /// If not empty, called before each metric is measured, with the name of the metric; the bound is
  /// known by then. Called once before with an empty name, when the answer is known to be feasible.
  std::function<void(const std::string& metric, const Judgement& so_far)> on_metric = {};
};

/// The result of judge().
struct Judgement {
  /// Empty, or one line that says why the answer is invalid: it is not feasible, a metric of its
  /// solver's laws (Traits::laws) is below -absolute_tolerance, or a measured bound is below a
  /// feasible value (contradiction.h): that of the answer, of single variables, or, if the solver
  /// gave the bound, of an answer near its own (rival.h). A law that cannot be measured (NaN) is
  /// not broken.
  std::string wrong;
  std::map<std::string, std::vector<double>> metrics;  // empty if something is wrong
  double upper_bound = kNotMeasured;                   // measured if a metric needs it
  double check_seconds = kNotMeasured;  // of the certificate; NaN if none was checked
  /// Empty, or one line that says which time limit was reached: that of the check of the
  /// certificate, so the bound is weaker, or that of the spectrum, so metrics that need
  /// it are NaN. It also names each metric that failed, with the reason; such a metric is NaN.
  std::string note;
  bool has_failed = false;     // a metric failed
  bool out_of_memory = false;  // a metric failed for lack of memory
};

/// Returns the first value of a metric; NaN if it is not among the measured ones or has no value.
double first_value(const std::map<std::string, std::vector<double>>& metrics, const char* name);

/// Judges an answer. `metrics` names the metrics to measure; if it is empty, the default metrics
/// are measured. Laws are always measured, but reported only if they are among the metrics.
Judgement judge(const Answer& answer, const Dataset& dataset, const Spectrum& spectrum,
                const std::vector<std::string>& metrics);

/// Returns Judgement::wrong: checks feasibility, laws and Answer::upper_bound if given, and
/// measures no other metric.
std::string find_fault(const Answer& answer, const Dataset& dataset, const Spectrum& spectrum);

/// Returns the note on a metric that failed: "NAME is not measured: WHY".
std::string unmeasured_note(const std::string& metric, const std::string& why);
/// Returns a message, whose parts are separated by "; ", without the parts of unmeasured_note().
std::string without_unmeasured_notes(const std::string& message);

/// Returns true if the list `metrics` of judge() requests this metric.
bool wants_metric(const std::vector<std::string>& metrics, const std::string& name);

/// Returns true if a metric that the list `metrics` of judge() requests has this trait:
/// `any_metric(metrics, &MetricTraits::needs_bound)`.
bool any_metric(const std::vector<std::string>& metrics, bool MetricTraits::*trait);

/// Returns the names of the default metrics that need no upper bound.
std::vector<std::string> metrics_without_bound();

}  // namespace spca
