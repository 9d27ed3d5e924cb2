#pragma once

/// The contract of a metric. A metric is one file in metrics/ with two parts:
///
/// - a function `std::vector<double> x(const MetricContext&)`;
/// - a line `SPCA_METRIC("x", x, traits)`.
///
/// The harness computes it from the loadings and the data, and uses no number that the solver
/// reports.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "spca/base/registry.h"
#include "spca/data/dataset.h"
#include "spca/measure/answer_variances.h"
#include "spca/solving/solve_cost.h"
#include "spca/spectrum/spectrum.h"

namespace spca {

/// Default limit, in seconds, of a metric's search for a bound of its own.
inline constexpr double kMetricSearchSeconds = 20;

/// The inputs of a metric.
struct MetricContext {
  const Covariance& covariance;              // S as given, not deflated
  const std::vector<Component>& components;  // r, checked to be feasible
  const std::vector<Component>& truth;       // empty if not known
  const Spectrum& spectrum;                  // of `covariance`
  const SolveCost& cost;                     // of the solve
  double upper_bound = kNotMeasured;         // a checked bound on the optimum, if there is one
  double penalty = kNotMeasured;  // rho of the penalised objective, if the experiment names one
  /// d if the solver searches supports on S_d, the best approximation of rank d to S
  /// (Traits::rank); otherwise 0.
  Index rank = 0;
  const std::vector<int>* labels = nullptr;  // n, one class per sample; null if not known
  std::uint64_t seed = 0;  // of the repeat; random draws of a metric (such as folds) derive from it
  /// The k_j that bound the components; empty if there are none.
  std::vector<Index> cardinality = {};
  /// Limit, in seconds, of a metric's search for a bound of its own.
  double search_seconds = kMetricSearchSeconds;
  /// V'SV, V'V and v_j'Sv_j, computed once for all metrics.
  AnswerVariances variances{covariance, components};
};

/// The direction in which values of a metric are better.
enum class Direction {
  kHigherIsBetter,  // as of a variance
  kLowerIsBetter,   // as of an error or a time
  kNone,            // neither
};
/// "higher", "lower", "none".
const char* direction_name(Direction direction);

/// The effect on `spca check` of a value that is worse than the baseline.
enum class Gate {
  kHard,             // the check fails: quality, and costs that do not depend on the machine
  kSameMachineOnly,  // the check fails if both were measured alone, on the same machine
  kNone,             // the difference is only reported
};
/// "hard", "same-machine-only", "none".
const char* gate_name(Gate gate);

/// The properties of a metric.
struct MetricTraits {
  std::string unit;                                  // "" for a pure number
  Direction direction = Direction::kHigherIsBetter;  // which values are better
  std::string formula;                               // the formula of the metric, for readers
  std::string source = "";                           // authors, venue, year, if there is one
  bool per_component = false;                        // one number for each component
  bool timing = false;     // depends on the machine: left out if cells ran in parallel
  bool by_default = true;  // measured if the experiment names no metrics
  /// Most inputs of a metric can be recomputed from stored loadings and the data, or are stored
  /// with every answer (its cost). The following three are costly and are stored only if a measured
  /// metric needs them: for such a metric, a cell without them must be solved again.
  bool needs_bound = false;         // MetricContext::upper_bound
  bool needs_peak = false;          // SolveCost::peak_bytes
  bool needs_instructions = false;  // SolveCost::instructions
  /// Two values are equal to the gate if they differ by at most
  /// max(absolute_tolerance, relative_tolerance |reference|). The default is far above the rounding
  /// differences of a variance between processors or compilers, and too small for a user to notice.
  double absolute_tolerance = 0;     // in `unit`; positive if values of 0 occur
  double relative_tolerance = 1e-6;  // of the reference
  Gate gate = Gate::kHard;           // the effect of a worse value
  bool last_is_total = false;        // per_component: a running sum; otherwise the numbers add up
  bool is_share = false;             // the mean over repeats is a share of successes, in [0, 1]
};

/// A registered metric.
struct MetricEntry {
  std::string name;  // lower-case letters, digits and underscores
  std::string file;  // the source that registered it
  /// Returns one number, or r numbers if the traits say per_component. NaN if it cannot be measured
  /// (for example because no truth is known).
  std::function<std::vector<double>(const MetricContext&)> measure;
  MetricTraits traits;                            // its formula, unit, direction and tolerances
  static constexpr const char* kKind = "metric";  // in messages
};

extern template class Registry<MetricEntry>;
/// All linked metrics, by name.
using MetricRegistry = Registry<MetricEntry>;
/// Adds a metric to the registry. If the name is taken, the program stops (Registry::add).
bool register_metric(const char* name, const char* file,
                     std::vector<double> (*measure)(const MetricContext&),
                     const MetricTraits& traits);

/// Reduces the numbers of a metric to one, for tables, comparisons and gates: the last number of a
/// running sum (MetricTraits::last_is_total), and the sum of the numbers of any other metric, also
/// of one that this program does not have. NaN if `values` is empty.
double total_of(const std::string& metric, const std::vector<double>& values);

/// Returns NaN for each number that the metric has for an answer of `components` components.
std::vector<double> unmeasured(const MetricEntry& metric, std::size_t components);

/// Returns the metric's numbers. They are NaN if an eigenvalue that it needs does not converge.
std::vector<double> measure(const MetricEntry& metric, const MetricContext& context);

}  // namespace spca

/// Registers a metric: SPCA_METRIC("gap", gap, traits) at namespace scope of its file.
#define SPCA_METRIC(name, function, traits)                                        \
  [[maybe_unused]] static const bool SPCA_CONCATENATE(spca_metric_, __COUNTER__) = \
      ::spca::register_metric(name, __FILE__, function, traits)
