#include "harness/experiments/printed_number.h"

#include <algorithm>
#include <cstdlib>

namespace spca {

PrintedNumber printed_number(const std::string& text) {
  PrintedNumber number{.mantissa = text.substr(0, text.find('*'))};
  const std::size_t exponent_at = number.mantissa.find_first_of("eE");
  if (exponent_at != std::string::npos) {
    number.exponent = number.mantissa.substr(exponent_at);
    number.mantissa.erase(exponent_at);
    // A larger power is that of a zero, because a double of it is refused.
    constexpr long kLargestPower = 1000;
    number.power = static_cast<int>(std::clamp(
        std::strtol(number.exponent.c_str() + 1, nullptr, 10), -kLargestPower, kLargestPower));
  }
  const std::size_t point = number.mantissa.find('.');
  if (point != std::string::npos) {
    number.decimals = static_cast<int>(number.mantissa.size() - point - 1);
  }
  return number;
}

}  // namespace spca
