#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace spca {

/// Says on standard error how far a run or a download is. On a terminal it draws a bar at most ten
/// times a second, with an estimate of the time left. Elsewhere it prints a line every five
/// seconds.
class Progress {
 public:
  /// For `count` things to be done, called `things` ("cells"). If `quiet`, says nothing.
  Progress(std::size_t count, std::string things, bool quiet);
  /// For a file of so many bytes, of which `already` are there.
  Progress(std::string file, std::uint64_t bytes, std::uint64_t already);
  /// So many things or bytes are done, of which `failed` failed.
  void update(std::size_t done, std::size_t failed);
  /// Prints the last line.
  void finish();

 private:
  std::string line() const;
  std::string count() const;
  void say();

  std::string things_;
  std::string file_;    // empty: things
  std::size_t total_;   // things or bytes
  std::size_t before_;  // that were done when it began
  bool quiet_;
  bool is_terminal_;
  double began_;  // seconds, monotonic
  double said_;
  std::size_t done_ = 0;
  std::size_t failed_ = 0;
};

/// "8.1 s", "2 min 05 s", "3 h 20 min".
std::string format_duration(double seconds);

/// Seconds on a clock that only goes forward.
double monotonic_seconds();

}  // namespace spca
