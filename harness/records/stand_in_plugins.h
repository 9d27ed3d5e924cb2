#pragma once

#include <filesystem>

#include "harness/records/run_seal.h"

namespace spca {

/// Registers a stand-in for every solver, data set and metric that the records in `cells_file` name
/// and this program lacks (a plugin of another program, one that was removed, or a peer without its
/// file), so that the run's tables and figures can still be made. A stand-in accepts any options: a
/// solver is then skipped, a data set throws MissingData, and a metric is not measured. Returns
/// false if no plugin is missing. Throws as read_records does.
bool register_stand_ins(const std::filesystem::path& cells_file, Damage damage);

}  // namespace spca
