#pragma once

#include <string>
#include <vector>

namespace spca {

/// Returns the SHA-256 of the documents of these experiments, of their cells with all options and
/// defaults, and of the numbers of their baselines (results/reference/NAME.json beside the folder
/// of experiments), which change when a solver answers differently. These numbers are statuses,
/// explained variances and the metrics that are compared with printed numbers, with six digits.
/// Cells of solvers that a user added are left out. Files made from the experiments contain the
/// digest, to show later whether they are stale. Throws as load_experiment does.
std::string experiments_digest(const std::vector<std::string>& names);

}  // namespace spca
