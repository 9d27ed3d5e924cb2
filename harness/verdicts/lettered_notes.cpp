#include "harness/verdicts/lettered_notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "spca/base/text.h"

namespace spca {
namespace {

std::string letter(std::size_t index) {
  constexpr std::size_t kLetters = 26;
  const std::string last(1, static_cast<char>('a' + index % kLetters));
  return index < kLetters ? last : letter(index / kLetters - 1) + last;
}

}  // namespace

std::string LetteredNotes::mark(const std::string& text) {
  add_once(texts_, text);
  return letter(
      static_cast<std::size_t>(std::find(texts_.begin(), texts_.end(), text) - texts_.begin()));
}

std::vector<std::string> LetteredNotes::lines() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    lines.push_back(
        fmt::format("{}. {}{}", letter(i), texts_[i], texts_[i].ends_with('.') ? "" : "."));
  }
  return lines;
}

}  // namespace spca
