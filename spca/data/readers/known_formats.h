#pragma once

/// Common formats of other programs that are not supported here.

#include <filesystem>
#include <string_view>

namespace spca {

/// Throws InputError "FILE: is ...; accepted: ..." with one way to convert to a supported format,
/// if the first bytes (gunzipped) or, failing that, the name belong to such a format.
void refuse_known_formats(const std::filesystem::path& path, std::string_view start);

/// The same as refuse_known_formats(), for a zip archive whose members are not NumPy arrays.
void refuse_other_zip(const std::filesystem::path& path);

/// Throws InputError for a folder, with the file in it that is probably meant.
void refuse_folder(const std::filesystem::path& path);

}  // namespace spca
