#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "spca/base/types.h"

namespace spca::cli {

/// Standard output cannot be written: a full disk, say. Exit code 1.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes and flushes, so that an error is seen while the exit code can still tell it. Throws
/// OutputError; where the reader has gone away the process ends by SIGPIPE, quietly.
void write_stdout(const std::string& text);

/// Indented by two blanks, keys in the order in which they were added, numbers with all their
/// digits, NaN as null, a line feed at the end.
void write_json(const Json& json);

/// The numbers of a metric as in every JSON output: one number, or a list where it is one a
/// component.
Json numbers_to_json(const std::vector<double>& numbers, bool per_component);

/// Returns columns aligned left and two blanks apart, with no blanks at the ends of lines.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

}  // namespace spca::cli
