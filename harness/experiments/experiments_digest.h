#pragma once

#include <string>
#include <vector>

namespace spca {

/// Returns a SHA-256 of everything that determines the results of these experiments: their
/// documents, their cells with all options and defaults, and numbers of their baselines
/// (../results/reference/NAME.json beside the folder of experiments), which change when the answer
/// of a solver changes. The numbers of a baseline are the statuses, the variances and the metrics
/// that are compared with printed numbers, with six digits. Cells of solvers that a user added are
/// left out. Files made from the experiments contain the digest, to show later whether they are
/// stale. Throws as load_experiment does.
std::string experiments_digest(const std::vector<std::string>& names);

}  // namespace spca
