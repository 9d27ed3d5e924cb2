#pragma once

/// Reads the project's own file (spca_layout.h).

#include <cstdint>
#include <filesystem>

#include "spca/data/content/file_content.h"

namespace spca {

/// The project's own format (spca_file.h). The data stay in the file.
FileContent read_spca(const std::filesystem::path& path);

/// At most this number of bytes are verified when a file is opened: less than a tenth of a second.
inline constexpr std::uint64_t kCheckedAtOpen = std::uint64_t{1} << 24;

/// Reads and verifies the whole file. Throws InputError that describes the fault.
void check_spca(const std::filesystem::path& path);

}  // namespace spca
