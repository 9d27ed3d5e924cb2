#include "spca/solving/status.h"

#include <gtest/gtest.h>

#include "spca/base/error.h"

namespace spca::status_test {
namespace {

struct Row {
  Status status;
  const char* name;
  bool usable, is_final, repeatable, failure_with_loadings, failure_without;
};

// The table in status.h.
constexpr Row kRows[] = {
    {Status::kConverged, "converged", true, true, true, false, false},
    {Status::kIterationLimit, "iteration_limit", true, true, true, false, false},
    {Status::kIncomplete, "incomplete", true, true, true, false, false},
    {Status::kTimeLimit, "time_limit", true, true, false, false, true},
    {Status::kNumericalFailure, "numerical_failure", false, true, true, true, true},
    {Status::kSkipped, "skipped", false, false, false, false, false},
    {Status::kFailed, "failed", false, false, false, true, true},
    {Status::kInvalid, "invalid", false, true, true, true, true}};

TEST(Status, DecidesAsItsTableSays) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_STREQ(status_name(row.status), row.name);
    EXPECT_EQ(status_from_name(row.name), row.status);
    EXPECT_EQ(is_usable(row.status), row.usable);
    EXPECT_EQ(is_answer(row.status, true), row.usable);
    EXPECT_FALSE(is_answer(row.status, false));
    EXPECT_EQ(is_final(row.status), row.is_final);
    EXPECT_EQ(is_repeatable(row.status), row.repeatable);
    EXPECT_EQ(is_failure(row.status, true), row.failure_with_loadings);
    EXPECT_EQ(is_failure(row.status, false), row.failure_without);
  }
  EXPECT_TRUE(owes_answer(Status::kTimeLimit));
  EXPECT_FALSE(owes_answer(Status::kSkipped));
  EXPECT_FALSE(owes_answer(Status::kIncomplete));
  EXPECT_TRUE(may_lack_components(Status::kTimeLimit));
  EXPECT_TRUE(may_lack_components(Status::kIncomplete));
  EXPECT_FALSE(may_lack_components(Status::kConverged));
  EXPECT_THROW(status_from_name("done"), InputError);
}

}  // namespace
}  // namespace spca::status_test
