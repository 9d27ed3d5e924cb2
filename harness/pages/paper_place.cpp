#include "harness/pages/paper_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <vector>

#include "harness/experiments/experiment_tables.h"

namespace spca {

PaperPlace place_in_paper(const std::string& where) {
  static const std::vector<std::string> kinds = {"page", "section", "Table", "Figure"};
  static const std::regex pattern("\\b(section|page|Table|Figure) ([0-9]+)[0-9.]*");
  std::smatch match;
  if (!std::regex_search(where, match, pattern)) {
    return {.name = "", .kind = kinds.size(), .number = 0};
  }
  const auto kind = std::find(kinds.begin(), kinds.end(), match[1].str()) - kinds.begin();
  constexpr std::size_t kLongestNumber = 6;
  return {.name = match[0].str(),
          .kind = static_cast<std::size_t>(kind),
          .number = std::stoul(match[2].str().substr(0, kLongestNumber))};
}

std::string title_in_paper(const PublishedTable& table, const PaperPlace& place) {
  if (place.name.empty() || table.title.find(place.name) != std::string::npos) {
    return table.title;
  }
  std::string name = place.name;
  name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  return fmt::format("{}: {}", name, table.title);
}

}  // namespace spca
