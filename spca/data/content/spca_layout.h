#pragma once

/// The layout of a .spca file (write_spca.h).

#include <cstdint>
#include <string_view>

namespace spca {

inline constexpr std::string_view kSpcaMagic = "SPCADATA";
/// The version of a file that holds X itself, or genotypes.
inline constexpr std::uint32_t kSpcaVersion = 1;
/// The version of a file that holds X - 1c' and c.
inline constexpr std::uint32_t kSpcaShiftedVersion = 2;
inline constexpr std::uint64_t kSpcaHeaderBytes = 128;

enum class SpcaKind : std::uint32_t { kSparse = 0, kGenotypes = 1 };

/// The first bytes of a file.
struct SpcaHeader {
  char magic[8] = {};
  std::uint32_t version = kSpcaVersion;
  SpcaKind kind = SpcaKind::kSparse;
  std::uint32_t is_bag_of_words = 0;
  std::uint32_t has_names = 0;
  std::uint64_t n = 0;
  std::uint64_t p = 0;
  std::uint64_t entries = 0;     // 0 for genotypes
  std::uint64_t name_bytes = 0;  // with their lengths
  std::uint64_t file_bytes = 0;
  std::uint32_t facts_checksum = 0;    // CRC-32 of facts and names
  std::uint32_t content_checksum = 0;  // CRC-32 from SpcaLayout::content on
};
static_assert(sizeof(SpcaHeader) == 72, "no gaps between the fields");

/// Offsets of the parts, in bytes.
struct SpcaLayout {
  struct Lines {
    std::uint64_t starts = 0, indices = 0, values = 0;
  };
  std::uint64_t facts = 0;
  std::uint64_t names = 0;
  std::uint64_t content = 0;
  Lines rows, columns;  // of sparse data
  std::uint64_t end = 0;
};

/// Returns the layout. The sizes in the header must be small enough for no overflow
/// (is_plausible()).
SpcaLayout layout_of(const SpcaHeader& header);
/// Returns true if n and p are at least 1 and fit into indices of 32 bits, and the other sizes are
/// possible. The file then has less than 2^62 bytes.
bool is_plausible(const SpcaHeader& header);

/// Returns the CRC-32 of two parts together: bytes whose CRC-32 is `checksum`, then [begin, end).
/// The CRC-32 of no bytes is 0.
std::uint32_t continued_checksum(std::uint32_t checksum, const void* begin, const void* end);
inline std::uint32_t checksum_of(const void* begin, const void* end) {
  return continued_checksum(0, begin, end);
}

}  // namespace spca
