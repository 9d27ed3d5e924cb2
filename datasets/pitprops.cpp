/// Pit props: the 13 x 13 correlation matrix of 180 pit props, the oldest test case of sparse PCA.
/// The numbers stand in datasets/pitprops.json, which is built into the program.
/// Source  J. N. R. Jeffers, Two case studies in the application of principal component analysis,
///         Applied Statistics 16:225-236, 1967

#include <nlohmann/json.hpp>

#include "spca/data/dataset.h"
#include "spca/io/embedded.h"

namespace spca {
namespace {

Dataset load_pitprops(const NoOptions&, const DatasetRequest&) {
  const Json json = Json::parse(embedded_file("pitprops.json"));
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

SPCA_DATASET("pitprops", load_pitprops,
             (DatasetTraits{.summary = "correlations of 13 measurements on 180 pit props; built in",
                            .shape = "13 x 13 correlation",
                            .source = "Jeffers, Applied Statistics 16:225, 1967"}));

}  // namespace
}  // namespace spca
