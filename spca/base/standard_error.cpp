#include "spca/base/standard_error.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "spca/base/text.h"

namespace spca {

void write_standard_error(std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t count = ::write(STDERR_FILENO, bytes.data(), bytes.size());
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      return;
    }
  }
}

void say_line(std::string_view line) { write_standard_error(printable(line) + "\n"); }

void open_standard_descriptors() noexcept {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) {
      continue;
    }
    // open() takes the lowest free number, which is this one. Standard output is opened for
    // reading, so that a write fails instead of losing its output silently.
    ::open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace spca
