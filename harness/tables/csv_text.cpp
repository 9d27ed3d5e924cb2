#include "harness/tables/csv_text.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "spca/base/text.h"

namespace spca {
namespace {

bool is_csv_number(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
  }
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return stop == end && !text.empty() && error != std::errc::invalid_argument;
}

bool needs_csv_quotes(const std::string& text) {
  return !text.empty() && (text.find_first_of(",\"\t") != std::string::npos ||
                           text.front() == ' ' || text.back() == ' ');
}

/// Returns the text without control characters except tabs.
std::string csv_line(const std::string& text) {
  std::string line;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\t', begin), text.size());
    line += (begin == 0 ? "" : "\t") + printable(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
  }
  return line;
}

std::string csv_quoted(const std::string& text) {
  std::string field = "\"";
  for (const char character : text) {
    field += character == '"' ? "\"\"" : std::string(1, character);
  }
  return field + "\"";
}

}  // namespace

std::string csv_field(const std::string& text) {
  std::string line = csv_line(text);
  return needs_csv_quotes(line) ? csv_quoted(line) : line;
}

std::string csv_name(const std::string& name) {
  return is_csv_number(name) || name.starts_with('#') ? csv_quoted(csv_line(name))
                                                      : csv_field(name);
}

}  // namespace spca
