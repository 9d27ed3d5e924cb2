#pragma once

#include <string>

#include "spca/solver.h"

namespace spca::cli {

/// "cardinality", "penalty" or "dense".
const char* rule_name(SparsityRule rule);

/// The title in an experiment's file; what is wrong with the file where it cannot be read: a list
/// of names must not fail for one of them.
std::string experiment_title(const std::string& name);

}  // namespace spca::cli
