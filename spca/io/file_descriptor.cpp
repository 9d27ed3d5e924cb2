#include "spca/io/file_descriptor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "spca/base/error.h"

namespace spca {

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
  constexpr mode_t kFileMode = 0644;
  FileDescriptor file(::open(path.c_str(), flags | O_CLOEXEC, kFileMode));
  if (!file.is_open()) {
    const bool only_reads = (flags & O_ACCMODE) == O_RDONLY;
    throw_file_error(path, only_reads ? "cannot be read" : "cannot be written", errno);
  }
  return file;
}

void make_directory(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  std::error_code unknown;
  if (!std::filesystem::is_directory(path, unknown)) {
    throw_file_error(path, "cannot be made", error ? error.value() : ENOTDIR);
  }
}

void write_all(const FileDescriptor& file, const std::filesystem::path& path,
               std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) {
      throw_file_error(path, "cannot be written", errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
}

void replace_file(const std::filesystem::path& path, const WriteFile& write) {
  const std::filesystem::path beside = path.string() + ".new";
  try {
    const FileDescriptor file = open_or_throw(beside, O_WRONLY | O_CREAT | O_TRUNC);
    write(file, beside);
    if (::fsync(file.get()) != 0) {
      throw_file_error(beside, "cannot be written", errno);
    }
  } catch (...) {
    ::unlink(beside.c_str());
    throw;
  }
  if (::rename(beside.c_str(), path.c_str()) != 0) {
    throw_file_error(path, "cannot be replaced", errno);
  }
}

bool try_lock(const FileDescriptor& file, int operation) {
  return ::flock(file.get(), operation | LOCK_NB) == 0;
}

}  // namespace spca
