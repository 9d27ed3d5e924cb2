#include "harness/history/dates.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string_view>

#include "spca/base/error.h"
#include "spca/base/text.h"

namespace spca {
namespace {

using Seconds = std::chrono::sys_seconds;

/// Removes `count` digits from the front of the text and returns the number they form.
std::optional<int> read_digits(std::string_view& text, std::size_t count) {
  int number = 0;
  if (text.size() < count) {
    return std::nullopt;
  }
  for (const char digit : text.substr(0, count)) {
    if (digit < '0' || digit > '9') {
      return std::nullopt;
    }
    number = 10 * number + (digit - '0');
  }
  text.remove_prefix(count);
  return number;
}

bool skip_letter(std::string_view& text, char letter) {
  if (text.empty() || text.front() != letter) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

/// Removes "Z", "+01:00" or "+0100" from the front of the text and returns the offset.
std::optional<std::chrono::minutes> read_offset(std::string_view& text) {
  if (skip_letter(text, 'Z')) {
    return std::chrono::minutes(0);
  }
  const bool is_east = skip_letter(text, '+');
  if (!is_east && !skip_letter(text, '-')) {
    return std::nullopt;
  }
  const auto hours = read_digits(text, 2);
  skip_letter(text, ':');
  const auto minutes = hours ? read_digits(text, 2) : std::nullopt;
  if (!minutes || *hours > 23 || *minutes > 59) {
    return std::nullopt;
  }
  const std::chrono::minutes offset(60 * *hours + *minutes);
  return is_east ? offset : -offset;
}

std::optional<Seconds> parse_moment(std::string_view text) {
  const auto year = read_digits(text, 4);
  const bool dashed = skip_letter(text, '-');
  const auto month = read_digits(text, 2);
  const bool dashed_again = skip_letter(text, '-');
  const auto day = read_digits(text, 2);
  if (!year || !month || !day || !dashed || !dashed_again) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date(std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) {
    return std::nullopt;
  }
  const Seconds midnight = std::chrono::sys_days(date);
  if (text.empty()) {
    return midnight;
  }
  const bool has_time = skip_letter(text, 'T') || skip_letter(text, ' ');
  const auto hour = read_digits(text, 2);
  const bool colon = skip_letter(text, ':');
  const auto minute = read_digits(text, 2);
  const bool colon_again = skip_letter(text, ':');
  const auto second = read_digits(text, 2);
  const auto offset = read_offset(text);
  if (!has_time || !hour || !minute || !second || !colon || !colon_again || !offset ||
      !text.empty() || *hour > 23 || *minute > 59 || *second > 59) {
    return std::nullopt;
  }
  return midnight + std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
         std::chrono::seconds(*second) - *offset;
}

std::string text_of_moment(Seconds moment) {
  const auto midnight = std::chrono::floor<std::chrono::days>(moment);
  const std::chrono::year_month_day date(midnight);
  const std::chrono::hh_mm_ss time(moment - midnight);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

}  // namespace

std::string utc_moment(const std::string& text, const std::string& where) {
  const std::optional<Seconds> moment = parse_moment(text);
  if (!moment) {
    throw InputError(
        fmt::format("{}: found {}; accepted: a day such as 2026-11-23, or a moment such as "
                    "2026-11-23T08:15:00Z",
                    where, in_quotes(text)));
  }
  return text_of_moment(*moment);
}

std::string utc_now() {
  return text_of_moment(std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
}

}  // namespace spca
