#include "harness/comparisons/gate_junit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "harness/comparisons/gate_report.h"
#include "spca/base/unicode.h"

namespace spca {
namespace {

/// Returns the UTF-8 sequence at the front of `text` if XML 1.0 allows it (its production Char,
/// without the carriage return, which a reader would turn into a line feed). Otherwise empty.
std::string_view xml_character(std::string_view text) {
  const auto [code, length] = first_letter(text);
  const bool is_text = code == U'\t' || code == U'\n' || (code >= U' ' && code < 0xD800) ||
                       (code >= 0xE000 && code < 0xFFFE) || (code >= 0x10000 && code < 0x110000);
  const bool is_broken = code == U'\uFFFD' && length == 1;
  return is_text && !is_broken ? text.substr(0, length) : std::string_view();
}

/// Escapes text for an attribute or an element. Whatever xml_character refuses becomes U+FFFD.
std::string xml(std::string_view text) {
  static const std::map<char, std::string> kEntities = {
      {'&', "&amp;"},   {'<', "&lt;"},   {'>', "&gt;"}, {'"', "&quot;"},
      {'\'', "&apos;"}, {'\n', "&#10;"}, {'\t', "&#9;"}};
  std::string out;
  while (!text.empty()) {
    const std::string_view character = xml_character(text);
    const auto entity = kEntities.find(text.front());
    out += entity != kEntities.end() ? entity->second
           : character.empty()       ? std::string("\xEF\xBF\xBD")
                                     : std::string(character);
    text.remove_prefix(std::max<std::size_t>(character.size(), 1));
  }
  return out;
}

/// Lists the parts of the cell with this verdict, one on each line.
std::string message(const CellCheck& cell, Verdict verdict) {
  std::vector<std::string> lines;
  for (const CellProblem& problem : cell.problems) {
    if (problem.verdict == verdict) {
      lines.push_back(problem.reason);
    }
  }
  for (const MetricCheck& check : cell.metrics) {
    if (check.verdict == verdict) {
      lines.push_back(metric_line(check));
    }
  }
  return join(lines, "\n");
}

/// Returns whether the verdict is an error. JUnit distinguishes a test that could not judge (error)
/// from one that judged and failed (failure).
bool is_error(Verdict verdict) {
  return verdict == Verdict::kFailed || verdict == Verdict::kNotComparable;
}

std::string junit_outcome(const CellCheck& cell) {
  if (cell.verdict == Verdict::kNotGated) {
    return fmt::format("      <skipped message=\"{}\"/>\n", xml(why_not_gated(cell)));
  }
  if (exit_code(cell.verdict) != 0) {
    const std::string text = message(cell, cell.verdict);
    const std::string element = is_error(cell.verdict) ? "error" : "failure";
    return fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", element,
                       verdict_name(cell.verdict), xml(text.substr(0, text.find('\n'))), xml(text));
  }
  return "";
}

std::string junit_case(const GateReport& report, const CellCheck& cell) {
  std::string lines;
  for (const MetricCheck& check : cell.metrics) {
    lines += xml(metric_line(check)) + "\n";
  }
  const std::string output =
      lines.empty() ? "" : fmt::format("      <system-out>{}</system-out>\n", lines);
  return fmt::format(
      "    <testcase classname=\"{}.{}\" name=\"{}\" time=\"0\">\n{}{}    </testcase>\n",
      xml(report.experiment), xml(cell.reference->grid), xml(cell.reference->label()),
      junit_outcome(cell), output);
}

}  // namespace

std::string gate_junit(const GateReport& report) {
  const std::size_t errors = report.count(Verdict::kFailed) + report.count(Verdict::kNotComparable);
  const std::size_t failures = report.count(Verdict::kWorse) + report.count(Verdict::kSlower);
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"0\"",
                  report.cells.size(), failures, errors, report.count(Verdict::kNotGated));
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites name=\"spca check\" {}>\n", counts);
  text += fmt::format("  <testsuite name=\"{}\" {}>\n", xml(report.experiment), counts);
  for (const CellCheck& cell : report.cells) {
    text += junit_case(report, cell);
  }
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace spca
