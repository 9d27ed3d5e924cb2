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
  /// The next of several parts begins, with `count` things to be done. The lines name it, and what
  /// was done in earlier parts counts on.
  void begin_part(std::string name, std::size_t count);
  /// How many things come after the part that begins next, and how long they take, about.
  void expect_later(std::size_t count, double seconds);
  /// So many things or bytes of the part are done, of which `failed` failed.
  void update(std::size_t done, std::size_t failed);
  /// Takes the bar away, so that another line can be written. The next update draws it again.
  void clear();
  /// Prints the last line.
  void finish();

 private:
  std::string line() const;
  std::string count() const;
  void say();

  std::string things_;
  std::string file_;    // empty: things
  std::string part_;    // empty: there is one part
  std::size_t total_;   // things or bytes
  std::size_t before_;  // that were done when it began
  bool quiet_;
  bool is_terminal_;
  double began_;       // seconds, monotonic
  double part_began_;  // likewise
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
