#include "spca/base/text.h"

#include <fmt/format.h>
#include <cctype>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "spca/base/unicode.h"

namespace spca {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::size_t kLongestQuote = 40;

std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') {
    text.remove_prefix(1);
  }
  return text;
}

}  // namespace

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char character) {
    return static_cast<char>(std::tolower(character));
  });
  return lower;
}

std::vector<std::string_view> split_blanks(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t begin = line.find_first_not_of(kBlanks);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  text = without_plus(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

std::optional<double> parse_number(std::string_view text) {
  text = without_plus(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) {
    return std::nullopt;
  }
  // from_chars does not set the value if the number is too large or too small for a double; strtod
  // does.
  return error == std::errc() ? value : std::strtod(std::string(text).c_str(), nullptr);
}

std::string in_quotes(std::string_view text) {
  return fmt::format("\"{}{}\"", text.substr(0, kLongestQuote),
                     text.size() > kLongestQuote ? "..." : "");
}

bool is_plain_path(std::string_view path) {
  for (;;) {
    const std::size_t end = path.find('/');
    const std::string_view step = path.substr(0, end);
    if (step.empty() || step == "." || step == "..") {
      return false;
    }
    if (end == std::string_view::npos) {
      return true;
    }
    path.remove_prefix(end + 1);
  }
}

std::string without(std::string text, std::string_view part) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos;) {
    text.erase(at, part.size());
  }
  return text;
}

namespace {

bool is_control(char32_t code) {
  const bool is_c0_or_c1 = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool is_separator = code == 0x2028 || code == 0x2029;
  const bool turns_direction = (code >= 0x202a && code <= 0x202e) ||
                               (code >= 0x2066 && code <= 0x2069) || code == 0x200e ||
                               code == 0x200f || code == 0x061c;
  return is_c0_or_c1 || is_separator || turns_direction;
}

std::string escape(char32_t code) {
  return code == U'\n'   ? "\\n"
         : code == U'\t' ? "\\t"
                         : fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code));
}

std::string without_controls(std::string_view text, std::string_view kept) {
  std::string printed;
  while (!text.empty()) {
    const auto [code, length] = first_letter(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    // A lone byte from 0x80 to 0x9f is a control character in the old 8-bit sets.
    const bool is_old_control = code == U'\uFFFD' && length == 1 && byte >= 0x80 && byte < 0xa0;
    if (is_old_control) {
      printed += escape(byte);
    } else if (is_control(code) && kept.find(text[0]) == std::string_view::npos) {
      printed += escape(code);
    } else {
      printed += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return printed;
}

}  // namespace

std::string printable(std::string_view text) { return without_controls(text, ""); }

std::string printable_lines(std::string_view text) { return without_controls(text, "\n\t"); }

std::string kept_message(std::string_view text) {
  constexpr std::string_view kCut = "...";
  // Each letter of `kept` stands for at most four bytes of the text: more bytes need not be read.
  std::string kept = printable(text.substr(0, 4 * (kLongestMessage + 1)));
  if (count_letters(kept) <= kLongestMessage) {
    return kept;
  }
  std::string_view rest = kept;
  for (std::size_t letters = 0; letters < kLongestMessage - kCut.size(); ++letters) {
    rest.remove_prefix(first_letter(rest).second);
  }
  kept.resize(kept.size() - rest.size());
  kept += kCut;
  return kept;
}

std::vector<std::string> align_columns(const std::vector<std::vector<std::string>>& given,
                                       ColumnAlignment others) {
  std::vector<std::vector<std::string>> rows = given;
  for (std::vector<std::string>& row : rows) {
    std::transform(row.begin(), row.end(), row.begin(),
                   [](const std::string& text) { return printable(text); });
  }
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t j = 0; j < row.size(); ++j) {
      widths[j] = std::max(widths[j], count_letters(row[j]));
    }
  }
  std::vector<std::string> lines;
  for (const std::vector<std::string>& row : rows) {
    std::string& line = lines.emplace_back();
    for (std::size_t j = 0; j < row.size(); ++j) {
      const std::string blanks(widths[j] - count_letters(row[j]), ' ');
      const bool is_right = j > 0 && others == ColumnAlignment::kRight;
      line += (j > 0 ? "  " : "") + (is_right ? blanks + row[j] : row[j] + blanks);
    }
    line.erase(line.find_last_not_of(' ') + 1);
  }
  return lines;
}

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) {
    list.push_back(text);
  }
}

}  // namespace spca
