#pragma once

/// Where the files of data sets are.

#include <filesystem>
#include <string>

namespace spca {

/// The path of a file below `data_dir`, given as "kos/docword.kos.txt.gz". The file may also lie
/// there with .gz added or taken away, or as `spca convert` makes it: kos/docword.kos.txt.spca.
/// Throws MissingData if it does not: the message says where it
/// was looked for, how to name another folder, and which command gets it.
std::filesystem::path find_data_file(const std::filesystem::path& data_dir,
                                     const std::string& file);

/// The data folder: what --data-dir says, else SPCA_DATA_DIR, else $XDG_CACHE_HOME/spca, else
/// ~/.cache/spca.
std::filesystem::path data_directory(const std::string& command_line_value);

}  // namespace spca
