#include "harness/instances/same_data.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "harness/instances/instance_tolerances.h"

namespace spca {
namespace {

bool has_stated_value(const KnownInstance& known, const Covariance& covariance,
                      const Spectrum& spectrum) {
  const BestAnswer& best = known.instance->best;
  const std::vector<Component> components =
      components_of(*known.of, covariance, best, known.instance->r);
  return is_same_value(instance_value(*known.of, covariance, spectrum, components), best.value);
}

}  // namespace

std::optional<DataOrigin> origin_of_same_data(const InstanceLibrary& library,
                                              const Covariance& covariance) {
  const Spectrum spectrum(covariance);
  std::map<std::string, std::vector<KnownInstance>> by_data;
  for (const KnownInstance& known : library.instances_of(covariance.variables())) {
    const bool is_one = known.instance->r == 1 && !known.of->needs_loadings();
    if (is_one && is_same_value(known.data->trace, covariance.total_variance())) {
      by_data[known.data->label].push_back(known);
    }
  }
  for (const auto& [label, instances] : by_data) {
    if (std::all_of(instances.begin(), instances.end(), [&](const KnownInstance& known) {
          return has_stated_value(known, covariance, spectrum);
        })) {
      const InstanceData& data = *instances.front().data;
      return DataOrigin{.dataset = data.dataset,
                        .options = data.options,
                        .draw = data.draw,
                        .checksum = [checksum = data.checksum] { return checksum; }};
    }
  }
  return std::nullopt;
}

}  // namespace spca
