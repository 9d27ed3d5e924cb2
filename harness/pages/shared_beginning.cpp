#include "harness/pages/shared_beginning.h"

#include <map>

namespace spca {

std::vector<std::string> comma_parts(const std::string& text) {
  const std::string comma = ", ";
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(comma); end != std::string::npos;
       end = text.find(comma, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + comma.size();
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::string shared_beginning(const std::vector<std::string>& texts) {
  std::map<std::string, std::size_t> counts;
  for (const std::string& text : texts) {
    std::string beginning;
    for (const std::string& part : comma_parts(text)) {
      beginning += (beginning.empty() ? "" : ", ") + part;
      ++counts[beginning];
    }
  }
  std::string longest;
  for (const auto& [beginning, count] : counts) {
    if (2 * count > texts.size() && beginning.size() > longest.size()) {
      longest = beginning;
    }
  }
  return longest;
}

std::string without_beginning(const std::string& text, const std::string& beginning) {
  return !beginning.empty() && text.starts_with(beginning + ", ")
             ? text.substr(beginning.size() + 2)
             : text;
}

}  // namespace spca
