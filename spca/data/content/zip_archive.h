#pragma once

/// Reads zip archives (APPNOTE 6.3.10, sections 4.3 to 4.5): stored and deflated members, also
/// beyond 4 GB (Zip64). No encryption, and no archive in several files.

#include <zlib.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "spca/base/input_file.h"
#include "spca/data/content/byte_source.h"

namespace spca {

struct ZipMember {
  std::string name;
  bool is_deflated = false;
  std::uint32_t checksum = 0;      // CRC-32 of the content
  std::uint64_t packed_bytes = 0;  // compressed, in the archive
  std::uint64_t bytes = 0;         // of the content
  std::uint64_t header_at = 0;     // of its local header, from the beginning of the file
};

class ZipArchive {
 public:
  /// Reads the directory at the end of the file. Throws InputError for a file that is not an
  /// archive, is truncated, or has a member that is encrypted or compressed by another method.
  explicit ZipArchive(const std::filesystem::path& path);

  const std::string& name() const { return name_; }
  const std::vector<ZipMember>& members() const { return members_; }
  /// The member of this name, or null.
  const ZipMember* find(const std::string& member) const;
  std::uint64_t file_bytes() const { return file_bytes_; }

  /// Opens a member, whose checksum is verified when its last byte is read. The archive must
  /// outlive the result.
  std::unique_ptr<ByteSource> open(const ZipMember& member) const;

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  friend class ZipContent;

  std::string bytes_at(std::uint64_t offset, std::uint64_t count) const;
  void read_directory();
  [[noreturn]] void fail(const std::string& message) const;

  std::string name_;
  InputFile input_file_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::uint64_t file_bytes_ = 0;
  std::vector<ZipMember> members_;
};

}  // namespace spca
