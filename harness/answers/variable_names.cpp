#include "harness/answers/variable_names.h"

#include <nlohmann/json.hpp>

namespace spca {

Json names_of(const Dataset& dataset, const Support& variables) {
  Json names = Json::array();
  if (!dataset.variable_names.empty()) {
    for (const Index variable : variables) {
      names.push_back(dataset.variable_names[static_cast<std::size_t>(variable)]);
    }
  }
  return names;
}

}  // namespace spca
