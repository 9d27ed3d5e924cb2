#include "harness/instances/instance_class.h"

#include <fmt/format.h>

#include <cmath>

#include "spca/base/error.h"
#include "spca/measure/encoder_metrics.h"
#include "spca/measure/metrics.h"
#include "spca/solving/feasibility.h"
#include "spca/spectrum/joint_loadings.h"

namespace spca {

Direction InstanceClass::direction() const {
  return MetricRegistry::instance().get(metric, name).traits.direction;
}

ClassBound bound_by_metric(const std::string& metric) {
  return {.name = metric, .compute = [metric](const MetricContext& context) {
            const std::vector<double> values =
                measure(MetricRegistry::instance().get(metric, "bound"), context);
            return ComputedBound{values.empty() ? kNotMeasured : values.front()};
          }};
}

std::string instance_id(const InstanceClass& of, const std::string& label, Index r, Index k) {
  return of.tag.empty() ? fmt::format("{}-k{}", label, k)
                        : fmt::format("{}-{}-r{}-k{}", label, of.tag, r, k);
}

std::vector<Support> supports_of(const InstanceClass& of,
                                 const std::vector<Component>& components) {
  if (of.has_common_support) {
    return {join_supports(components).support};
  }
  std::vector<Support> supports;
  supports.reserve(components.size());
  for (const Component& component : components) {
    supports.push_back(component.support);
  }
  return supports;
}

std::string find_wrong_supports(const InstanceClass& of, const std::vector<Support>& supports,
                                const InstanceSize& size) {
  const Index count = of.has_common_support ? 1 : size.r;
  if (std::ssize(supports) != count) {
    return fmt::format("number of components: {}, not {}", supports.size(), count);
  }
  for (std::size_t j = 0; j < supports.size(); ++j) {
    const Index nonzeros = std::ssize(supports[j]);
    if (nonzeros < 1 || nonzeros > size.k) {
      return of.has_common_support ? fmt::format("{} variables, not 1 to {}", nonzeros, size.k)
                                   : fmt::format("component {} has {} nonzeros, not 1 to {}", j + 1,
                                                 nonzeros, size.k);
    }
  }
  if (of.has_common_support && std::ssize(supports[0]) < size.r) {
    return fmt::format("{} common variables for {} components", supports[0].size(), size.r);
  }
  return "";
}

std::vector<Component> components_of(const InstanceClass& of, const Covariance& covariance,
                                     const BestAnswer& answer, Index r) {
  if (!of.needs_loadings()) {
    return of.settle(covariance, answer.supports, r);
  }
  if (answer.loadings.empty()) {
    throw InputError(
        fmt::format("class {}: found supports alone, and the loadings do not follow from them; "
                    "accepted: loadings",
                    of.name));
  }
  return answer.loadings;
}

double instance_value(const InstanceClass& of, const Covariance& covariance,
                      const Spectrum& spectrum, const std::vector<Component>& components) {
  const SolveCost no_cost;
  const std::vector<Component> no_truth;
  const MetricContext context{.covariance = covariance,
                              .components = components,
                              .truth = no_truth,
                              .spectrum = spectrum,
                              .cost = no_cost};
  const std::vector<double> values =
      measure(MetricRegistry::instance().get(of.metric, of.name), context);
  return values.empty() ? kNotMeasured : values.front();
}

std::string find_wrong_sizes(const std::vector<Component>& components, const InstanceSize& size) {
  if (std::ssize(components) != size.r) {
    return fmt::format("number of components: {}, not {}", components.size(), size.r);
  }
  return find_infeasibility(components, size.p,
                            std::vector<Index>(static_cast<std::size_t>(size.r), size.k),
                            Supports::kAny);
}

std::string find_oblique_loadings(const std::vector<Component>& components) {
  const Matrix gram = loadings_gram(components);
  for (Index i = 0; i < gram.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      if (!(std::abs(gram(i, j)) <= kOrthogonalTolerance)) {
        return fmt::format("components {} and {} are not orthogonal: their product is {:.3g}",
                           j + 1, i + 1, gram(i, j));
      }
    }
  }
  return "";
}

std::string find_too_many_rows(const std::vector<Component>& components, const InstanceSize& size) {
  const Index rows = row_sparsity(components);
  return rows > size.k ? fmt::format("{} variables in all components, not {}", rows, size.k) : "";
}

}  // namespace spca
