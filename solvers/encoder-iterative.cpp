/// Iterative sparse linear encoder: one component after the other on the residual of those before.
///
/// Problem  minimise ||X - XH(XH)^+X||_F^2  s.t. ||h_j|| = 1, ||h_j||_0 <= k_j
/// Step     h_j is the batch encoder with one component of the residual X - XH(XH)^+X: columns
///          chosen by `columns`, then the blackbox. The residual enters as S - SH(H'SH)^+H'S
///          (residual_covariance.h)
/// Start    H empty
/// Stops    after r components
/// Cost     a component: the leading eigenvector of the residual, O(p) a column chosen, k_j columns
///          of S and O(p k_j^2)
/// Source   Magdon-Ismail, Boutsidis, Optimal sparse linear encoders and sparse PCA, NIPS 2016,
///          section 3. Theorem 11 is for columns chosen at random and the schedule k_j = 5 +
///          ceil(5 j / eps). Section 4 runs equal k_j with the deterministic choice, our default
/// Differs  k_j = 1 is solved, though Theorem 6 does not cover it. Columns may be chosen in other
///          ways. The schedule is cut at the cardinality that the problem allows

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "spca/base/random.h"
#include "spca/base/tolerances.h"
#include "spca/covariance/residual_covariance.h"
#include "spca/methods/encoders/encoder_problem.h"
#include "spca/methods/encoders/linear_encoder.h"

namespace spca::solver_encoder_iterative {
namespace {

struct EncoderIterativeOptions {
  std::string columns = "dual-set";
  std::string schedule = "as-asked";
  double epsilon = 1;

  void describe(OptionVisitor& visit) {
    visit("columns", columns,
          "how the columns of each residual are chosen; adaptive is the random choice",
          kColumnChoices);
    visit("schedule", schedule,
          "as-asked: the cardinalities of the problem; growing: 5 + ceil(5 j / epsilon) for "
          "component j, at most those of the problem",
          {"as-asked", "growing"});
    visit("epsilon", epsilon, "growing schedule: smaller is less sparse and loses less", above(0));
  }
};

Index cardinality_of(const Problem& problem, const EncoderIterativeOptions& options, Index j) {
  const Index asked = problem.cardinality[static_cast<std::size_t>(j)];
  if (options.schedule == "as-asked") {
    return asked;
  }
  const double steps = std::ceil(5 * static_cast<double>(j + 1) / options.epsilon);
  return steps + 5 < static_cast<double>(asked) ? 5 + static_cast<Index>(steps) : asked;
}

Solution solve_iterative(const Problem& problem, const EncoderIterativeOptions& options,
                         Budget& budget) {
  ResidualCovariance residual(problem.covariance);
  Random seeds(problem.seed);
  std::vector<Component> components;
  for (Index j = 0; j < problem.components; ++j) {
    if (budget.out_of_time()) {
      break;  // the components so far are the answer for fewer components
    }
    const auto nothing_left = [&] {
      return skipped(
          fmt::format("{0} components have zero loss already: {1} were asked for; accepted: at "
                      "most {0} components",
                      j, problem.components));
    };
    if (!(residual.total_variance() > kNothingLeft * problem.covariance.total_variance())) {
      return nothing_left();
    }
    // The first component works on S itself, which is exact and costs no correction.
    const Covariance& left = j == 0 ? problem.covariance : residual;
    const Eigenpairs leading = leading_eigenpairs(left, 1, Exact::kPairs, Copies::kAny);
    budget.phases().finish("eigenpairs");
    const ColumnChoice choice{.method = options.columns,
                              .components = 1,
                              .k = cardinality_of(problem, options, j),
                              .seed = seeds.bits(),
                              .threads = problem.threads};
    budget.begin_loop();
    const Support rows = sorted(choose_columns(left, leading, choice, budget));
    if (rows.empty()) {
      return nothing_left();
    }
    components.push_back(
        // The rounding of the residual is relative to the variances of S, not to the residual's
        // own, which may be tiny.
        linear_encoder(left, rows, 1, problem.covariance.diagonal()).components[0]);
    residual.remove(components.back());
  }
  return make_solution(std::move(components), budget);
}

SPCA_SOLVER("encoder-iterative", solve_iterative,
            (Traits{.summary = "sparse linear encoder, one component after the other",
                    .problem = "min ||X - XH(XH)^+X||_F^2  s.t. ||h_j|| = 1, ||h_j||_0 <= k_j",
                    .source = "Magdon-Ismail, Boutsidis, NIPS 2016",
                    .multiple_components = true,
                    .seeded = true,
                    .laws = {"theorem5_slack_of_steps", "eckart_young_slack"},
                    .semidefinite = kEncodersNeedData}));

}  // namespace
}  // namespace spca::solver_encoder_iterative
