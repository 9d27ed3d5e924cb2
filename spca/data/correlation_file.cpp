#include "spca/data/correlation_file.h"

#include <nlohmann/json.hpp>

#include "spca/base/json_text.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/io/embedded.h"

namespace spca {

Dataset built_in_correlation(const char* name) {
  const Json json = parse_json(embedded_file(name));
  const auto rows = json.at("correlation").get<std::vector<std::vector<double>>>();
  const Index p = static_cast<Index>(rows.size());
  Matrix correlation(p, p);
  for (Index i = 0; i < p; ++i) {
    for (Index j = 0; j < p; ++j) {
      correlation(i, j) = rows.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(j));
    }
  }
  return {.covariance = make_explicit_covariance(std::move(correlation)),
          .variable_names = json.at("variable_names").get<std::vector<std::string>>(),
          .truth = {}};
}

}  // namespace spca
