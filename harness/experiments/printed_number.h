#pragma once

/// The parts of a decimal number as a paper prints it.

#include <string>

namespace spca {

/// The number "-2.51e3*" has the mantissa "-2.51" with two decimals, the exponent "e3" and the
/// power 3. The star, which marks data that are not public, belongs to no part.
struct PrintedNumber {
  std::string mantissa;
  int decimals = 0;
  std::string exponent = {};  // empty: none
  int power = 0;              // of ten
};

/// Splits `text`, a decimal number with or without a star, into its parts.
PrintedNumber printed_number(const std::string& text);

}  // namespace spca
