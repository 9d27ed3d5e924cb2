#pragma once

/// Formats the results of `spca instances`, and writes the matrix of an instance.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/instances/instance_check.h"
#include "harness/instances/instance_library.h"
#include "harness/instances/library_update.h"

namespace spca::cli {

/// Returns a line for each instance, and the counts by class.
std::string instances_text(const std::vector<KnownInstance>& instances);
Json instances_json(const InstanceLibrary& library, const std::vector<KnownInstance>& instances);

/// Returns everything that is known of one instance. The names of variables are those of the data
/// in `data_dir`, if they are there.
std::string shown_text(const KnownInstance& known, const std::filesystem::path& data_dir);
Json shown_json(const KnownInstance& known, const std::filesystem::path& data_dir);
enum class WrittenVariables { kAll, kOfAnswer };  // those of the best answer, ascending
/// Writes S of the instance on these variables to a file in NumPy's format. Throws InputError if
/// the data are missing or not those of the library, or if S is too large.
void write_matrix(const std::filesystem::path& file, const KnownInstance& known,
                  WrittenVariables variables, const std::filesystem::path& data_dir);

/// Returns "pitprops-k5: ok, 3.40615495".
std::string check_line(const InstanceCheck& check);
/// Returns a line for each weaker or wrong instance, one line for all instances that lack the same
/// data, and the counts.
std::string checks_text(const std::vector<InstanceCheck>& checks);
Json checks_json(const std::vector<InstanceCheck>& checks);

/// Returns the counts of the updates, and a line for each problem. `source`, "run" or "file", has
/// the answers.
std::string updates_text(const InstanceLibrary& library, const std::vector<InstanceUpdate>& updates,
                         const std::string& source);
Json updates_json(const InstanceLibrary& library, const std::vector<InstanceUpdate>& updates);

/// Returns the names of the classes as "a, b or c", for help texts.
std::string class_alternatives();

}  // namespace spca::cli
