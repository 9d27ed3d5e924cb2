#pragma once

/// Files by their descriptors: for files that several processes append to, lock or replace. Every
/// function but try_write_all throws InputError "path: what failed: the system's reason".

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

/// Opens a file; `flags` are those of open(2). A new file gets the permissions that the umask
/// leaves. Programs that this process starts do not inherit the descriptor.
FileDescriptor open_or_throw(const std::filesystem::path& path, int flags);

/// Makes a folder with the folders above it, if it is not there.
void make_directory(const std::filesystem::path& path);

/// Writes all bytes to a descriptor of any kind. Returns 0, or the errno of the write that failed;
/// some of the bytes may have been written by then.
int try_write_all(int descriptor, std::string_view bytes);

/// Writes all bytes. `path` is for the message of the exception only.
void write_all(const FileDescriptor& file, const std::filesystem::path& path,
               std::string_view bytes);

/// Gives `path` the content that `write` puts into `file`. A reader sees the old content or the
/// new, never a part, whenever this process ends. If anything throws, `path` keeps its old content.
/// `write` gets `path` as its second argument, for its messages. It may read what it wrote, also by
/// mapping the file into memory.
///
/// A symbolic link stays: the file to which it leads is replaced. What is no regular file (a device,
/// a FIFO, a descriptor as /dev/stdout) is opened and written to, and keeps what is written before
/// an exception.
using WriteFile = std::function<void(const FileDescriptor& file, const std::filesystem::path&)>;
void replace_file(const std::filesystem::path& path, const WriteFile& write);

/// The same for content that is in memory.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Puts all that was written to `file` on the disk itself.
void sync_to_disk(const FileDescriptor& file, const std::filesystem::path& path);

/// Asks for a flock(2) without waiting. Returns whether it was granted; if not, errno says why.
bool try_lock(const FileDescriptor& file, int operation);

}  // namespace spca
