#include "spca/io/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

#include "spca/base/standard_error.h"
#include "spca/base/text.h"

namespace spca {
namespace {

constexpr double kSecondsBetweenBars = 0.1;
constexpr double kSecondsBetweenLines = 5;
constexpr std::size_t kBarWidth = 30;

}  // namespace

double monotonic_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::string format_duration(double seconds) {
  constexpr long kMinute = 60;
  constexpr long kHour = 3600;
  if (seconds < kMinute) {
    return fmt::format("{:.1f} s", seconds);
  }
  const long whole = std::lround(seconds);
  if (whole < kHour) {
    return fmt::format("{} min {:02} s", whole / kMinute, whole % kMinute);
  }
  return fmt::format("{} h {:02} min", whole / kHour, whole % kHour / kMinute);
}

Progress::Progress(std::size_t count, std::string things, bool quiet)
    : things_(std::move(things)),
      total_(count),
      before_(0),
      quiet_(quiet || count == 0),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      began_(monotonic_seconds()),
      part_began_(began_),
      said_(began_) {}

Progress::Progress(std::string file, std::uint64_t bytes, std::uint64_t already)
    : Progress(bytes, "", false) {
  file_ = std::move(file);
  before_ = already;
}

void Progress::expect_later(std::size_t count, double seconds) {
  later_ = count;
  seconds_later_ = seconds;
}

void Progress::begin_part(std::string name, std::size_t count) {
  part_ = std::move(name);
  part_began_ = monotonic_seconds();
  done_before_ += done_;
  failed_before_ += failed_;
  done_ = 0;
  failed_ = 0;
  total_ = count;
}

std::string Progress::count() const {
  if (file_.empty()) {
    return fmt::format("{}/{} {}{}", done_before_ + done_, done_before_ + total_ + later_, things_,
                       part_.empty() ? "" : fmt::format(", {}", part_));
  }
  const auto megabytes = [](std::size_t bytes) { return 1e-6 * static_cast<double>(bytes); };
  return fmt::format("{}: {:.1f}/{:.1f} MB", file_, megabytes(done_), megabytes(total_));
}

std::string Progress::line() const {
  // The time left is estimated from the speed of this process: bytes already present took no time.
  const double now = monotonic_seconds();
  std::string text = count();
  if (const std::size_t failed = failed_before_ + failed_; failed > 0) {
    text += fmt::format(", {} failed", failed);
  }
  text += ", " + format_duration(now - began_);
  double left = seconds_later_;
  if (done_ > before_) {
    left += (now - part_began_) / static_cast<double>(done_ - before_) *
            static_cast<double>(total_ - done_);
  }
  if (left > 0) {
    text += fmt::format(", about {} left", format_duration(left));
  }
  return text;
}

void Progress::say() {
  said_ = monotonic_seconds();
  if (is_terminal_) {
    const std::size_t all = std::max<std::size_t>(done_before_ + total_ + later_, 1);
    const std::size_t filled = kBarWidth * (done_before_ + done_) / all;
    write_standard_error(fmt::format("\r[{:=<{}}{: <{}}] {}\x1b[K", "", filled, "",
                                     kBarWidth - filled, printable(line())));
  } else {
    say_line(line());
  }
}

void Progress::update(std::size_t done, std::size_t failed) {
  done_ = done;
  failed_ = failed;
  const double between = is_terminal_ ? kSecondsBetweenBars : kSecondsBetweenLines;
  if (!quiet_ && monotonic_seconds() - said_ >= between) {
    say();
  }
}

void Progress::clear() {
  if (!quiet_ && is_terminal_) {
    write_standard_error("\r\x1b[K");
  }
}

void Progress::finish() {
  if (!quiet_) {
    say();
    if (is_terminal_) {
      write_standard_error("\n");
    }
  }
}

}  // namespace spca
