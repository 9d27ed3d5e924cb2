#pragma once

#include <string>
#include <vector>

namespace spca {

/// Returns the SHA-256 of the documents of these experiments. Files made from the experiments
/// contain it, to show later whether an experiment has changed since. Throws as find_experiment
/// does.
std::string experiments_digest(const std::vector<std::string>& names);

}  // namespace spca
