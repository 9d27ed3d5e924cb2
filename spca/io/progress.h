#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace spca {

/// Says on stderr how far a run or a download is: on a terminal a bar, redrawn at most ten times a
/// second, with the time left as what is done so far lets expect; otherwise a plain line every few
/// seconds.
class Progress {
 public:
  /// So many `things` ("cells") are to be done; nothing is said where `quiet`.
  Progress(std::size_t count, std::string things, bool quiet);
  /// A file of so many bytes, `already` of which are there.
  Progress(std::string file, std::uint64_t bytes, std::uint64_t already);
  /// `failed` of the `done` things or bytes failed.
  void update(std::size_t done, std::size_t failed);
  /// The last line.
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
