#pragma once

/// Finds the folder of data sets and their files.

#include <filesystem>
#include <string>

namespace spca {

/// Returns the path of a file below `data_dir`, given as "kos/docword.kos.txt.gz". The file may
/// also have .gz added or removed, or be made by `spca convert`: kos/docword.kos.txt.spca. If there
/// is no such file, returns the path of the copy in the program (built_in_files.h). Throws
/// MissingData if there is no copy either: the message names the file and the data folder, the way
/// to choose another folder, and, if `spca fetch` gets the file, that command.
std::filesystem::path find_data_file(const std::filesystem::path& data_dir,
                                     const std::string& file);

/// Returns the data folder: the value of --data-dir, else SPCA_DATA_DIR, else $XDG_CACHE_HOME/spca,
/// else ~/.cache/spca.
std::filesystem::path data_directory(const std::string& command_line_value);

}  // namespace spca
