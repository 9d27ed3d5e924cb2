#include "harness/answers/path_against_library.h"

#include <utility>

#include "harness/instances/same_data.h"

namespace spca {

void hold_against_library(const Covariance& covariance, const std::vector<Index>& cardinalities,
                          const std::optional<DataOrigin>& given, PathReport& report) {
  const std::optional<DataOrigin> origin =
      given ? given : origin_of_same_data(installed_library(), covariance);
  if (!origin) {
    return;
  }
  for (SolverPath& path : report.solvers) {
    for (std::size_t i = 0; i < path.points.size(); ++i) {
      CardinalityAnswer& answer = path.points[i].answer;
      if (!answer.has_answer()) {
        continue;
      }
      std::string contradiction = compare_with_library(installed_library(), origin,
                                                       {.solver = path.solver.entry->name,
                                                        .covariance = covariance,
                                                        .components = {answer.component},
                                                        .k = cardinalities[i],
                                                        .bound = report.bounds[i].value})
                                      .contradiction;
      if (!contradiction.empty()) {
        answer.status = Status::kInvalid;
        answer.message = std::move(contradiction);
        answer.component = {};
        answer.value = kNotMeasured;
      }
    }
  }
}

}  // namespace spca
