#pragma once

#include <string>
#include <vector>

namespace spca {

/// Returns the SHA-256 of all that determines the results of these experiments: their documents,
/// their cells with all options and defaults, and the numbers of their baselines
/// (../results/reference/NAME.json beside the folder of experiments), which change when a solver
/// answers differently. Of a baseline these are statuses, variances and the metrics that are
/// compared with printed numbers, with six digits. Files made from the experiments contain the
/// digest, to show later whether they are stale. Throws as load_experiment does.
std::string experiments_digest(const std::vector<std::string>& names);

}  // namespace spca
