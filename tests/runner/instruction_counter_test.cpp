/// Tests of counting events. The machine of a test may have no counter of instructions, so one test
/// uses a counter of the kernel, the task clock; it is skipped if the process may not read that.

#include "harness/cells/instruction_counter.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>

#include <cmath>
#include <thread>

namespace spca::instruction_counter_test {
namespace {

/// Keeps the processor busy.
double work(int steps) {
  double sum = 0;
  for (int i = 1; i < steps; ++i) {
    sum += std::sin(static_cast<double>(i));
  }
  return sum;
}

TEST(EventCounter, CountsThisThreadAndThoseThatItStarts) {
  const EventCounter counter(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
  if (!counter.why().empty()) {
    GTEST_SKIP() << counter.why();
  }
  const double before = counter.count();
  volatile double sum = work(200'000);
  const double own = counter.count();
  EXPECT_GT(own, before);
  std::thread other([&] { sum = work(200'000); });
  other.join();
  EXPECT_GT(counter.count(), own);
}

TEST(EventCounter, SaysWhyItCountsNothing) {
  constexpr std::uint32_t kNoType = 4'000'000'000;
  const EventCounter counter(kNoType, 0);
  EXPECT_FALSE(counter.why().empty());
  EXPECT_TRUE(std::isnan(counter.count()));
}

TEST(InstructionCounter, CountsOrSaysWhyNot) {
  const InstructionCounter counter;
  volatile double sum = work(1000);
  static_cast<void>(sum);
  EXPECT_EQ(counter.why().empty(), why_no_instructions().empty());
  if (counter.why().empty()) {
    EXPECT_GT(counter.count(), 1000);
  } else {
    EXPECT_TRUE(std::isnan(counter.count()));
  }
}

}  // namespace
}  // namespace spca::instruction_counter_test
