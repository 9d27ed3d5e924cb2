/// Tests greedy selection and elimination against their definitions, the inclusion principle, and
/// the published optima of pit props.

#include <array>

#include "spca/covariance/covariance_explicit.h"
#include "spca/data/dataset.h"
#include "spca/dense/dense_selections.h"
#include "spca/solving/solve.h"
#include "tests/properties/hunted_matrix.h"
#include "tests/solver_testing.h"

namespace spca::gspca_test {
namespace {

// Tolerance relative to the largest eigenvalue: for rounding, and for greedy steps, each of which
// may take a variable whose value is lower by 1e-9 (kTiedByRounding).
constexpr double kRounding = 1e-8;

double value_on(const Matrix& matrix, const Support& support) {
  return symmetric_eigenvalues(matrix(support, support)).maxCoeff();
}

/// Returns lambda_max at every cardinality if each step adds, or removes, the variable for which it
/// becomes largest.
Vector by_definition(const Matrix& matrix, bool forward) {
  const Index p = matrix.rows();
  Vector values(p);
  Support chosen;
  if (!forward) {
    chosen.resize(static_cast<std::size_t>(p));
    std::iota(chosen.begin(), chosen.end(), Index{0});
    values[p - 1] = value_on(matrix, chosen);
  }
  for (Index step = forward ? 0 : 1; step < p; ++step) {
    Support best;
    double best_value = -std::numeric_limits<double>::infinity();
    for (Index i = 0; i < p; ++i) {
      Support next = chosen;
      const auto place = std::find(next.begin(), next.end(), i);
      if ((place != next.end()) == forward) {
        continue;
      }
      forward ? void(next.push_back(i)) : void(next.erase(place));
      if (const double value = value_on(matrix, next); value > best_value) {
        best_value = value;
        best = next;
      }
    }
    chosen = best;
    values[forward ? step : p - 1 - step] = best_value;
  }
  return values;
}

Solution solved(const Covariance& covariance, Index k, const std::string& passes) {
  const SolverEntry& entry = SolverRegistry::instance().get("gspca", "");
  Budget budget;
  const Problem problem{.covariance = covariance, .cardinality = {k}};
  return entry.solve(problem, entry.complete_options({{"passes", passes}}, "/options"), budget);
}

TEST(Gspca, PassesAreTheirDefinitions) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Index p = seed % 3 == 0 ? 16 : 9;
    const auto covariance =
        trial::as_explicit(trial::random_data(static_cast<Index>(3 + seed % 20), p, seed));
    const Matrix matrix = covariance->submatrix(all_variables(p));
    const Vector forward = by_definition(matrix, true);
    const Vector backward = by_definition(matrix, false);
    const Solution up = solved(*covariance, p, "forward");
    const Solution down = solved(*covariance, p, "backward");
    const Solution both = solved(*covariance, p, "both");
    for (Index k = 1; k <= p; ++k) {
      SCOPED_TRACE(fmt::format("seed {}, k = {}", seed, k));
      const auto value = [&](const Solution& solution) {
        return covariance->quadratic_form(
            solution.path.at(static_cast<std::size_t>(k - 1)).component);
      };
      const double tolerance = kRounding * forward[p - 1];
      EXPECT_NEAR(value(up), forward[k - 1], tolerance);
      EXPECT_NEAR(value(down), backward[k - 1], tolerance);
      EXPECT_NEAR(value(both), std::max(forward[k - 1], backward[k - 1]), tolerance);
      // The answer for k does not depend on the length of the path.
      EXPECT_NEAR(covariance->quadratic_form(solved(*covariance, k, "both").components.at(0)),
                  value(both), tolerance);
    }
  }
}

/// lambda_{p-k+1} <= lambda_max(S_II) on the support of the answer <= the optimum <= lambda_1.
TEST(Gspca, LiesWithinTheSpectralBoundsOnEveryKindOfMatrix) {
  Random random(31);
  int missed = 0;
  int cases = 0;
  for (const std::string& kind : properties::kinds_of_matrices()) {
    for (const Index p : {2, 4, 7}) {
      const properties::HuntedMatrix drawn = properties::draw_matrix(kind, p, random);
      const Matrix matrix = properties::exact_covariance(drawn);
      const auto covariance = make_explicit_covariance(matrix);
      const Vector eigenvalues = symmetric_eigenvalues(matrix);  // ascending
      const Vector optima = trial::optima_by_enumeration(matrix);
      const double tolerance = kRounding * matrix.diagonal().maxCoeff();
      for (Index k = 1; k <= p; ++k) {
        SCOPED_TRACE(fmt::format("{}, p = {}, k = {}", kind, p, k));
        const Component found = solved(*covariance, k, "both").components.at(0);
        EXPECT_LE(found.cardinality(), k);
        EXPECT_NEAR(found.values.norm(), 1, 1e-12);
        const double value = covariance->quadratic_form(found);
        EXPECT_GE(value, eigenvalues[k - 1] - tolerance);
        EXPECT_LE(value, optima[k - 1] + tolerance);
        if (k == 1 || k == p) {
          EXPECT_NEAR(value, optima[k - 1], tolerance);
        }
        missed += value < optima[k - 1] - tolerance ? 1 : 0;
        ++cases;
      }
    }
  }
  EXPECT_LE(10 * missed, cases) << "greedy steps rarely miss an optimum of so few variables";
}

TEST(Gspca, FindsTheOptimaOfPitPropsThatArePrinted) {
  const Dataset pitprops = DatasetRegistry::instance().get("pitprops", "").load(Json::object(), {});
  constexpr std::array<double, 13> kPrinted = {1,       1.954,   2.47533, 2.93748, 3.40615,
                                               3.77096, 3.99619, 4.06861, 4.13865, 4.17264,
                                               4.20828, 4.21825, 4.21863};
  constexpr double kHalfDigit = 0.5e-5;
  const Solution solution = solved(*pitprops.covariance, 13, "both");
  for (std::size_t k = 1; k <= 13; ++k) {
    EXPECT_NEAR(pitprops.covariance->quadratic_form(solution.path.at(k - 1).component),
                kPrinted[k - 1], kHalfDigit)
        << "k = " << k;
  }
}

TEST(Gspca, ApproximateStepsAreThoseOfFullpath) {
  const auto covariance = trial::as_covariance(trial::random_data(30, 20, 8));
  const SolverEntry& gspca = SolverRegistry::instance().get("gspca", "");
  const SolverEntry& fullpath = SolverRegistry::instance().get("fullpath", "");
  for (const auto& [passes, variant] :
       {std::pair{"forward", "approximate"}, {"backward", "backward"}}) {
    Budget budget;
    const Problem problem{.covariance = *covariance, .cardinality = {20}};
    const Solution found = gspca.solve(
        problem, gspca.complete_options({{"passes", passes}, {"rule", "approximate"}}, ""), budget);
    const Solution expected =
        fullpath.solve(problem, fullpath.complete_options({{"variant", variant}}, ""), budget);
    ASSERT_EQ(found.path.size(), expected.path.size());
    for (std::size_t k = 0; k < found.path.size(); ++k) {
      EXPECT_EQ(found.path[k].component.support, expected.path[k].component.support);
    }
  }
}

TEST(Gspca, SkipsAnEliminationFromTooManyVariables) {
  const auto covariance = trial::as_covariance(trial::random_data(3, 2100, 1));
  EXPECT_EQ(solved(*covariance, 2, "both").status, Status::kSkipped);
  EXPECT_EQ(solved(*covariance, 2, "forward").status, Status::kConverged);
}

}  // namespace
}  // namespace spca::gspca_test
