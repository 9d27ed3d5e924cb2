#pragma once

#include <filesystem>

#include "spca/data/content/file_content.h"

namespace spca {

/// Reads GCT 1.2 or 1.3. Its rows are genes: they become variables, and a note says so. If
/// `keeps_missing`, a missing value is NaN in the matrix; otherwise it is an error.
FileContent read_gct(const std::filesystem::path& path, bool keeps_missing);

}  // namespace spca
