#pragma once

/// Trouble is of three kinds that never mix: the user's input (InputError, exit code 2), the
/// numerical outcome (Status in solver.h, a record) and our own mistake (SPCA_CHECK, exit code 1).

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace spca {

/// What the user gave cannot be used. The message is one line that names the file and line or the
/// JSON pointer, what was found and what is accepted.
class InputError : public std::runtime_error {
 public:
  /// Control characters become '?': what the message quotes may be any bytes, and it stays one line
  /// that a terminal can show.
  explicit InputError(const std::string& message);
};

/// A data set's file is not on this machine: its cells are skipped, not failed. The message says
/// where to put it.
class MissingData : public InputError {
 public:
  using InputError::InputError;
};

/// A numerical method failed on valid input: becomes a record with status numerical_failure.
class NumericalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A condition that the program itself guarantees does not hold.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void throw_check_failed(const char* condition, const char* file, int line,
                                     const std::string& message);

/// ` (did you mean "tpower"?)` where a candidate is near `name` (edit distance at most a third of
/// its length), otherwise empty.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// "a, b, c" for a message that lists what is accepted.
std::string join(const std::vector<std::string>& words, std::string_view separator = ", ");

}  // namespace spca

/// Active in every build type.
#define SPCA_CHECK(condition, message)                                       \
  do {                                                                       \
    if (!(condition)) {                                                      \
      ::spca::throw_check_failed(#condition, __FILE__, __LINE__, (message)); \
    }                                                                        \
  } while (false)
