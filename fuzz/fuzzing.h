#pragma once

/// Functions of all fuzz targets: the input as a file, and the invariants for any input.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "spca/data/content/file_content.h"

namespace spca::fuzz {

/// Aborts with the message `claim`, which libFuzzer reports as a finding, unless `holds`.
void require(bool holds, std::string_view claim);

/// Returns libFuzzer's bytes as text.
inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Writes the file `name` in the folder of this process and returns its path.
std::filesystem::path write_file(const std::string& name, std::string_view bytes);
/// The same as write_file(), gzipped by zlib.
std::filesystem::path write_gzipped(const std::string& name, std::string_view bytes);

/// Returns true if `read` accepted the input. InputError is the only exception that it may throw,
/// with one line that a terminal can show; a missing file (MissingData) is an InputError.
bool accepted(const std::function<void()>& read);

/// Checks the result of a reader: dense or sparse, a name for every column or none, indices in
/// range and in order.
void require_sound(const FileContent& content);

/// Reads the bytes plain and gzipped: both ways must end alike, with the same numbers.
void read_both_ways(const std::string& name, std::string_view bytes,
                    FileContent (*read)(const std::filesystem::path&));

}  // namespace spca::fuzz
