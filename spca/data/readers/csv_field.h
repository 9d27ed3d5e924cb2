#pragma once

/// Decides about a field of a text table: whether it is missing, a number with a decimal comma, or
/// a value of another kind.

#include <optional>
#include <string>
#include <string_view>

namespace spca {

struct CsvField {
  std::string text;  // without its quotes
  bool is_quoted = false;
};

/// Returns true for an empty field and for the marks of missing values that R, pandas, databases,
/// spreadsheets and the UCI repository write, in any case.
bool is_missing_word(std::string_view text);

/// Returns the number that `text` is if its comma is decimal. Returns nothing if there is no comma,
/// if there is a point too, or if `text` is not a number.
std::optional<double> parse_with_comma(const std::string& text);

/// Returns `text` without its points if they separate thousands and a comma is decimal: 1250 for
/// "1.250" and 1250,5 for "1.250,5". Returns nothing for any other text.
std::optional<std::string> without_thousands(std::string_view text);

/// Above this number, 2^53, not every integer is a double.
inline constexpr double kLargestExact = 9007199254740992;

/// Returns true if `text` is an integer that `number`, its value, rounds: one beyond 2^53.
bool is_rounded_integer(std::string_view text, double number);

/// Returns true for the value of a cell whose formula failed in a spreadsheet: "#DIV/0!", "#REF!".
/// "#N/A" is a missing word instead.
bool is_spreadsheet_error(std::string_view text);

/// Returns `text` in UTF-8. Text that is not UTF-8 is taken as Windows-1252, which contains Latin-1
/// and has every byte; `is_recoded` is then set to true.
std::string in_utf8(std::string_view text, bool& is_recoded);

/// The note that in_utf8() has recoded names.
inline constexpr const char* kNamesRecoded =
    "names that are not UTF-8 are taken as Windows-1252 (Latin-1); iconv -f ENCODING -t utf8 "
    "converts other encodings";

/// Returns the kind of value that `text` is, for the message that it is not a number: a date, a
/// time, an amount of money, a percentage, a bound, an error value of a spreadsheet, a number with
/// separators of thousands, a number with an exponent of Fortran, a number with a unit, or one with
/// a no-break space. Empty if it is none of them.
std::string kind_of_value(std::string_view text);

}  // namespace spca
