#pragma once

/// The other programs that can answer a question: the command, the command on several ranks, and
/// the packages of Python and R.

#include <optional>
#include <string>
#include <vector>

#include "tests/properties/question.h"

namespace spca::properties {

inline constexpr const char *kCommand = "command", *kRanks = "ranks", *kPython = "Python",
                            *kR = "R";
/// Returns the names of all four programs.
std::vector<std::string> elsewhere();

/// An answer of another program, with at least the fields status, components and upper_bound of
/// answer_of().
struct ElsewhereAnswer {
  std::optional<Json> answer;
  /// If there is no answer: kNotBuilt, kRefused, or the exit code and the error output.
  std::string trouble = {};
};
inline constexpr const char* kNotBuilt = "not built";
inline constexpr const char* kRefused = "refused";  // several ranks refuse S itself, for example
/// Asks the program `place`, one of elsewhere(). `question.options` must be empty: the packages of
/// Python and R are asked without options.
ElsewhereAnswer answer_elsewhere(const Question& question, const std::string& place);

}  // namespace spca::properties
