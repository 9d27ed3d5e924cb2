#pragma once

/// Converts arguments of the command line to values. An error is an InputError that begins with the
/// name of the option. Every message says what was found and what is accepted.

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "spca/base/types.h"

namespace spca::cli {

/// Returns a whole number >= minimum.
Index parse_whole(const std::string& option, const std::string& text, Index minimum);
/// Returns a whole number from 0 to 2^64 - 1.
std::uint64_t parse_seed(const std::string& option, const std::string& text);
/// Returns the seed; 1 if the text is empty, because the option was not given.
std::uint64_t seed_or_one(const std::string& option, const std::string& text);
/// Returns a finite number > 0.
double parse_positive(const std::string& option, const std::string& text);
/// Reads "7,2,1": whole numbers >= 1.
std::vector<Index> parse_cardinality(const std::string& option, const std::string& text);
/// The numbers of "2:20:3", "2:20" or "7": >= 1, ascending, from the first to at most the second.
struct WholeRange {
  Index first = 1, last = 1, step = 1;
  std::vector<Index> numbers() const;
};
WholeRange parse_range(const std::string& option, const std::string& text);

/// Returns the words between commas, without the blanks around them; at least one, which may be
/// empty.
std::vector<std::string> comma_separated(const std::string& list);

/// Returns whether the folder of `file` exists. The file itself need not exist.
bool has_folder(const std::filesystem::path& file);
/// Checks the name of a file to be written: it ends in one of `endings` and its folder exists. An
/// empty name is accepted.
void check_output_file(const std::string& option, const std::string& file,
                       const std::vector<std::string>& endings);

/// Returns the word of an action, `what`. Throws InputError if it is empty. `name`: what it stands
/// for ("RUN"); `action`: for example "history add".
std::string required_word(const std::string& action, const std::string& what, const char* name);
/// An option of some actions of a command, and whether it was given.
using GivenOption = std::pair<const char*, bool>;
/// Throws InputError for a given option that the action does not accept and so would ignore.
void refuse_others(const std::vector<GivenOption>& given, const std::vector<std::string>& accepted,
                   const std::string& action);

}  // namespace spca::cli
