#pragma once

#include <filesystem>
#include <string_view>

#include "spca/data/content/file_content.h"

namespace spca {

/// The lines "label feature:value ..." of SVMlight and LIBSVM; becomes sparse. Features are
/// numbered from 1, or from 0 if one is 0. Labels are left out. Notes say both.
FileContent read_svmlight(const std::filesystem::path& path);
/// Returns true if the first bytes of a file are lines of SVMlight.
bool looks_like_svmlight(std::string_view start);

}  // namespace spca
