#include "spca/io/file_descriptor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "spca/base/error.h"
#include "spca/base/text.h"

namespace spca {
namespace {

constexpr const char* kNotWritten = "cannot be written";
constexpr mode_t kNewFile = 0666;  // before the umask

}  // namespace

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

void FileDescriptor::close() {
  if (descriptor_ >= 0) {
    ::close(std::exchange(descriptor_, -1));
  }
}

void throw_file_error(const std::filesystem::path& path, const char* what, int error) {
  throw InputError(fmt::format("{}: {}: {}", path.string(), what, std::strerror(error)));
}

FileDescriptor open_or_throw(const std::filesystem::path& path, int flags) {
  // O_CLOEXEC: a program that this process starts would otherwise inherit a lock.
  FileDescriptor file(::open(path.c_str(), flags | O_CLOEXEC, kNewFile));
  if (!file.is_open()) {
    const bool only_reads = (flags & O_ACCMODE) == O_RDONLY;
    throw_file_error(path, only_reads ? "cannot be read" : kNotWritten, errno);
  }
  return file;
}

void make_directory(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  // Only the existence of the folder counts: another process may have made it at the same moment.
  std::error_code unknown;
  if (!std::filesystem::is_directory(path, unknown)) {
    throw_file_error(path, "cannot be made", error ? error.value() : ENOTDIR);
  }
}

int try_write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (count == 0) {
      return ENOSPC;  // a device that accepts no more bytes, but reports no error: do not retry
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

void write_all(const FileDescriptor& file, const std::filesystem::path& path,
               std::string_view bytes) {
  if (const int error = try_write_all(file.get(), bytes); error != 0) {
    throw_file_error(path, kNotWritten, error);
  }
}

void sync_to_disk(const FileDescriptor& file, const std::filesystem::path& path) {
  // EINVAL: a file that is not on a disk, such as /dev/stdout, cannot be synchronised.
  if (::fsync(file.get()) != 0 && errno != EINVAL) {
    throw_file_error(path, kNotWritten, errno);
  }
}

namespace {

/// The file that a path leads to.
struct Target {
  std::filesystem::path path;         // behind all symbolic links; need not exist
  bool is_stream = false;             // a device, a FIFO, a descriptor: never replaced
  std::optional<int> descriptor;      // of this process
  std::optional<mode_t> permissions;  // of the existing file
};

/// Returns the number if `link` is an open descriptor of this process, as behind /dev/stdout.
std::optional<int> own_descriptor(const std::filesystem::path& link) {
  std::error_code error;
  const bool is_own = std::filesystem::equivalent(link.parent_path(), "/proc/self/fd", error);
  const std::optional<std::int64_t> number = parse_integer(link.filename().string());
  return is_own && number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

bool is_below_proc(const std::filesystem::path& link) {
  struct statfs system {};
  return ::statfs((link.parent_path() / ".").c_str(), &system) == 0 &&
         system.f_type == PROC_SUPER_MAGIC;
}

Target find_target(const std::filesystem::path& path) {
  Target target{.path = path, .descriptor = {}, .permissions = {}};
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      throw_file_error(path, kNotWritten, EISDIR);
    }
    target.is_stream = !S_ISREG(status.st_mode);
    target.permissions = status.st_mode & ALLPERMS;
  } else if (errno != ENOENT) {  // a loop of links, say
    throw_file_error(path, kNotWritten, errno);
  }
  // stat() has followed the links already, so this ends.
  while (::lstat(target.path.c_str(), &status) == 0 && S_ISLNK(status.st_mode)) {
    if (is_below_proc(target.path)) {
      // The link stands for an open file, to which other processes may write as well.
      target.is_stream = true;
      target.descriptor = own_descriptor(target.path);
      break;
    }
    std::error_code error;
    const std::filesystem::path next = std::filesystem::read_symlink(target.path, error);
    if (error) {
      throw_file_error(path, kNotWritten, error.value());
    }
    target.path = target.path.parent_path() / next;  // an absolute `next` replaces the whole
  }
  return target;
}

void write_to_stream(const Target& target, const std::filesystem::path& path,
                     const WriteFile& write) {
  if (target.descriptor) {
    // The descriptor is copied. Opening the file again would begin at its front, and overwrite the
    // output of other processes.
    const FileDescriptor file(::fcntl(*target.descriptor, F_DUPFD_CLOEXEC, 0));
    if (!file.is_open()) {
      throw_file_error(path, kNotWritten, errno);
    }
    write(file, path);
    return;
  }
  write(open_or_throw(path, O_WRONLY | O_APPEND | O_NOCTTY), path);
}

}  // namespace

void replace_file(const std::filesystem::path& path, const WriteFile& write) {
  const Target target = find_target(path);
  if (target.is_stream) {
    write_to_stream(target, path, write);
    return;
  }
  // The process number keeps two programs that write the same file out of each other's way.
  const std::string temporary = fmt::format("{}.{}.tmp", target.path.string(), ::getpid());
  ::unlink(temporary.c_str());  // left by a killed process with this number
  const FileDescriptor file(
      ::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kNewFile));
  if (!file.is_open()) {
    throw_file_error(path, kNotWritten, errno);
  }
  try {
    if (target.permissions) {
      // The new content gets the permissions of the old. Some file systems have no permissions.
      [[maybe_unused]] const int ignored = ::fchmod(file.get(), *target.permissions);
    }
    write(file, path);
    // Before the rename: a crash of the machine could otherwise leave the name without the content.
    sync_to_disk(file, path);
    if (::rename(temporary.c_str(), target.path.c_str()) != 0) {
      throw_file_error(path, kNotWritten, errno);
    }
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  replace_file(path, [content](const FileDescriptor& file, const std::filesystem::path& name) {
    write_all(file, name, content);
  });
}

bool try_lock(const FileDescriptor& file, int operation) {
  return ::flock(file.get(), operation | LOCK_NB) == 0;
}

}  // namespace spca
