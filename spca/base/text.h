#pragma once

/// Pieces of text that the readers share.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spca {

/// Without blanks, tabs and carriage returns at both ends.
std::string_view trim(std::string_view text);

/// U+FEFF in UTF-8, which some programs put before a text.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// The words between blanks, tabs and carriage returns.
std::vector<std::string_view> split_blanks(std::string_view line);

/// A whole number, a sign allowed, that fits; nothing else.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// A decimal number, infinity and NaN included; a number too large for a double is infinite.
/// Empty for anything else.
std::optional<double> parse_number(std::string_view text);

/// The text in quotes, cut where it is long: for the message of an InputError.
std::string in_quotes(std::string_view text);

}  // namespace spca
