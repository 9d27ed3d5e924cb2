#pragma once

/// Folders for files that nobody keeps.

#include <filesystem>

namespace spca {

/// Makes a new folder in the folder for temporary files (TMPDIR, otherwise /tmp), which whoever
/// calls removes. Throws InputError that names that folder.
std::filesystem::path make_temporary_folder();

}  // namespace spca
