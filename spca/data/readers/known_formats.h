#pragma once

/// Common formats of other programs that are not supported here.

#include <filesystem>
#include <string_view>

namespace spca {

/// Throws InputError "FILE: is ...; accepted: ..." if `start`, the first bytes (gunzipped), or the
/// name belong to such a format. The message says how to convert the file, where that is possible.
void refuse_known_formats(const std::filesystem::path& path, std::string_view start);

/// Throws InputError as refuse_known_formats() does, for a zip archive with a member that is not a
/// NumPy array.
void refuse_other_zip(const std::filesystem::path& path);

/// Throws InputError for a folder. The message says how to convert it if it is Zarr, and names its
/// matrix.mtx if it has one.
void refuse_folder(const std::filesystem::path& path);

}  // namespace spca
