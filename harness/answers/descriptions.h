#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "spca/base/types.h"
#include "spca/solving/solver.h"

namespace spca {

/// Returns "cardinality", "penalty" or "dense".
const char* rule_name(SparsityRule rule);

/// Returns the title in an experiment's file. If the file cannot be read or has no title, returns
/// "(not readable: see spca validate NAME)", so that one broken file does not stop a list of names.
std::string experiment_title(const std::string& name);

/// Returns the profiles that an experiment's file declares and the profile "full", which every
/// experiment has. Throws InputError if the file cannot be read or is not JSON.
std::vector<std::string> experiment_profiles(const std::filesystem::path& path);

/// Returns the output of `spca describe KIND NAME --json`. `data_folder` is the value of
/// --data-dir, empty if the option was not given. Throws InputError for an unknown kind or name.
Json description_of(const std::string& kind, const std::string& name,
                    const std::string& data_folder);
/// Throws InputError that lists the kinds if `kind` is unknown.
void check_description_kind(const std::string& kind);
/// Returns the description of a solver that need not be registered.
Json solver_description(const SolverEntry& entry);

}  // namespace spca
