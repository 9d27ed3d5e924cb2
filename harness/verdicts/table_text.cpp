#include "harness/verdicts/table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace spca {

std::string number_text(double value, bool is_time) {
  return is_time ? fmt::format("{:.3g}", value) : fmt::format("{:.6g}", value);
}

void add_once(std::vector<std::string>& words, const std::string& word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) {
    words.push_back(word);
  }
}

}  // namespace spca
