#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace spca {

/// Reports the progress of a run or a download on standard error, with an estimate of the time
/// left. On a terminal it draws a bar at most ten times a second, elsewhere it prints a line at
/// most every five seconds.
class Progress {
 public:
  /// For `count` things to be done, called `things` ("cells"). Prints nothing if `quiet`, or if
  /// `count` is 0.
  Progress(std::size_t count, std::string things, bool quiet);
  /// For a file of `bytes` bytes, of which `already` are present.
  Progress(std::string file, std::uint64_t bytes, std::uint64_t already);
  /// Begins the next of several parts, with `count` things to be done. The lines name the part, and
  /// the things done in earlier parts are included in the counts.
  void begin_part(std::string name, std::size_t count);
  /// Sets the number of things after the part that begins next, and their estimated time.
  void expect_later(std::size_t count, double seconds);
  /// Sets the number of things or bytes of the part that are done, of which `failed` failed.
  void update(std::size_t done, std::size_t failed);
  /// Removes the bar, so that another line can be written. A later update draws it again.
  void clear();
  /// Prints the last line.
  void finish();

 private:
  std::string line() const;
  std::string count() const;
  void say();

  std::string things_;
  std::string file_;    // empty if things are counted
  std::string part_;    // empty: there is one part
  std::size_t total_;   // things or bytes
  std::size_t before_;  // done when this object was made
  bool quiet_;
  bool is_terminal_;
  double began_;       // seconds, monotonic
  double part_began_;  // seconds, monotonic
  double said_;
  std::size_t done_ = 0;
  std::size_t failed_ = 0;
  std::size_t done_before_ = 0;  // in earlier parts
  std::size_t failed_before_ = 0;
  std::size_t later_ = 0;
  double seconds_later_ = 0;
};

/// "8.1 s", "2 min 05 s", "3 h 20 min".
std::string format_duration(double seconds);

/// Seconds on a clock that only goes forward.
double monotonic_seconds();

}  // namespace spca
