#pragma once

/// Finds runs below the folder results/runs of the working directory.

#include <filesystem>
#include <string>
#include <vector>

namespace spca {

/// Returns a run folder, given the folder, or the name or the file of an experiment, whose newest
/// run under results/runs it then is. A run with --set is another experiment: it is found by its
/// folder only.
std::filesystem::path find_run(const std::string& run);

/// The newest run of every experiment below results/runs that was run without --set, in the order of
/// the experiments' names.
std::vector<std::filesystem::path> newest_runs();
/// Whether a run's folder holds a record.
bool has_record(const std::filesystem::path& run);

}  // namespace spca
