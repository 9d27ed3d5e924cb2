#pragma once

/// Measures one metric of given components, for the tests of metrics.

#include <string>
#include <vector>

#include "spca/measure/metrics.h"

namespace spca::trial {

/// Inputs of a metric other than S and the components. The truth and the cost are empty.
struct Beside {
  double upper_bound = kNotMeasured;
  double penalty = kNotMeasured;
  Index rank = 0;
  const std::vector<int>* labels = nullptr;
  std::uint64_t seed = 0;
  std::vector<Index> cardinality = {};
};

inline double measure_one(const std::string& name, const Covariance& covariance,
                          const std::vector<Component>& components, const Beside& beside = {}) {
  const Spectrum spectrum(covariance);
  const std::vector<Component> truth;
  const SolveCost cost;
  const MetricContext context{.covariance = covariance,
                              .components = components,
                              .truth = truth,
                              .spectrum = spectrum,
                              .cost = cost,
                              .upper_bound = beside.upper_bound,
                              .penalty = beside.penalty,
                              .rank = beside.rank,
                              .labels = beside.labels,
                              .seed = beside.seed,
                              .cardinality = beside.cardinality};
  return measure(MetricRegistry::instance().get(name, "test"), context).at(0);
}

}  // namespace spca::trial
