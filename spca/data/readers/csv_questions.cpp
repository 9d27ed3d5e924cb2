#include "spca/data/readers/csv_questions.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>

#include "spca/base/text.h"

namespace spca {
namespace {

/// At least this number of evenly spaced values cannot be measurements. Three or four evenly spaced
/// values may be measurements, so other evidence is needed: in 22 tables up to 6 % of the triples
/// of neighbours in a row are evenly spaced, at most 0.02 % of the groups of five or six, and no
/// whole row.
constexpr std::size_t kCertainlySpaced = 5;
/// At most this share of the larger end value is rounding in a difference of two neighbours.
constexpr double kSpacing = 1e-9;

std::vector<double> numbers_of(const std::vector<CsvField>& line, std::size_t first) {
  std::vector<double> numbers;
  for (std::size_t j = first; j < line.size(); ++j) {
    const std::optional<double> number = parse_number(line[j].text);
    numbers.push_back((number ? number : parse_with_comma(line[j].text))
                          .value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  return numbers;
}

bool is_whole_number(double number) { return number == std::floor(number); }

bool are_whole(const std::vector<double>& numbers) {
  return !numbers.empty() && std::all_of(numbers.begin(), numbers.end(), is_whole_number);
}

/// Returns true if there are fields and none is a whole number. A field that is not a number, which
/// is NaN here, counts as a fraction.
bool have_fractions(const std::vector<double>& numbers) {
  return !numbers.empty() && std::none_of(numbers.begin(), numbers.end(), is_whole_number);
}

/// Returns true if all numbers differ, as names of columns do.
bool are_distinct(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end();
}

bool count_up(const std::vector<double>& numbers) {
  CountingUp counting;
  for (const double number : numbers) {
    counting.add(number);
  }
  return counting.counts_up();
}

/// Returns true for kFewestCounting numbers or more with a constant step that is not zero.
bool are_evenly_spaced(const std::vector<double>& numbers) {
  if (numbers.size() < kFewestCounting) {
    return false;
  }
  const double step = numbers[1] - numbers[0];
  const double rounding = kSpacing * std::max(std::abs(numbers.front()), std::abs(numbers.back()));
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    if (!(std::abs(numbers[i] - numbers[i - 1] - step) <= rounding)) {  // false for NaN
      return false;
    }
  }
  return std::abs(step) > rounding;
}

std::size_t decimals(const std::string& number) {
  const std::size_t point = number.find_first_of(".,");
  return point == std::string::npos ? 0 : number.size() - point - 1;
}

/// Returns true if no column has as many decimals in one line as in the other: the two lines hold
/// different kinds of values.
bool have_other_decimals(const FirstLines& lines) {
  for (std::size_t j = lines.named; j < std::min(lines.first.size(), lines.second.size()); ++j) {
    if (decimals(lines.first[j].text) == decimals(lines.second[j].text)) {
      return false;
    }
  }
  return true;
}

/// At least this number of ascending or descending values are a header, not chance: 8 values are in
/// order by chance in one of 20,000 tables.
constexpr std::size_t kCertainlySorted = 8;

/// Returns true if all numbers ascend, or all descend.
bool are_sorted(const std::vector<double>& numbers) {
  const auto is_out_of_order = [&numbers](auto order) {
    return std::adjacent_find(numbers.begin(), numbers.end(), order) != numbers.end();
  };
  return !is_out_of_order([](double a, double b) { return !(a < b); }) ||
         !is_out_of_order([](double a, double b) { return !(a > b); });
}

/// Returns true if the first line has kCertainlySorted numbers or more that ascend or descend, as
/// wavelengths do, and the second line neither ascends nor descends.
bool is_sorted_above_others(const FirstLines& lines) {
  const std::vector<double> numbers = numbers_of(lines.first, lines.named);
  return numbers.size() >= kCertainlySorted && are_sorted(numbers) &&
         !are_sorted(numbers_of(lines.second, lines.named));
}

bool is_spaced_above_others(const FirstLines& lines) {
  return are_evenly_spaced(numbers_of(lines.first, lines.named)) &&
         !are_evenly_spaced(numbers_of(lines.second, lines.named));
}

}  // namespace

bool may_name_columns(const FirstLines& lines) {
  const std::vector<double> numbers = numbers_of(lines.first, lines.named);
  const std::vector<double> next = numbers_of(lines.second, lines.named);
  const bool counts = count_up(numbers) && !count_up(next);
  const bool is_spaced = is_spaced_above_others(lines) &&
                         (numbers.size() >= kCertainlySpaced || have_other_decimals(lines));
  const bool is_whole_above =
      numbers.size() >= 2 && are_whole(numbers) && are_distinct(numbers) && have_fractions(next);
  const bool is_labelled =
      lines.first.size() > 2 && lines.begins_with_word && are_whole(numbers_of(lines.first, 1)) &&
      (lines.second_begins_with_number || have_fractions(numbers_of(lines.second, 1)));
  const bool has_corner =
      lines.first.size() > 1 && lines.begins_with_word && may_be_corner(lines.first[0].text);
  return counts || is_spaced || is_whole_above || is_labelled || has_corner ||
         is_sorted_above_others(lines);
}

bool may_name_columns_of_one_row(const FirstLines& lines) {
  return are_whole(numbers_of(lines.first, lines.named)) && is_spaced_above_others(lines);
}

bool may_be_corner(std::string_view name) {
  constexpr std::array<std::string_view, 24> kCorners = {
      "id",     "ids",        "idx",        "index",   "name",     "names",
      "sample", "samples",    "row",        "rows",    "subject",  "patient",
      "gene",   "genes",      "probe",      "probes",  "feature",  "id_ref",
      "wl",     "wavelength", "wavenumber", "rowname", "rownames", "unnamed: 0"};
  const std::string lower = lower_case(name);
  const bool is_camel = name.size() > 2 && (name.ends_with("ID") || name.ends_with("Id")) &&
                        std::islower(static_cast<unsigned char>(name[name.size() - 3])) != 0;
  return is_camel || lower.ends_with("_id") || lower.ends_with(".id") || lower.ends_with(" id") ||
         std::find(kCorners.begin(), kCorners.end(), lower) != kCorners.end();
}

bool may_be_number(std::string_view text) {
  std::size_t letters = 0;
  std::size_t digits = 0;
  bool has_underscore = false;
  for (const unsigned char character : text) {
    if (character == '_') {
      has_underscore = true;  // 1_000 is a number, 1053_at is not
    } else if (std::isdigit(character) != 0) {
      ++digits;
    } else if (std::isalpha(character) != 0) {
      ++letters;
    } else if (character < 0x80 &&
               std::string_view(" .,'%$<>=~+-/:()*").find(static_cast<char>(character)) ==
                   std::string_view::npos) {
      return false;
    }
  }
  const bool begins_with_letter =
      !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0;
  return digits > 0 && letters <= (has_underscore ? 0U : 2U) && !begins_with_letter;
}

void CountingUp::add(double number) {
  are_whole_ = are_whole_ && is_whole_number(number);
  counts_up_ = counts_up_ && (size_ == 0 ? is_whole_number(number) : number == last_ + 1);
  if (size_ < kFewestCounting) {
    first_[size_] = number;
  }
  last_ = number;
  ++size_;
}

}  // namespace spca
