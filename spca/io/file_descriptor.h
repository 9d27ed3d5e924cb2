#pragma once

/// Files by their descriptors: for files that several processes append to, lock or replace. Every
/// free function but try_write_all and try_lock throws InputError "path: what failed: the system's
/// reason".

#include <filesystem>
#include <functional>
#include <string_view>

namespace spca {

/// A file descriptor that is closed when the object is destroyed.
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

/// Throws InputError "path: what: reason" for an errno.
[[noreturn]] void throw_file_error(const std::filesystem::path& path, const char* what, int error);

/// Opens a file; `flags` are those of open(2). A new file gets the permissions that the umask
/// leaves. Programs that this process starts do not inherit the descriptor.
FileDescriptor open_or_throw(const std::filesystem::path& path, int flags);

/// Makes a folder and the folders above it, if they do not exist.
void make_directory(const std::filesystem::path& path);

/// Writes all bytes to a descriptor of any kind. Returns 0, or the errno of the write that failed;
/// some of the bytes may have been written by then.
int try_write_all(int descriptor, std::string_view bytes);

/// Writes all bytes. `path` is for the message of the exception only.
void write_all(const FileDescriptor& file, const std::filesystem::path& path,
               std::string_view bytes);

/// Gives `path` the content that `write` puts into `file`. A reader sees the old content or the
/// new, never a part, even if this process is killed. If anything throws, `path` keeps its old
/// content.
/// `write` gets `path` as its second argument, for its messages. It may read its own output, also
/// by mapping the file into memory.
///
/// A symbolic link stays: its target is replaced. Anything but a regular file (a device, a FIFO, a
/// descriptor such as /dev/stdout) is written to directly, and keeps the bytes written before an
/// exception.
using WriteFile = std::function<void(const FileDescriptor& file, const std::filesystem::path&)>;
void replace_file(const std::filesystem::path& path, const WriteFile& write);

/// The same as replace_file(), for content in memory.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Flushes all bytes written to `file` to the disk.
void sync_to_disk(const FileDescriptor& file, const std::filesystem::path& path);

/// Tries flock(2) without waiting. Returns true if the lock was granted; otherwise errno says why.
bool try_lock(const FileDescriptor& file, int operation);

}  // namespace spca
