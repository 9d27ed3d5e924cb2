#pragma once

/// Small operations on text that readers and reports share.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spca {

/// Returns `text` without the blanks, tabs and carriage returns at its two ends.
std::string_view trim(std::string_view text);

/// Returns `text` with its ASCII letters in lower case.
std::string lower_case(std::string_view text);

/// U+FEFF in UTF-8. Some programs put it before a text.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// Returns the pieces of `line` between blanks, tabs and carriage returns. No piece is empty.
std::vector<std::string_view> split_blanks(std::string_view line);

/// Parses a whole number, with or without a sign. Returns nothing if `text` is anything else or the
/// number does not fit.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// Parses a decimal number; "inf" and "nan" are numbers. A number too large for a double is
/// infinite. Returns nothing if `text` is anything else.
std::optional<double> parse_number(std::string_view text);

/// Returns `text` in quotes, for the message of an InputError. Long text is cut.
std::string in_quotes(std::string_view text);

/// Returns true if `path` is the canonical form of a path below some folder: steps with single
/// slashes between them, none of them "." or "..". So it cannot leave the folder, and equal paths
/// are equal texts.
bool is_plain_path(std::string_view path);

/// Returns `text` with each occurrence of `part`, which is not empty, removed. An occurrence that a
/// removal forms stays.
std::string without(std::string text, std::string_view part);

/// Returns `text` for a line of a message: control characters are written as JSON escapes them
/// (\u001b). These are the control characters of Unicode, the line separators, and the characters
/// that change the direction of writing. Invalid UTF-8 is kept, unless old terminals take it for
/// control characters.
std::string printable(std::string_view text);
/// The same as printable(), for a text of several lines: line feeds and tabs stay.
std::string printable_lines(std::string_view text);

/// At most this number of letters of the message of a solver or of another program are kept.
inline constexpr std::size_t kLongestMessage = 2000;
/// Returns the message as printable() text of at most kLongestMessage letters. A longer message
/// ends in "...".
std::string kept_message(std::string_view text);

enum class ColumnAlignment { kLeft, kRight };

/// Returns one line of text for each row, with aligned columns and two blanks between them. The
/// first column is aligned left, the other columns as `others` says. Rows may differ in length.
/// Widths count letters, not bytes. Texts are printable(). No line ends in a blank or a line feed.
std::vector<std::string> align_columns(const std::vector<std::vector<std::string>>& rows,
                                       ColumnAlignment others = ColumnAlignment::kLeft);

/// Appends `text` unless the list contains it.
void add_once(std::vector<std::string>& list, const std::string& text);

}  // namespace spca
