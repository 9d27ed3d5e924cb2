#pragma once

#include <filesystem>

namespace spca {

/// Throws InputError, one line, if `directory` exists and holds anything but a run: "-o /" must not
/// mix a run's files with other files. Accepts a missing or empty folder, and a folder that holds
/// cells.jsonl or only other files of a run.
void refuse_foreign_folder(const std::filesystem::path& directory);

}  // namespace spca
