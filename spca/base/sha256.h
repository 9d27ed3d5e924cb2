#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace spca {

/// SHA-256 (FIPS 180-4) as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);
/// Hashes the bytes of a file, read in blocks. Throws InputError if it cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);
/// Returns the first 64 bits of sha256(bytes). Seeds are derived with it from an identity.
std::uint64_t hash64(std::string_view bytes);

}  // namespace spca
