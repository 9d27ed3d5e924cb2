#pragma once

#include <filesystem>

namespace spca {

/// Registers a stand-in for every solver, data set and metric that the records in `cells_file` name
/// and this program does not have (a plugin of another program, or one that was removed since): the
/// run's tables and figures can be made all the same. A stand-in takes any options and is skipped.
/// False where nothing is missing. Throws as read_records does.
bool register_stand_ins(const std::filesystem::path& cells_file, Damage damage);

}  // namespace spca
