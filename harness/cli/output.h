#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "spca/base/types.h"

namespace spca::cli {

/// Thrown if standard output cannot be written, for example because the disk is full. Exit code 1.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// While an object of this class lives, what a solver writes to standard output goes to standard
/// error, and so does the output of programs that it starts. write_stdout() still writes to
/// standard output. If no descriptor is left, nothing changes. At most one object may live at a
/// time.
class DivertedStdout {
 public:
  DivertedStdout();
  ~DivertedStdout();
  DivertedStdout(const DivertedStdout&) = delete;
  DivertedStdout& operator=(const DivertedStdout&) = delete;
};

/// Writes text of several lines, with control characters as escapes (printable_lines in text.h). In
/// ranks, only rank 0 writes. The output is flushed, so that an error is found while the exit code
/// can still report it. Throws OutputError. If the reader of the pipe has closed it, SIGPIPE ends
/// the process quietly.
void write_stdout(const std::string& text);

/// Writes JSON indented by two blanks, with a line feed at the end. Keys are in the order in
/// which they were added, numbers have all their digits, and NaN is null.
void write_json(const Json& json);

/// Returns columns aligned left and two blanks apart, with no blanks at the ends of lines.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

}  // namespace spca::cli
