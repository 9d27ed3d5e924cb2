#include "harness/cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "spca/base/error.h"
#include "spca/base/text.h"

namespace spca::cli {
namespace {

/// Returns "a, b or c".
std::string join_by_or(std::vector<std::string> words) {
  const std::string last = words.back();
  words.pop_back();
  return words.empty() ? last : join(words) + " or " + last;
}

/// Returns the number if all of `text` is one that fits into Number; otherwise nothing.
template <class Number>
std::optional<Number> parse(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end ? std::optional(number) : std::nullopt;
}

[[noreturn]] void reject(const std::string& option, const std::string& text,
                         const std::string& accepted) {
  throw InputError(fmt::format("{}: found \"{}\"; accepted: {}", option, text, accepted));
}

}  // namespace

Index parse_whole(const std::string& option, const std::string& text, Index minimum) {
  const std::optional<Index> number = parse<Index>(text);
  if (!number || *number < minimum) {
    reject(option, text, fmt::format("a whole number >= {}", minimum));
  }
  return *number;
}

std::uint64_t parse_seed(const std::string& option, const std::string& text) {
  const std::optional<std::uint64_t> number = parse<std::uint64_t>(text);
  if (!number) {
    reject(option, text, "a whole number from 0 to 18446744073709551615");
  }
  return *number;
}

std::uint64_t seed_or_one(const std::string& option, const std::string& text) {
  return text.empty() ? 1 : parse_seed(option, text);
}

double parse_positive(const std::string& option, const std::string& text) {
  const std::optional<double> number = parse<double>(text);
  if (!number || !std::isfinite(*number) || *number <= 0) {
    reject(option, text, "a number > 0");
  }
  return *number;
}

std::vector<Index> parse_cardinality(const std::string& option, const std::string& text) {
  std::vector<Index> cardinality;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::optional<Index> number = parse<Index>(text.substr(begin, end - begin));
    if (!number || *number < 1) {
      reject(option, text, "whole numbers >= 1 with commas between them, as 7,2,1");
    }
    cardinality.push_back(*number);
    begin = end + 1;
  }
  return cardinality;
}

std::vector<Index> WholeRange::numbers() const {
  std::vector<Index> numbers;
  for (Index number = first;; number += step) {
    numbers.push_back(number);
    if (step > last - number) {  // number + step could overflow
      return numbers;
    }
  }
}

WholeRange parse_range(const std::string& option, const std::string& text) {
  std::vector<Index> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    parts.push_back(parse<Index>(text.substr(begin, end - begin)).value_or(0));
    begin = end + 1;
  }
  const bool positive = *std::min_element(parts.begin(), parts.end()) >= 1;
  if (parts.size() > 3 || !positive || (parts.size() > 1 && parts[1] < parts[0])) {
    reject(option, text, "A:B or A:B:STEP with whole numbers 1 <= A <= B and STEP >= 1");
  }
  return {.first = parts[0],
          .last = parts.size() > 1 ? parts[1] : parts[0],
          .step = parts.size() > 2 ? parts[2] : 1};
}

bool has_folder(const std::filesystem::path& file) {
  return std::filesystem::is_directory(std::filesystem::absolute(file).parent_path());
}

void check_output_file(const std::string& option, const std::string& file,
                       const std::vector<std::string>& endings) {
  if (file.empty()) {
    return;
  }
  const std::string ending = std::filesystem::path(file).extension();
  if (std::find(endings.begin(), endings.end(), ending) == endings.end()) {
    throw InputError(fmt::format("{}: found \"{}\"; accepted: a file that ends in {}", option, file,
                                 join_by_or(endings)));
  }
  if (!has_folder(file)) {
    throw InputError(
        fmt::format("{}: found \"{}\"; accepted: a file in an existing folder", option, file));
  }
}

std::vector<std::string> comma_separated(const std::string& list) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    words.emplace_back(trim(std::string_view(list).substr(begin, end - begin)));
    begin = end + 1;
  }
  return words;
}

std::string required_word(const std::string& action, const std::string& what, const char* name) {
  if (what.empty()) {
    throw InputError(fmt::format("{0}: found no {1}; accepted: {0} {1}", action, name));
  }
  return what;
}

void refuse_others(const std::vector<GivenOption>& given, const std::vector<std::string>& accepted,
                   const std::string& action) {
  for (const auto& [name, is_given] : given) {
    if (is_given && std::find(accepted.begin(), accepted.end(), name) == accepted.end()) {
      throw InputError(fmt::format("{}: is not for {}; accepted there: {}", name, action,
                                   accepted.empty() ? "no such option" : join(accepted)));
    }
  }
}

}  // namespace spca::cli
