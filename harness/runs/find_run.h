#pragma once

/// Finds runs below the folder results/runs of the working directory, or of an experiment's file.

#include <filesystem>
#include <string>
#include <vector>

namespace spca {

/// Returns a run folder. `run` is the folder, or the name or the file of an experiment, whose
/// newest run under results/runs is then returned. The run of a file may also lie under
/// results/runs of the file's folder; a run of another file with the same name is not returned. A
/// run with --set is a different experiment, and is found only by its folder. Throws InputError if
/// there is no such run.
std::filesystem::path find_run(const std::string& run);

/// Returns the newest run without --set of every experiment below results/runs, sorted by the
/// experiments' names.
std::vector<std::filesystem::path> newest_runs();
/// Returns whether a run's folder holds a record.
bool has_record(const std::filesystem::path& run);

}  // namespace spca
