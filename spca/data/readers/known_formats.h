#pragma once

/// Formats that other programs write often and that no reader here takes.

#include <filesystem>
#include <string_view>

namespace spca {

/// Throws InputError "FILE: is ...; accepted: ..." with one way to a format that is read, if the
/// first bytes (gunzipped) or, where they say nothing, the name are those of such a format.
void refuse_known_formats(const std::filesystem::path& path, std::string_view start);

/// The same for a zip archive whose members are not arrays of NumPy.
void refuse_other_zip(const std::filesystem::path& path);

/// Throws InputError for a folder, with the file in it that is meant if it has one.
void refuse_folder(const std::filesystem::path& path);

}  // namespace spca
