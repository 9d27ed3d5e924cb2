#pragma once

/// One file of the cache of cells, which one process wrote. docs/RUNS_AND_CACHE.md has the layout.

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "spca/io/file_descriptor.h"
#include "spca/solving/solver.h"

namespace spca {

/// The 64 hexadecimal digits of a record's key as numbers, the first 16 digits first.
using CellKey = std::array<std::uint64_t, 4>;
struct CellKeyHash {
  std::size_t operator()(const CellKey& key) const { return key[0] ^ key[3]; }
};
/// `digits` as sha256 gives them; fewer stand at the end of the key, after zeros.
CellKey cell_key_from(std::string_view digits);

enum class CacheEntryKind : std::uint8_t { kRecord, kForgotten, kIdentity, kOrigin };

/// One line of a segment. Stands as it is in the index file.
struct CacheEntry {
  CellKey key{};             // of an identity: its digest alone; of an origin: zero
  std::uint64_t offset = 0;  // of the line
  std::uint64_t origin = 0;  // offset of the line that says who wrote this one
  double seconds = 0;        // solve_seconds of a record, or NaN
  std::uint32_t length = 0;  // of the line, line feed included
  CacheEntryKind kind = CacheEntryKind::kRecord;
  std::uint8_t status = 0;  // of a record
  std::array<std::uint8_t, 2> unused{};
};
static_assert(sizeof(CacheEntry) == 64, "the index file is read as it stands");

/// `payload`, a tab, the CRC-32 of the payload in hexadecimal digits, a line feed.
std::string cache_line(std::string_view payload);
/// {"identity":DIGEST,"of":IDENTITY}: what the digest in the second half of a key stands for.
std::string identity_payload(std::string_view digest, const Json& identity);
std::string forgotten_payload(std::string_view key);
std::string origin_payload(const Json& origin);

class CacheSegment {
 public:
  /// The whole lines of the file: from its index where that is complete, otherwise by reading it
  /// all. The index of a segment that nobody writes any more is then written, where that can be.
  /// Throws InputError where the file cannot be read.
  explicit CacheSegment(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  const std::vector<CacheEntry>& entries() const { return entries_; }
  std::uint64_t bytes() const { return bytes_; }  // of the file
  bool in_use() const { return in_use_; }         // its writer still runs
  /// Lines that are torn or altered. They count for nothing and cost no other line.
  std::uint64_t damaged() const { return damaged_; }
  /// The line without its checksum; empty where it is damaged.
  std::string payload(std::uint64_t offset, std::uint32_t length) const;
  std::string payload(const CacheEntry& entry) const { return payload(entry.offset, entry.length); }
  /// The parsed origin of an entry; null where it is damaged.
  Json origin(const CacheEntry& entry) const;
  /// payload() opens the file anew: there may be more segments than files that may be open.
  void close() const { file_.close(); }

  static std::filesystem::path index_path(const std::filesystem::path& segment);

 private:
  bool read_index();
  void read_lines();
  void add_line(std::string_view line, std::uint64_t offset);
  void write_index() const;

  std::filesystem::path path_;
  mutable FileDescriptor file_;
  std::vector<CacheEntry> entries_;
  std::uint64_t bytes_ = 0;
  std::uint64_t damaged_ = 0;
  std::uint64_t origin_ = 0;  // of the lines that follow
  bool in_use_ = false;
};

}  // namespace spca
