#pragma once

/// Errors are of three kinds that never mix:
///
///   InputError    the user's input cannot be used           exit code 2
///   Status        the numerical outcome of a valid input    a record (status.h)
///   SPCA_CHECK    a mistake in this program                 exit code 1

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace spca {

/// The user's input cannot be used. The message is one line. It names the file and line or the JSON
/// pointer, says what was found and lists what is accepted.
class InputError : public std::runtime_error {
 public:
  /// Control characters are written as escapes (printable in text.h). The message may quote any
  /// bytes, so it stays one line that a terminal can show.
  explicit InputError(const std::string& message);
};

/// A file of a data set is not on this machine. Cells of that data set are skipped; they do not
/// fail. The message says where to put the file.
class MissingData : public InputError {
 public:
  using InputError::InputError;
};

/// A numerical method failed on valid input. The cell becomes a record with status
/// numerical_failure.
class NumericalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A condition that the program itself guarantees does not hold.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws the InternalError of SPCA_CHECK. `condition` is its text.
[[noreturn]] void throw_check_failed(const char* condition, const char* file, int line,
                                     const std::string& message);

/// Returns ` (did you mean "tpower"?)` if a candidate is near `name`, otherwise an empty string.
/// Near means an edit distance of at most 1 or a third of the length of `name`.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// Joins `words` for a message that lists what is accepted: "a, b, c".
std::string join(const std::vector<std::string>& words, std::string_view separator = ", ");

}  // namespace spca

/// Throws InternalError if `condition` is false. Active in every build type.
#define SPCA_CHECK(condition, message)                                       \
  do {                                                                       \
    if (!(condition)) {                                                      \
      ::spca::throw_check_failed(#condition, __FILE__, __LINE__, (message)); \
    }                                                                        \
  } while (false)
