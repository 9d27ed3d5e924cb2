#include "spca/io/file_descriptor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "spca/base/error.h"

namespace spca {
namespace {

constexpr const char* kNotWritten = "cannot be written";
constexpr mode_t kNewFile = 0666;  // the umask takes from it

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
  // O_CLOEXEC: a lock would otherwise live on in a program that this process starts.
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
  // The folder is what counts: another process may have made it at the same moment.
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
      return ENOSPC;  // a device that takes nothing more without saying so: do not try for ever
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
  // EINVAL: what is no file on a disk, as /dev/stdout, has nothing to put there.
  if (::fsync(file.get()) != 0 && errno != EINVAL) {
    throw_file_error(path, kNotWritten, errno);
  }
}

void replace_file(const std::filesystem::path& path, const WriteFile& write) {
  // The process number keeps two programs that write the same file out of each other's way.
  const std::string temporary = fmt::format("{}.{}.tmp", path.string(), ::getpid());
  const FileDescriptor file(
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kNewFile));
  if (!file.is_open()) {
    throw_file_error(path, kNotWritten, errno);
  }
  try {
    write(file, path);
    // Before the name: a crash of the machine could otherwise leave the name without the content.
    sync_to_disk(file, path);
    if (::rename(temporary.c_str(), path.c_str()) != 0) {
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
