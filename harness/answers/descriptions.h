#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "spca/base/types.h"
#include "spca/solving/solver.h"

namespace spca {

/// Returns "cardinality", "penalty" or "dense".
const char* rule_name(SparsityRule rule);

/// Returns the title in an experiment's file. If the file cannot be read, returns what is wrong
/// with it: a list of names must not fail for one of them.
std::string experiment_title(const std::string& name);

/// Returns the profiles that an experiment's file declares, and "full", which every one has. Throws
/// InputError if the file is not JSON.
std::vector<std::string> experiment_profiles(const std::filesystem::path& path);

/// Returns what `spca describe KIND NAME --json` prints. `data_folder` is the value of --data-dir,
/// empty if it was not given. Throws InputError for another kind or name.
Json description_of(const std::string& kind, const std::string& name,
                    const std::string& data_folder);
/// Throws InputError that names the kinds if this is none.
void check_description_kind(const std::string& kind);
/// The same of a solver that need not be registered.
Json solver_description(const SolverEntry& entry);

}  // namespace spca
