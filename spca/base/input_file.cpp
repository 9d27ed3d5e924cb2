#include "spca/base/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "spca/base/error.h"

namespace spca {
namespace {

constexpr std::size_t kPart = 1 << 18;
constexpr std::uint64_t kMegabyte = 1'000'000;

/// A file descriptor that the destructor closes.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) {
      ::close(number_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
  throw InputError(fmt::format("{}: {}", path.string(), what));
}

std::string temporary_folder() {
  const char* const named = std::getenv("TMPDIR");
  return named == nullptr || *named == '\0' ? "/tmp" : named;
}

/// Opens a file whose name is deleted at once, so that it vanishes when its descriptor is closed.
int open_unnamed_file(const std::filesystem::path& input) {
  std::string name = temporary_folder() + "/spca-input-XXXXXX";
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) {
    refuse(input, fmt::format("is not a regular file, and no copy of it can be made in {} ({}); "
                              "accepted: a file, or another folder by TMPDIR",
                              temporary_folder(), std::strerror(errno)));
  }
  ::unlink(name.c_str());
  return file;
}

/// Returns the number that the file contains; the largest number if the file has no number ("max")
/// or is missing.
std::uint64_t number_in(const std::string& file) {
  std::uint64_t number = 0;
  return std::ifstream(file) >> number ? number : std::numeric_limits<std::uint64_t>::max();
}

/// Returns the memory that the control group of this process, and those above it, may still use.
std::uint64_t available_in_group() {
  std::string group;
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    group = line.starts_with("0::") ? line.substr(3) : group;
  }
  // In a container the topmost visible group is this process's own.
  const std::filesystem::path top = "/sys/fs/cgroup";
  std::uint64_t available = std::numeric_limits<std::uint64_t>::max();
  for (std::filesystem::path folder = top.string() + group; folder != top.parent_path();
       folder = folder.parent_path()) {
    const std::uint64_t limit = number_in(folder / "memory.max");
    if (limit != std::numeric_limits<std::uint64_t>::max()) {
      available =
          std::min(available, limit - std::min(limit, number_in(folder / "memory.current")));
    }
  }
  return available;
}

/// Returns the memory that can be used without swapping.
std::uint64_t available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == "MemAvailable:" && file >> kilobytes) {
      return std::min(kilobytes * 1024, available_in_group());
    }
  }
  return available_in_group();
}

/// Writes all of `from` to the end of `to`.
void copy_all(int from, int to, std::uint64_t limit, const std::filesystem::path& path) {
  std::vector<char> bytes(kPart);
  std::uint64_t copied = 0;
  for (;;) {
    const ssize_t count = ::read(from, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      refuse(path, fmt::format("cannot be read ({})", std::strerror(errno)));
    }
    if (count == 0) {
      return;
    }
    copied += static_cast<std::uint64_t>(count);
    if (copied > limit) {
      refuse(path,
             fmt::format("is not a regular file, and has more than {} MB; accepted: a file, or a "
                         "pipe of at most a tenth of the available memory and half of the "
                         "free space of {} (TMPDIR names another folder)",
                         limit / kMegabyte, temporary_folder()));
    }
    for (ssize_t written = 0; written < count;) {
      const ssize_t part =
          ::write(to, bytes.data() + written, static_cast<std::size_t>(count - written));
      if (part < 0 && errno != EINTR) {
        refuse(path, fmt::format("cannot be copied to {} ({}); accepted: a file, or another folder "
                                 "by TMPDIR",
                                 temporary_folder(), std::strerror(errno)));
      }
      written += std::max<ssize_t>(part, 0);
    }
  }
}

/// Copies of piped input, by the path that was opened.
struct Copies {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<const Descriptor>> of_path;
  bool are_kept = false;
  std::vector<std::shared_ptr<const Descriptor>> kept;
};

Copies& copies() {
  static Copies all;
  return all;
}

std::shared_ptr<const Descriptor> make_copy(const std::filesystem::path& path, int input,
                                            std::uint64_t limit) {
  auto copy = std::make_shared<const Descriptor>(open_unnamed_file(path));
  copy_all(input, copy->number(), limit == 0 ? largest_piped_input() : limit, path);
  return copy;
}

/// Returns a copy of the input if it is piped, or if it is standard input and a regular file of
/// which a part was read. Otherwise returns null: for other regular files, for folders, and for
/// paths that cannot be opened.
std::shared_ptr<const Descriptor> copy_of(const std::filesystem::path& path, std::uint64_t limit) {
  const std::lock_guard lock(copies().mutex);
  const auto known = copies().of_path.find(path.string());
  if (known != copies().of_path.end()) {
    if (std::shared_ptr<const Descriptor> copy = known->second.lock()) {
      return copy;
    }
    copies().of_path.erase(known);
  }
  const bool is_standard_input = path == "/dev/stdin";
  struct stat status {};
  const int state =
      is_standard_input ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
  // A shell may have read the first lines of a file that it passes on as standard input.
  const bool is_at_begin = !is_standard_input || ::lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
  if (state != 0 || S_ISDIR(status.st_mode) || (S_ISREG(status.st_mode) && is_at_begin)) {
    return nullptr;
  }
  std::shared_ptr<const Descriptor> copy;
  if (is_standard_input) {
    copy = make_copy(path, STDIN_FILENO, limit);
  } else {
    const Descriptor input(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (input.number() < 0) {
      return nullptr;
    }
    copy = make_copy(path, input.number(), limit);
  }
  copies().of_path[path.string()] = copy;
  if (copies().are_kept) {
    copies().kept.push_back(copy);
  }
  return copy;
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path, std::uint64_t limit) : path_(path) {
  if (const auto copy = copy_of(path, limit)) {
    path_ = fmt::format("/proc/self/fd/{}", copy->number());
    copy_ = copy;
  }
}

void retain_piped_input() { copies().are_kept = true; }

std::uint64_t largest_piped_input() {
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(temporary_folder(), error);
  const std::uint64_t free = error ? std::numeric_limits<std::uint64_t>::max() : space.available;
  return std::min(available_memory() / 10, free / 2);
}

}  // namespace spca
