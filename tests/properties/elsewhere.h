#pragma once

/// The same question to another program: the command, ranks, the packages of Python and R.

#include <optional>
#include <string>
#include <vector>

#include "tests/properties/question.h"

namespace spca::properties {

inline constexpr const char *kCommand = "command", *kRanks = "ranks", *kPython = "Python",
                            *kR = "R";
/// All four.
std::vector<std::string> elsewhere();

/// An answer as answer_of() has it: status, components, upper_bound.
struct ElsewhereAnswer {
  std::optional<Json> answer;
  /// If there is no answer: kNotBuilt, kRefused, or what the program said.
  std::string trouble = {};
};
inline constexpr const char* kNotBuilt = "not built";
inline constexpr const char* kRefused = "refused";  // as ranks do where there are no rows
/// Asks there. `place` is one of elsewhere(). Options are left at their defaults.
ElsewhereAnswer answer_elsewhere(const Question& question, const std::string& place);

}  // namespace spca::properties
