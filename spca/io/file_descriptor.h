#pragma once

/// Files by their descriptors: what several processes append to, lock or replace. Every function
/// throws InputError that names the file and the system's reason.

#include <filesystem>
#include <functional>
#include <string_view>

namespace spca {

/// A file descriptor that is closed with its owner.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor() { close(); }
  int get() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }
  void close();

 private:
  int descriptor_ = -1;
};

/// Throws "path: what: reason" for an errno.
[[noreturn]] void throw_file_error(const std::filesystem::path& path, const char* what, int error);

/// `flags` as of open(2).
FileDescriptor open_or_throw(const std::filesystem::path& path, int flags);
void make_directory(const std::filesystem::path& path);
void write_all(const FileDescriptor& file, const std::filesystem::path& path,
               std::string_view bytes);

/// Writes beside `path` and renames: a reader sees the old file or the new one, never a part.
using WriteFile = std::function<void(const FileDescriptor& file, const std::filesystem::path&)>;
void replace_file(const std::filesystem::path& path, const WriteFile& write);

/// flock(2) without waiting: whether the lock was granted.
bool try_lock(const FileDescriptor& file, int operation);

}  // namespace spca
