#include "harness/verdicts/number_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace spca {

std::string number_text(double value, bool is_time) {
  return is_time ? fmt::format("{:.3g}", value) : fmt::format("{:.6g}", value);
}

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) {
    list.push_back(text);
  }
}

}  // namespace spca
