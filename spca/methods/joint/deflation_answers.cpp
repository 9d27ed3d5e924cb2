#include "spca/methods/joint/deflation_answers.h"

#include <fmt/format.h>

#include "spca/base/borrowed.h"
#include "spca/base/error.h"
#include "spca/base/sha256.h"
#include "spca/covariance/deflation.h"
#include "spca/solving/nested_solver.h"
#include "spca/spectrum/eigen_patience.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca {
namespace {

/// The component that the solver finds; empty if it finds none.
Component one_component(const Problem& problem, const std::string& name, const std::string& where,
                        Budget& budget) {
  budget.begin_loop();
  try {
    const EigenPatience patience([&budget] { return budget.is_time_up(); });
    Solution solution = run_nested_solver(problem, name, {}, problem.cardinality, where, budget);
    if (is_usable(solution.status) && !solution.components.empty()) {
      return std::move(solution.components[0]);
    }
  } catch (const NumericalError&) {
    // The solver failed on the S that the earlier components leave.
  }
  return {};
}

}  // namespace

std::vector<Support> deflation_answer(const Problem& problem, const std::string& name,
                                      const std::string& where, Budget& budget) {
  const DeflationEntry& deflation = DeflationRegistry::instance().get("remove-support", "");
  std::shared_ptr<const Covariance> left = borrowed(problem.covariance);
  std::vector<Support> supports(problem.cardinality.size());
  for (std::size_t j = 0; j < supports.size() && !budget.is_time_up() && has_variance(*left); ++j) {
    const Problem next{.covariance = *left,
                       .cardinality = {problem.cardinality[j]},
                       .seed = hash64(fmt::format("{}/{}", problem.seed, j)),
                       .threads = problem.threads};
    const Component found = one_component(next, name, where, budget);
    if (found.support.empty()) {
      break;
    }
    supports[j] = found.support;
    left = deflation.deflate(left, found);
  }
  return supports;
}

}  // namespace spca
