#pragma once

#include <filesystem>

namespace spca {

/// Throws InputError, in one line, if `directory` is there and holds something else than a run: "-o
/// /" must not put a run's files among those of others. Accepted is what is not there, an empty
/// folder, and a folder with cells.jsonl or with nothing but a run's other files.
void refuse_foreign_folder(const std::filesystem::path& directory);

}  // namespace spca
