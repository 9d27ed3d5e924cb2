#pragma once

/// Judges an answer: feasibility, bound, metrics and laws, from the loadings and the data alone.
/// Runs, `spca solve` and `spca path` all judge here.
///
/// An answer with the status time_limit or incomplete may have fewer components than were asked for.
/// It is held to the cardinalities of those that it has. Its metrics and its bound are theirs: what
/// as many components of these cardinalities explain.

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

/// Loadings, and what the harness knows of how they came about.
struct Answer {
  const SolverEntry& solver;       // whose promises hold
  const Json& options;             // as used
  Solution solution;               // of a status that is usable, with components
  Index components = 1;            // asked for
  std::vector<Index> cardinality;  // empty if none bound the solver
  bool disjoint = false;           // SolveOutcome::disjoint
  SolveCost cost = {};             // for metrics of time and products
  /// If a number is given, the checked bound as an earlier judgement found it: `solution` need not
  /// have its certificate then.
  std::optional<double> upper_bound = std::nullopt;
  /// What proved that bound (CheckedBound::source), for messages.
  std::string bound_source = "a bound that was proved before";
  /// Seconds that eigenvalues and the check of the certificate may take (check_time_limit()).
  double check_limit = std::numeric_limits<double>::infinity();
  double search_seconds = kMetricSearchSeconds;  // MetricContext::search_seconds
  double penalty = kNotMeasured;                 // MetricContext::penalty
  std::uint64_t seed = 0;                        // MetricContext::seed
  /// Names of metrics that are not to be measured, not even as laws: they are NaN.
  std::set<std::string> without = {};
  /// If it is not empty, it is called before each metric is measured, with the metric's name. The
  /// bound is known by then. Before, it is called with an empty name: the answer is feasible.
  std::function<void(const std::string& metric, const Judgement& so_far)> on_metric = {};
};

/// What the judge found.
struct Judgement {
  /// Empty, or one line that says why the answer is invalid. Either it is not feasible, or a metric
  /// of its solver's laws (Traits::laws) is below -absolute_tolerance, or a bound that was measured
  /// is below what is feasible (contradiction.h). A law that cannot be measured (NaN) is not broken.
  std::string wrong;
  std::map<std::string, std::vector<double>> metrics;  // empty if something is wrong
  double upper_bound = kNotMeasured;                   // measured if a metric needs it
  double check_seconds = kNotMeasured;  // of the certificate; NaN if none was checked
  /// Empty, or one line that says which limit was met: that of the check of the certificate, so that
  /// a weaker bound stands, or that of the spectrum, so that metrics are NaN that need it. It also
  /// names each metric that failed, with the reason; such a metric is NaN.
  std::string note;
  bool has_failed = false;     // a metric did
  bool out_of_memory = false;  // for that reason
};

/// `metrics` names the metrics to measure. If it is empty, those that are measured by default are.
/// Laws are measured in any case, but reported only if they are among these.
Judgement judge(const Answer& answer, const Dataset& dataset, const Spectrum& spectrum,
                const std::vector<std::string>& metrics);

/// Judgement::wrong alone: feasibility and laws, and no other metric is measured.
std::string find_fault(const Answer& answer, const Dataset& dataset, const Spectrum& spectrum);

/// Returns what a note says of a metric that failed: "NAME is not measured: WHY".
std::string unmeasured_note(const std::string& metric, const std::string& why);
/// Returns a message, whose parts stand between "; ", without such notes.
std::string without_unmeasured_notes(const std::string& message);

/// Returns true if a list of metrics as above asks for this one.
bool wants_metric(const std::vector<std::string>& metrics, const std::string& name);

/// Whether one of the metrics that such a list asks for has this trait, as
/// `any_metric(metrics, &MetricTraits::needs_bound)`.
bool any_metric(const std::vector<std::string>& metrics, bool MetricTraits::*trait);

/// Such a list: the metrics that are measured by default and need no upper bound.
std::vector<std::string> metrics_without_bound();

}  // namespace spca
