#include "spca/data/content/spca_layout.h"

#include <zlib.h>

#include <algorithm>
#include <cstddef>

#include "spca/data/content/sparse_entries.h"

namespace spca {
namespace {

constexpr std::uint64_t kPart = 64;  // a line of the cache

std::uint64_t next_part(std::uint64_t at) { return (at + kPart - 1) / kPart * kPart; }

SpcaLayout::Lines lines_at(std::uint64_t& at, std::uint64_t lines, std::uint64_t entries) {
  SpcaLayout::Lines parts;
  parts.starts = next_part(at);
  parts.indices = next_part(parts.starts + (lines + 1) * sizeof(std::int64_t));
  parts.values = next_part(parts.indices + entries * sizeof(std::int32_t));
  at = parts.values + entries * sizeof(double);
  return parts;
}

}  // namespace

SpcaLayout layout_of(const SpcaHeader& header) {
  const bool is_sparse = header.kind == SpcaKind::kSparse;
  const std::uint64_t facts = header.version == kSpcaShiftedVersion ? 4 : 3;
  const std::uint64_t fact_bytes = is_sparse ? facts * sizeof(double) : 4 * sizeof(std::uint32_t);
  SpcaLayout layout;
  layout.facts = next_part(kSpcaHeaderBytes);
  layout.names = layout.facts + header.p * fact_bytes;
  layout.content = next_part(layout.names + header.name_bytes);
  layout.end = layout.content;
  if (is_sparse) {
    layout.rows = lines_at(layout.end, header.n, header.entries);
    layout.columns = lines_at(layout.end, header.p, header.entries);
  } else {
    layout.end += header.p * ((header.n + 3) / 4);
  }
  return layout;
}

bool is_plausible(const SpcaHeader& header) {
  constexpr auto kMostLines = static_cast<std::uint64_t>(kLargestInt);
  constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 56;
  return header.n >= 1 && header.p >= 1 && header.n <= kMostLines && header.p <= kMostLines &&
         header.entries <= kMostEntries && header.entries / header.p <= header.n &&
         header.name_bytes <= kMostEntries;
}

std::uint32_t continued_checksum(std::uint32_t checksum, const void* begin, const void* end) {
  constexpr std::ptrdiff_t kAtOnce = 1 << 30;
  const auto* at = static_cast<const Bytef*>(begin);
  const auto* const last = static_cast<const Bytef*>(end);
  while (at != last) {
    const std::ptrdiff_t count = std::min(last - at, kAtOnce);
    checksum = static_cast<std::uint32_t>(crc32(checksum, at, static_cast<uInt>(count)));
    at += count;
  }
  return checksum;
}

}  // namespace spca
