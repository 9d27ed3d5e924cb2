#pragma once

/// Where the files of data sets are looked for.

#include <filesystem>
#include <string>

namespace spca {

/// The path below `data_dir` of "kos/docword.kos.txt.gz" or of the same name with .gz added or
/// taken away. Throws MissingData that says where the file is looked for and how to name another
/// folder.
std::filesystem::path find_data_file(const std::filesystem::path& data_dir,
                                     const std::string& file);

/// --data-dir where given, else SPCA_DATA_DIR, else $XDG_CACHE_HOME/spca or ~/.cache/spca.
std::filesystem::path data_directory(const std::string& command_line_value);

}  // namespace spca
