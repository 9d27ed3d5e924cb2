#include "harness/instances/same_data.h"

#include <optional>

#include "harness/instances/fingerprint.h"
#include "harness/instances/instance_tolerances.h"

namespace spca {

std::optional<DataOrigin> origin_of_same_data(const InstanceLibrary& library,
                                              const Covariance& covariance) {
  std::optional<double> found;  // the fingerprint of S
  for (const KnownInstance& known : library.instances_of(covariance.variables())) {
    const InstanceData& data = *known.data;
    if (!is_same_value(data.trace, covariance.total_variance())) {
      continue;
    }
    if (!found) {
      found = fingerprint(covariance);
    }
    if (is_same_value(data.fingerprint, *found)) {
      return DataOrigin{.dataset = data.dataset,
                        .options = data.options,
                        .draw = data.draw,
                        .checksum = [checksum = data.checksum] { return checksum; }};
    }
  }
  return std::nullopt;
}

}  // namespace spca
