#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/cli/command.h"
#include "spca/solving/solver.h"

namespace spca::cli {

/// Returns "cardinality", "penalty" or "dense".
const char* rule_name(SparsityRule rule);

/// Returns the title in an experiment's file. If the file cannot be read, returns what is wrong
/// with it: a list of names must not fail for one of them.
std::string experiment_title(const std::string& name);

/// Returns the profiles that an experiment's file declares, and "full", which every one has. Throws
/// InputError if the file is not JSON.
std::vector<std::string> experiment_profiles(const std::filesystem::path& path);

/// What `spca describe KIND NAME --json` prints. Throws InputError for another kind or name.
Json description_of(const std::string& kind, const std::string& name, const GlobalOptions& global);
/// The same of a solver that need not be registered.
Json solver_description(const SolverEntry& entry);

/// What `spca list WHAT --json` prints. Throws InputError for another word.
Json list_of(const std::string& what);
/// A solver in that list.
Json solver_summary(const SolverEntry& entry);

}  // namespace spca::cli
