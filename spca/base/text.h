#pragma once

/// Small operations on text that readers and reports share.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spca {

/// `text` without the blanks, tabs and carriage returns at its two ends.
std::string_view trim(std::string_view text);

/// `text` with its ASCII letters in lower case.
std::string lower_case(std::string_view text);

/// U+FEFF in UTF-8. Some programs put it before a text.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// The pieces of `line` between blanks, tabs and carriage returns. No piece is empty.
std::vector<std::string_view> split_blanks(std::string_view line);

/// The whole number that `text` is, with a sign or without. Nothing if `text` is anything else or
/// the number does not fit.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// The decimal number that `text` is; "inf" and "nan" are numbers. A number too large for a double
/// is infinite. Nothing if `text` is anything else.
std::optional<double> parse_number(std::string_view text);

/// `text` in quotes, for the message of an InputError. Long text is cut.
std::string in_quotes(std::string_view text);

/// Whether `path` is the one plain way to write a path below some folder: steps with single slashes
/// between them, none of them "." or "..". So it leads nowhere else, and equal paths are equal texts.
bool is_plain_path(std::string_view path);

/// `text` without any occurrence of `part`, which is not empty.
std::string without(std::string text, std::string_view part);

/// `text` for a line of a message: control characters are written as JSON escapes them (\u001b).
/// These are the codes that Unicode calls control characters, the separators of lines, and what
/// turns the direction of writing. Bytes that are no UTF-8 stay, unless old terminals obey them.
std::string printable(std::string_view text);
/// The same for a text of several lines: line feeds and tabs stay.
std::string printable_lines(std::string_view text);

/// What is kept of the message of a solver or of another program: printable, at most so many
/// letters. A longer message ends in "...".
inline constexpr std::size_t kLongestMessage = 2000;
std::string kept_message(std::string_view text);

enum class ColumnAlignment { kLeft, kRight };

/// One line of text for each row, with equal columns below each other and two blanks between them.
/// The first column is aligned left, the others as `others` says. Rows may differ in length. Widths
/// count letters, not bytes. Texts are printable(). No line ends in a blank or a line feed.
std::vector<std::string> align_columns(const std::vector<std::vector<std::string>>& rows,
                                       ColumnAlignment others = ColumnAlignment::kLeft);

/// Appends `text` unless the list has it.
void add_once(std::vector<std::string>& list, const std::string& text);

}  // namespace spca
