/// Tests of the status by which make_solution() says why a solve ended.

#include "spca/solving/solver.h"

#include <gtest/gtest.h>

namespace spca::solver_test {
namespace {

Status status_of(std::vector<Component> components, const Budget& budget) {
  return make_solution(std::move(components), budget).status;
}

TEST(MakeSolution, NothingFoundAtTheEndOfTheTimeIsLate) {
  const std::vector<Component> one = {{.support = {0}, .values = Vector::Ones(1)}};
  const Budget over(Budget::Limits{.seconds = 0});
  EXPECT_EQ(status_of({}, over), Status::kTimeLimit);
  EXPECT_EQ(status_of(one, over), Status::kConverged);  // the solver ended by its own rule
  EXPECT_EQ(status_of({}, Budget()), Status::kConverged);
}

TEST(MakeSolution, TheTimeComesBeforeTheIterations) {
  const std::vector<Component> one = {{.support = {0}, .values = Vector::Ones(1)}};
  Budget steps(Budget::Limits{.iterations = 0});
  EXPECT_FALSE(steps.next());
  EXPECT_EQ(status_of(one, steps), Status::kIterationLimit);
  Budget over(Budget::Limits{.seconds = 0});
  EXPECT_FALSE(over.next());
  EXPECT_EQ(status_of(one, over), Status::kTimeLimit);
}

}  // namespace
}  // namespace spca::solver_test
