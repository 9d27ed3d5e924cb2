#include "harness/tables/number_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace spca {

namespace {

std::string without_sign_of_zero(std::string text) {
  const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
  return is_zero && text.starts_with('-') ? text.substr(1) : text;
}

}  // namespace

std::string significant_text(double value, int digits) {
  return without_sign_of_zero(fmt::format("{:.{}g}", value, digits));
}

std::string fixed_text(double value, int digits) {
  return without_sign_of_zero(fmt::format("{:.{}f}", value, digits));
}

std::string percent_text(double share, int digits) {
  return fixed_text(100 * share, digits) + " %";
}

std::string small_percent_text(double share, int digits) {
  constexpr double kLeastOfTwoDecimals = 1e-4;
  return std::abs(share) < kLeastOfTwoDecimals ? significant_text(100 * share, digits) + " %"
                                               : percent_text(share);
}

std::string interval_text(double low, double high) {
  return fmt::format("[{}, {}]", significant_text(low, 3), significant_text(high, 3));
}

std::string number_text(double value, bool is_time) {
  return significant_text(value, is_time ? 3 : 6);
}

}  // namespace spca
