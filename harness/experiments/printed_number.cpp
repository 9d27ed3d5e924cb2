#include "harness/experiments/printed_number.h"

#include <algorithm>
#include <charconv>

namespace spca {

PrintedNumber printed_number(const std::string& text) {
  PrintedNumber number{.mantissa = text.substr(0, text.find('*'))};
  const std::size_t exponent_at = number.mantissa.find_first_of("eE");
  if (exponent_at != std::string::npos) {
    number.exponent = number.mantissa.substr(exponent_at);
    number.mantissa.erase(exponent_at);
    // from_chars takes no plus sign. A power beyond int stays 0: the number is then 0.
    const std::size_t digits = number.exponent.find_first_not_of("eE+");
    const char* end = number.exponent.data() + number.exponent.size();
    std::from_chars(number.exponent.data() + std::min(digits, number.exponent.size()), end,
                    number.power);
  }
  const std::size_t point = number.mantissa.find('.');
  if (point != std::string::npos) {
    number.decimals = static_cast<int>(number.mantissa.size() - point - 1);
  }
  return number;
}

}  // namespace spca
