#include "spca/data/readers/csv_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <vector>

#include "spca/base/text.h"
#include "spca/base/unicode.h"

namespace spca {
namespace {

bool is_digit(char character) { return std::isdigit(static_cast<unsigned char>(character)) != 0; }

bool is_letter(char character) { return std::isalpha(static_cast<unsigned char>(character)) != 0; }

bool are_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

/// Returns true for the name of a month, or its beginning of three letters or more.
bool is_month(std::string_view text) {
  constexpr std::array<std::string_view, 12> kMonths = {
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  const std::string word = lower_case(text);
  return word.size() >= 3 &&
         std::any_of(kMonths.begin(), kMonths.end(),
                     [&word](std::string_view month) { return month.starts_with(word); });
}

/// Returns the pieces of `text` between any of `separators`; a piece may be empty.
std::vector<std::string_view> pieces(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> result;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find_first_of(separators);
    result.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return result;
}

/// Returns `text` without the time that follows a T between digits, as in "2024-01-31T12:30".
std::string_view without_time(std::string_view text) {
  for (std::size_t at = 1; at + 1 < text.size(); ++at) {
    if (text[at] == 'T' && is_digit(text[at - 1]) && is_digit(text[at + 1])) {
      return text.substr(0, at);
    }
  }
  return text;
}

/// Returns true for a day, a month and a year in any order with one separator between them, or for
/// the name of a month and one number. A time may follow.
bool is_date(std::string_view text) {
  const auto is_part = [](std::string_view part) {
    return is_month(part) || (are_digits(part) && (part.size() <= 2 || part.size() == 4));
  };
  const std::string_view day = without_time(text);
  for (const char* separator : {"-", "/", ".", " "}) {
    const std::string_view date = *separator == ' ' ? day : day.substr(0, day.find(' '));
    const std::vector<std::string_view> parts = pieces(date, separator);
    const bool has_month = std::any_of(parts.begin(), parts.end(), is_month);
    if (parts.size() <= 3 && parts.size() >= (has_month ? 2U : 3U) &&
        std::all_of(parts.begin(), parts.end(), is_part) &&
        std::any_of(parts.begin(), parts.end(), are_digits)) {
      return true;
    }
  }
  return false;
}

/// Returns true for hours and minutes, or hours, minutes and seconds.
bool is_time(std::string_view text) {
  const std::vector<std::string_view> parts = pieces(text.substr(0, text.find('.')), ":");
  return parts.size() >= 2 && parts.size() <= 3 &&
         std::all_of(parts.begin(), parts.end(),
                     [](std::string_view part) { return are_digits(part) && part.size() <= 2; });
}

bool has_digit(std::string_view text) { return std::any_of(text.begin(), text.end(), is_digit); }

/// Returns true for the sign or code of a currency before or after digits.
bool is_money(std::string_view text) {
  constexpr std::array<std::string_view, 4> kSigns = {"$", "€", "£", "¥"};
  constexpr std::array<std::string_view, 16> kCodes = {"USD", "EUR", "GBP", "CHF", "JPY", "CNY",
                                                       "INR", "AUD", "CAD", "SEK", "NOK", "DKK",
                                                       "PLN", "BRL", "KRW", "MXN"};
  const auto is_around = [text](std::string_view sign) {
    return text.starts_with(sign) || text.ends_with(sign) ||
           (text.starts_with('-') && text.substr(1).starts_with(sign));
  };
  return has_digit(text) && (std::any_of(kSigns.begin(), kSigns.end(), is_around) ||
                             std::any_of(kCodes.begin(), kCodes.end(), is_around));
}

/// Returns true for two or more groups of digits, of three each; the first may be shorter.
bool are_thousands(const std::vector<std::string_view>& groups) {
  return groups.size() > 1 && groups[0].size() <= 3 &&
         std::all_of(groups.begin(), groups.end(), are_digits) &&
         std::all_of(groups.begin() + 1, groups.end(),
                     [](std::string_view group) { return group.size() == 3; });
}

/// Returns true for digits in groups of three, "1,234.5", "1 234" or "1.234,5".
bool has_thousands(std::string_view text) {
  for (const char separator : {',', '.', ' ', '\''}) {
    const char decimal = separator == '.' ? ',' : '.';
    const std::string_view whole = text.substr(0, text.find(decimal));
    if (are_thousands(pieces(whole.starts_with('-') ? whole.substr(1) : whole,
                             std::string_view(&separator, 1)))) {
      return true;
    }
  }
  return false;
}

/// Returns the unit after a number, as "mmol/l" in "1.5 mmol/l"; empty if there is none.
std::string_view unit_of(std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789.,+-");
  if (end == std::string_view::npos || !has_digit(text.substr(0, end))) {
    return "";
  }
  const std::string_view unit = trim(text.substr(end));
  const bool is_name = !unit.empty() && (is_letter(unit[0]) || (unit[0] & 0x80) != 0);
  return is_name && !has_digit(unit.substr(0, 1)) ? unit : std::string_view();
}

/// Returns true if all bytes of `text` belong to letters in UTF-8.
bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto [letter, bytes] = first_letter(text);
    if (letter == U'\uFFFD' && bytes == 1) {
      return false;
    }
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace

bool is_missing_word(std::string_view text) {
  constexpr std::array<std::string_view, 12> kMissingWords = {
      "", "na", "n/a", "nan", "-nan", "+nan", "null", "none", "<na>", "#n/a", "?", "."};
  return std::find(kMissingWords.begin(), kMissingWords.end(), lower_case(text)) !=
         kMissingWords.end();
}

std::optional<double> parse_with_comma(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos || text.find('.') != std::string::npos) {
    return std::nullopt;
  }
  std::string with_point = text;
  with_point[comma] = '.';
  return parse_number(with_point);
}

std::optional<std::string> without_thousands(std::string_view text) {
  const std::size_t comma = text.find(',');
  const std::string_view whole = text.substr(0, comma);
  const std::string_view digits =
      whole.starts_with('-') || whole.starts_with('+') ? whole.substr(1) : whole;
  const bool is_grouped = !digits.starts_with('0') && are_thousands(pieces(digits, "."));
  if (!is_grouped || (comma != std::string_view::npos && !are_digits(text.substr(comma + 1)))) {
    return std::nullopt;
  }
  return without(std::string(text), ".");
}

bool is_rounded_integer(std::string_view text, double number) {
  if (!(std::abs(number) >= kLargestExact)) {
    return false;
  }
  const bool has_sign = text.starts_with('-') || text.starts_with('+');
  std::string_view digits = has_sign ? text.substr(1) : text;
  if (!are_digits(digits)) {
    return false;
  }
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return fmt::format("{:.0f}", std::abs(number)) != digits;
}

bool is_spreadsheet_error(std::string_view text) {
  constexpr std::array<std::string_view, 6> kErrors = {"#DIV/0!", "#VALUE!", "#REF!",
                                                       "#NAME?",  "#NUM!",   "#NULL!"};
  return std::find(kErrors.begin(), kErrors.end(), text) != kErrors.end();
}

std::string in_utf8(std::string_view text, bool& is_recoded) {
  if (is_utf8(text)) {
    return std::string(text);
  }
  is_recoded = true;
  // The letters of the bytes from 0x80 to 0x9f. Five of these bytes have none.
  constexpr std::array<char16_t, 32> kLetters = {
      0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021, 0x2c6,  0x2030, 0x160,
      0x2039, 0x152,  0x8d,   0x17d,  0x8f,   0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
      0x2013, 0x2014, 0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178};
  constexpr char32_t kFirst = 0x80;
  std::string result;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    const bool is_listed = byte >= kFirst && byte < kFirst + kLetters.size();
    const char32_t letter = is_listed ? kLetters[byte - kFirst] : byte;
    if (letter < 0x80) {
      result += character;
    } else if (letter < 0x800) {
      result += static_cast<char>(0xc0 | letter >> 6);
      result += static_cast<char>(0x80 | (letter & 0x3f));
    } else {
      result += static_cast<char>(0xe0 | letter >> 12);
      result += static_cast<char>(0x80 | (letter >> 6 & 0x3f));
      result += static_cast<char>(0x80 | (letter & 0x3f));
    }
  }
  return result;
}

std::string kind_of_value(std::string_view text) {
  text = trim(text);
  if (is_date(text)) {
    return "a date";
  }
  if (is_time(text)) {
    return "a time";
  }
  if (is_money(text)) {
    return "an amount of money";
  }
  if (text.ends_with('%') && has_digit(text)) {
    return "a percentage";
  }
  if ((text.starts_with('<') || text.starts_with('>')) && has_digit(text)) {
    return "a bound";
  }
  if (is_spreadsheet_error(text)) {
    return "an error value of a spreadsheet";
  }
  if (has_thousands(text)) {
    return "a number with separators of thousands";
  }
  const std::string_view unit = unit_of(text);
  if (unit.size() > 1 && (unit[0] == 'd' || unit[0] == 'D') &&
      are_digits(unit.substr(unit.find_first_not_of("+-", 1) == 2 ? 2 : 1))) {
    return "a number with an exponent of Fortran, d for e";
  }
  constexpr std::string_view kNoBreakSpace = "\u00a0";
  if (unit.starts_with(kNoBreakSpace)) {
    return "a number and a no-break space";
  }
  return unit.empty() ? "" : fmt::format("a number with the unit {}", in_quotes(unit));
}

}  // namespace spca
