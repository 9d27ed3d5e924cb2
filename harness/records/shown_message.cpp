#include "harness/records/shown_message.h"

#include "spca/base/unicode.h"

namespace spca {

std::string shown_message(std::string_view message) {
  constexpr std::size_t kMostShown = 500;
  if (count_letters(message) <= kMostShown) {
    return std::string(message);
  }
  std::string_view rest = message;
  for (std::size_t letters = 0; letters < kMostShown; ++letters) {
    rest.remove_prefix(first_letter(rest).second);
  }
  return std::string(message.substr(0, message.size() - rest.size())) + "...";
}

}  // namespace spca
