#include "harness/peers/peer_placeholders.h"

#include <functional>

namespace spca {
namespace {

/// Replaces each placeholder by the result of `replace` for its name.
std::string transform(const std::string& text,
                      const std::function<std::string(const std::string&)>& replace) {
  const char* const kLetters = "abcdefghijklmnopqrstuvwxyz0123456789_-.";
  std::string result;
  std::size_t at = 0;
  for (std::size_t open = 0; (open = text.find('{', at)) != std::string::npos;) {
    const std::size_t close = text.find_first_not_of(kLetters, open + 1);
    result += text.substr(at, open - at);
    if (close == std::string::npos || text[close] != '}' || close == open + 1) {
      result += '{';
      at = open + 1;
    } else {
      result += replace(text.substr(open + 1, close - open - 1));
      at = close + 1;
    }
  }
  return result + text.substr(at);
}

}  // namespace

std::vector<std::string> placeholders_in(const std::string& text) {
  std::vector<std::string> words;
  transform(text, [&](const std::string& word) {
    words.push_back(word);
    return "";
  });
  return words;
}

std::string replace_placeholders(const std::string& text, const Placeholders& values) {
  return transform(text, [&](const std::string& word) {
    const auto value = values.find(word);
    return value == values.end() ? "{" + word + "}" : value->second;
  });
}

}  // namespace spca
