#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "spca/solving/solver.h"

namespace spca::cli {

/// "cardinality", "penalty" or "dense".
const char* rule_name(SparsityRule rule);

/// The title in an experiment's file; what is wrong with the file where it cannot be read: a list
/// of names must not fail for one of them.
std::string experiment_title(const std::string& name);

/// The profiles that an experiment's file declares, and "full", which every one has. Throws
/// InputError where the file is not JSON.
std::vector<std::string> experiment_profiles(const std::filesystem::path& path);

}  // namespace spca::cli
