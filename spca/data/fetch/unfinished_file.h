#pragma once

/// FILE.part: the bytes of FILE that have arrived so far, beside the place where FILE will be.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "spca/io/file_descriptor.h"

namespace spca {

/// A file that gets its name when it is complete. Its bytes outlive this process, so that the next
/// one can go on where this one stopped. Every function throws InputError that names the file and
/// the system's reason.
class UnfinishedFile {
 public:
  /// Opens FILE.part for `target` = FILE, and makes it and its folder if they are not there. Holds
  /// it against other processes until the end of this object. If another process holds it, calls
  /// `on_wait` once and waits.
  UnfinishedFile(std::filesystem::path target, const std::function<void()>& on_wait);

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }

  void append(std::string_view bytes);
  /// Throws all bytes away.
  void clear();
  /// Puts the bytes on the disk and gives the file its name.
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
