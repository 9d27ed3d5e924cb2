#pragma once

/// FILE.part: the bytes of FILE that have arrived so far, beside the place where FILE will be.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "spca/io/file_descriptor.h"

namespace spca {

/// A file that gets its name when it is complete. Its bytes outlive this process, so that a later
/// process can continue. The functions that change the file, except remove(), throw InputError that
/// names the file and the system's reason.
class UnfinishedFile {
 public:
  /// Opens FILE.part for `target` = FILE, and makes it and its folder if they do not exist. Locks
  /// it against other processes for the life of this object. If another process has locked it,
  /// calls `on_wait` once and waits.
  UnfinishedFile(std::filesystem::path target, const std::function<void()>& on_wait);

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }

  void append(std::string_view bytes);
  /// Discards all bytes.
  void clear();
  /// Flushes the bytes to the disk and renames the file to its final name.
  void finish();
  /// Deletes the file.
  void remove();

 private:
  bool open_and_lock(const std::function<void()>& on_wait);

  std::filesystem::path target_, path_;
  FileDescriptor file_;
  std::uint64_t size_ = 0;
};

}  // namespace spca
