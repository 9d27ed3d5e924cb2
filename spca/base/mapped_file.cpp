#include "spca/base/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "spca/base/error.h"
#include "spca/base/input_file.h"

namespace spca {
namespace {

/// Number of scattered reads between checks of the resident memory. A check costs a few
/// microseconds, as much as a few reads of pages that are not mapped.
constexpr std::size_t kPlacesBetweenLooks = 32;
constexpr std::size_t kPlaceBytes = 1 << 16;

std::uintptr_t page_bytes() {
  static const auto bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

/// Gives advice for the pages that hold [begin, end). A refusal costs speed or memory, but never
/// changes a result.
void advise(const void* begin, const void* end, int advice) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin) / page_bytes() * page_bytes();
  const auto last = reinterpret_cast<std::uintptr_t>(end);
  if (last > first) {
    [[maybe_unused]] const int ignored =
        ::madvise(reinterpret_cast<void*>(first), last - first, advice);
  }
}

/// Returns the bytes of this process that belong to files, from the third number of
/// /proc/self/statm, which counts pages. If it cannot be read, returns more than kMappedResident.
std::size_t resident_file_bytes() {
  char text[128] = "";
  const int descriptor = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  const ssize_t count = descriptor < 0 ? 0 : ::read(descriptor, text, sizeof text - 1);
  if (descriptor >= 0) {
    ::close(descriptor);
  }
  unsigned long size = 0, resident = 0, shared = 0;
  return count > 0 && std::sscanf(text, "%lu %lu %lu", &size, &resident, &shared) == 3
             ? shared * page_bytes()
             : kMappedResident + 1;
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  const InputFile input(path);
  const int descriptor = ::open(input.path().c_str(), O_RDONLY | O_CLOEXEC);
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
                                   is_file ? "empty" : "no file"));
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
  const std::size_t more = places * (1 + bytes / kPlaceBytes);
  if (places_.fetch_add(more, std::memory_order_relaxed) + more > kPlacesBetweenLooks) {
    places_.store(0, std::memory_order_relaxed);
    if (resident_file_bytes() > kMappedResident) {
      release_all();
    }
  }
}

}  // namespace spca
