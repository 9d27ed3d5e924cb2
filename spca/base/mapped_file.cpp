#include "spca/base/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "spca/base/error.h"

namespace spca {
namespace {

/// Linux maps so many bytes around a byte that is touched, if it has them in memory.
constexpr std::size_t kFaultBytes = 1 << 16;

std::uintptr_t page_bytes() {
  static const auto bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

/// Advice for the pages that hold [begin, end). It is advice: a refusal costs speed or memory, and
/// never a result.
void advise(const void* begin, const void* end, int advice) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin) / page_bytes() * page_bytes();
  const auto last = reinterpret_cast<std::uintptr_t>(end);
  if (last > first) {
    [[maybe_unused]] const int ignored =
        ::madvise(reinterpret_cast<void*>(first), last - first, advice);
  }
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    throw InputError(fmt::format("{}: cannot be opened ({}); accepted: a readable file",
                                 path.string(), std::strerror(errno)));
  }
  struct stat status {};
  const bool is_file = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  size_ = is_file ? static_cast<std::size_t>(status.st_size) : 0;
  try {
    if (size_ == 0) {
      throw InputError(fmt::format("{}: is {}; accepted: a file with content", path.string(),
                                   is_file ? "empty" : "no regular file"));
    }
    map(descriptor, PROT_READ, path);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  ::close(descriptor);
}

MappedFile::MappedFile(int descriptor, std::size_t bytes, const std::filesystem::path& path)
    : size_(bytes) {
  map(descriptor, PROT_READ | PROT_WRITE, path);
}

void MappedFile::map(int descriptor, int protection, const std::filesystem::path& path) {
  void* const memory = ::mmap(nullptr, size_, protection, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) {
    throw InputError(
        fmt::format("{}: cannot be mapped into memory ({}); accepted: address space "
                    "for its {} bytes",
                    path.string(), std::strerror(errno), size_));
  }
  data_ = static_cast<std::byte*>(memory);
}

MappedFile::~MappedFile() { ::munmap(data_, size_); }

void MappedFile::will_need(const void* begin, const void* end) const {
  advise(begin, end, MADV_WILLNEED);
}

void MappedFile::release(const void* begin, const void* end) const {
  advise(begin, end, MADV_DONTNEED);
}

void MappedFile::touched(std::size_t places, std::size_t bytes) const {
  const std::size_t held = places * std::max(bytes, kFaultBytes);
  if (held_.fetch_add(held, std::memory_order_relaxed) + held > kMappedWindow) {
    held_.store(0, std::memory_order_relaxed);
    release_all();
  }
}

}  // namespace spca
