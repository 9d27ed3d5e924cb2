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

/// Returns the kind of value that `text` is, for the message that it is not a number: a date, a
/// time, an amount of money, a percentage, a bound, a number with separators of thousands, a number
/// with an exponent of Fortran, or a number with a unit. Empty if it is none of them.
std::string kind_of_value(std::string_view text);

}  // namespace spca
