#pragma once

#include <filesystem>
#include <string_view>

#include "spca/data/content/file_content.h"

namespace spca {

/// Reads lines "label feature:value ..." of SVMlight and LIBSVM. The result is sparse. Features are
/// numbered from 1, or from 0 if one is 0. Labels are left out. A note says both.
FileContent read_svmlight(const std::filesystem::path& path);
/// Returns true if the first bytes of a file are lines of SVMlight.
bool looks_like_svmlight(std::string_view start);

}  // namespace spca
