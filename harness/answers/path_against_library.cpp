#include "harness/answers/path_against_library.h"

#include <utility>

namespace spca {

void hold_against_library(const Covariance& covariance, const std::vector<Index>& cardinalities,
                          const std::optional<DataOrigin>& origin, PathReport& report) {
  if (!origin) {
    return;
  }
  for (SolverPath& path : report.solvers) {
    for (std::size_t i = 0; i < path.points.size(); ++i) {
      CardinalityAnswer& answer = path.points[i].answer;
      if (!answer.has_answer()) {
        continue;
      }
      std::string contradiction = compare_with_library(installed_library(), *origin,
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
