#pragma once

/// Reads the project's own format, .spca (spca_layout.h).

#include <cstdint>
#include <filesystem>

#include "spca/data/content/file_content.h"

namespace spca {

/// Reads a .spca file. The data stay in the file.
FileContent read_spca(const std::filesystem::path& path);

/// The content of a file of at most this number of bytes is verified when the file is opened, in
/// less than a tenth of a second. Of a larger file, only the header and the facts of the columns
/// are.
inline constexpr std::uint64_t kCheckedAtOpen = std::uint64_t{1} << 24;

/// Reads and verifies the whole file. Throws InputError that describes the first fault.
void check_spca(const std::filesystem::path& path);

}  // namespace spca
