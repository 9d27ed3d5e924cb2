#include "harness/answers/numbers_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace spca {

Json numbers_to_json(const std::vector<double>& numbers, bool per_component) {
  // A whole number, such as a count, is written without a decimal point.
  const auto number = [](double value) {
    // The largest number up to which every whole number is a double and the cast to Index is exact.
    constexpr double kLargestExact = 9007199254740992;  // 2^53
    return value == std::floor(value) && std::abs(value) <= kLargestExact
               ? Json(static_cast<Index>(value))
               : Json(value);
  };
  if (per_component) {
    Json list = Json::array();
    for (const double value : numbers) {
      list.push_back(number(value));
    }
    return list;
  }
  return numbers.empty() ? Json(nullptr) : number(numbers.front());
}

}  // namespace spca
