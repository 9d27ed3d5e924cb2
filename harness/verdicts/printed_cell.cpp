#include "harness/verdicts/printed_cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/experiments/printed_number.h"
#include "harness/tables/number_text.h"
#include "spca/base/text.h"

namespace spca {
namespace {

/// Returns the footnote of a cell: why there is no verdict, or the explanation of a difference.
std::string note_of(const PublishedComparison& comparison) {
  if (comparison.verdict == NumberVerdict::kNoPublicData) {
    return "";  // the cell says so
  }
  if (!comparison.reason.empty()) {
    return comparison.reason;
  }
  const std::vector<std::string> explanations = explanation_texts(comparison);
  return explanations.empty() ? (comparison.on_wrong_side ? "Unexplained." : "")
                              : join(explanations, " ");
}

}  // namespace

bool shows_interval(const PublishedComparison& comparison) {
  return comparison.interval && comparison.repeats < kFewDraws;
}

std::string interval_suffix(const PublishedComparison& comparison) {
  return shows_interval(comparison)
             ? " " + interval_text(comparison.interval->low, comparison.interval->high)
             : "";
}

const char* const kSignsNote =
    "= reproduced, ^ higher, v lower, x differs, ~ too noisy to tell (0 would be within the "
    "tolerance, too), ? not comparable or not run. +- is a tolerance of more than half a unit of "
    "the last printed digit.";

const char* verdict_sign(NumberVerdict verdict) {
  switch (verdict) {
    case NumberVerdict::kReproduced:
      return "=";
    case NumberVerdict::kHigher:
      return "^";
    case NumberVerdict::kLower:
      return "v";
    case NumberVerdict::kDiffers:
      return "x";
    case NumberVerdict::kTooNoisy:
      return "~";
    case NumberVerdict::kNotComparable:
    case NumberVerdict::kNoPublicData:
    case NumberVerdict::kNotRun:
      break;
  }
  return "?";
}

std::string tolerance_text(const PublishedComparison& comparison) {
  if (!comparison.has_wide_tolerance() || !is_judged(comparison.verdict)) {
    return interval_suffix(comparison);
  }
  const PrintedNumber printed = printed_number(comparison.published->printed);
  return fmt::format("{} +- {:.2g}{}", interval_suffix(comparison),
                     comparison.tolerance / std::pow(10.0, printed.power), printed.exponent);
}

std::string printed_cell(const PublishedComparison& comparison, LetteredNotes& notes) {
  const std::string printed = without_star(comparison.published->printed);
  return printed.empty()
             ? "none " + measured_cell(comparison, number_text(comparison.ours, false), notes)
             : fmt::format(
                   "{} {}", printed,
                   measured_cell(comparison, in_format_of(printed, comparison.ours), notes));
}

std::string measured_cell(const PublishedComparison& comparison, const std::string& ours,
                          LetteredNotes& notes) {
  const std::string note = note_of(comparison);
  const std::string mark = note.empty() ? "" : " " + notes.mark(note);
  if (comparison.verdict == NumberVerdict::kNoPublicData) {
    return "no data";
  }
  if (!std::isfinite(comparison.ours)) {
    return (comparison.verdict == NumberVerdict::kNotRun ? "not run" : "? none") + mark;
  }
  return fmt::format(
      "{} {}{}{}{}", verdict_sign(comparison.verdict), ours,
      answer_marks({.missed = comparison.cardinality_missed, .truncated = comparison.truncated}),
      tolerance_text(comparison), mark);
}

std::vector<std::string> notes_on_marks(
    const std::vector<const PublishedComparison*>& comparisons) {
  const auto some = [&](const auto& has_it) {
    return std::any_of(comparisons.begin(), comparisons.end(),
                       [&](const PublishedComparison* one) { return has_it(*one); });
  };
  std::vector<std::string> notes;
  if (some(shows_interval)) {
    notes.emplace_back(kIntervalNote);
  }
  if (some([](const PublishedComparison& one) { return one.cardinality_missed; })) {
    notes.push_back(fmt::format("{} {}", kMissedMark, kMissedNote));
  }
  if (some([](const PublishedComparison& one) { return one.truncated; })) {
    notes.push_back(fmt::format("{} {}", kTruncatedMark, kTruncatedNote));
  }
  return notes;
}

std::string without_star(const std::string& printed) {
  return printed.substr(0, printed.find('*'));
}

std::string in_format_of(const std::string& printed, double value) {
  const PrintedNumber parts = printed_number(printed);
  double scaled = value;
  if (!parts.exponent.empty()) {
    scaled /= std::pow(10.0, parts.power);
    constexpr double kFarAway = 100;
    if (scaled != 0 && std::abs(std::log10(std::abs(scaled))) > std::log10(kFarAway)) {
      return significant_text(value, parts.decimals + 2);
    }
  }
  std::string text = fixed_text(scaled, parts.decimals + 1);
  const std::size_t zero = text.find_first_not_of('-');
  if (parts.mantissa.find('.') == parts.mantissa.find_first_not_of("+-") &&
      text.compare(zero, 2, "0.") == 0) {
    text.erase(zero, 1);
  }
  const bool has_sign = parts.mantissa.starts_with('+') || parts.mantissa.starts_with('-');
  return (has_sign && !text.starts_with('-') ? "+" : "") + text + parts.exponent;
}

}  // namespace spca
