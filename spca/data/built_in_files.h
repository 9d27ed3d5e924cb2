#pragma once

/// Files of data sets that are built into the program (datasets/built-in).

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace spca {

/// Returns the path under which readers find a file of a data set that is built into the program:
/// "<built in>/wine/labels.csv" for "wine/labels.csv". Returns nothing if the program does not
/// carry the file.
std::optional<std::filesystem::path> built_in_path(const std::string& file);

/// Returns the content of a path that built_in_path() returned; nothing for any other path.
std::optional<std::string_view> built_in_content(const std::filesystem::path& path);

}  // namespace spca
