#include "spca/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "spca/base/text.h"

namespace spca {
namespace {

/// Levenshtein's distance. Two rows of the table are enough: `previous` holds the distances of a's
/// first i - 1 letters to every prefix of b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> previous(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, substitution});
    }
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

InputError::InputError(const std::string& message) : std::runtime_error(printable(message)) {}

void throw_check_failed(const char* condition, const char* file, int line,
                        const std::string& message) {
  throw InternalError(fmt::format("{}:{}: {} (condition {})", file, line, message, condition));
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  std::string_view nearest;
  // One more than the largest accepted distance, because the comparison below is strict: a third of
  // the letters may differ, and in a short name one letter.
  std::size_t nearest_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance > 0 && distance < nearest_distance) {  // not the name itself
      nearest = candidate;
      nearest_distance = distance;
    }
  }
  return nearest.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", nearest);
}

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

}  // namespace spca
