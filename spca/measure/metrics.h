#pragma once

/// The contract of a metric. A metric is one file in metrics/ with two parts:
///
/// - a function `std::vector<double> x(const MetricContext&)`;
/// - a line `SPCA_METRIC("x", x, traits)`.
///
/// The harness computes it from the loadings and the data. Nothing that a solver says of its own
/// answer enters.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "spca/algebra/spectrum.h"
#include "spca/base/registry.h"
#include "spca/data/dataset.h"
#include "spca/measure/answer_variances.h"
#include "spca/solving/solve_cost.h"

namespace spca {

/// Seconds that a metric searches for a bound of its own, unless its caller says otherwise.
inline constexpr double kMetricSearchSeconds = 20;

/// What a metric may use.
struct MetricContext {
  const Covariance& covariance;              // S as given, not deflated
  const std::vector<Component>& components;  // r, checked to be feasible
  const std::vector<Component>& truth;       // empty if not known
  const Spectrum& spectrum;                  // of `covariance`
  const SolveCost& cost;                     // of the solve
  double upper_bound = kNotMeasured;         // a checked bound on the optimum, if there is one
  double penalty = kNotMeasured;  // rho of the penalised objective, if the experiment names one
  /// d if the solver looks for supports on S_d, the best approximation of rank d to S
  /// (Traits::rank); 0 for others.
  Index rank = 0;
  const std::vector<int>* labels = nullptr;  // n, one class a sample; null if not known
  std::uint64_t seed = 0;  // of the repeat: what a metric draws (such as folds) derives from it
  /// k_j that the components were held to; empty if none were.
  std::vector<Index> cardinality = {};
  /// Seconds that a metric may search for a bound of its own.
  double search_seconds = kMetricSearchSeconds;
  /// V'SV, V'V and v_j'Sv_j, once for all metrics.
  AnswerVariances variances{covariance, components};
};

/// Which values of a metric are better.
enum class Direction {
  kHigherIsBetter,  // as of a variance
  kLowerIsBetter,   // as of an error or a time
  kNone,            // neither
};
/// "higher", "lower", "none".
const char* direction_name(Direction direction);

/// What a value that is worse than its baseline's does to `spca check`.
enum class Gate {
  kHard,             // fails it: quality, and costs that no machine changes
  kSameMachineOnly,  // fails it if both were measured alone, on the same machine
  kNone,             // is reported
};
/// "hard", "same-machine-only", "none".
const char* gate_name(Gate gate);

/// What a metric says of itself.
struct MetricTraits {
  std::string unit;                                  // "" for a pure number
  Direction direction = Direction::kHigherIsBetter;  // which values are better
  std::string formula;                               // what is computed
  std::string source = "";                           // authors, venue, year, if there is one
  bool per_component = false;                        // one number a component instead of one
  bool timing = false;     // depends on the machine: left out where cells ran beside others
  bool by_default = true;  // measured where the experiment does not say which
  /// All that a metric takes from its context can be had again from stored loadings and the data,
  /// or is kept with every answer (its cost). Three things are costly and are kept only if a metric
  /// that is measured needs them: a cell without them must be solved again for such a metric.
  bool needs_bound = false;         // MetricContext::upper_bound
  bool needs_peak = false;          // SolveCost::peak_bytes
  bool needs_instructions = false;  // SolveCost::instructions
  /// Two values are the same to the gate where they differ by at most
  /// max(absolute_tolerance, relative_tolerance |reference|). The default is far above what another
  /// processor's or compiler's rounding does to a variance, far below what a user would notice.
  double absolute_tolerance = 0;     // in `unit`; positive where 0 is a value that occurs
  double relative_tolerance = 1e-6;  // of the reference
  Gate gate = Gate::kHard;           // what a value that is worse does
  bool last_is_total = false;        // per_component: a running sum; otherwise the numbers add up
};

/// A metric as the registry has it.
struct MetricEntry {
  std::string name;  // lower-case letters, digits and underscores
  std::string file;  // the source that registered it
  /// Returns one number, or r numbers if the traits say per_component. NaN if it cannot be measured
  /// (for example because no truth is known).
  std::function<std::vector<double>(const MetricContext&)> measure;
  MetricTraits traits;                            // what it says of itself
  static constexpr const char* kKind = "metric";  // in messages
};

extern template class Registry<MetricEntry>;
/// Every metric that is linked, by name.
using MetricRegistry = Registry<MetricEntry>;
/// Adds a metric to the registry. If the name is taken, the program stops (Registry::add).
bool register_metric(const char* name, const char* file,
                     std::vector<double> (*measure)(const MetricContext&),
                     const MetricTraits& traits);

/// One number for the numbers of a metric, as tables, comparisons and gates need it. A running sum
/// (MetricTraits::last_is_total) counts by its last number, any other metric by the sum of its
/// numbers. NaN if there are none. A metric that this program does not have counts by the sum.
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
