#include "spca/base/interrupt.h"

#include <gtest/gtest.h>

#include <csignal>

namespace spca::interrupt_test {
namespace {

bool is_default(int signal) {
  struct sigaction action {};
  sigaction(signal, nullptr, &action);
  return action.sa_handler == SIG_DFL;
}

/// Restores the default action of both signals: a program that a shell starts in the background
/// ignores SIGINT.
class StopSignalsTest : public testing::Test {
 protected:
  StopSignalsTest() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
  }
};

TEST_F(StopSignalsTest, BothAreCaughtAndGivenBack) {
  {
    const StopSignals signals(StopSignals::Repeat::kAlways);
    EXPECT_FALSE(is_default(SIGINT));
    EXPECT_FALSE(is_default(SIGTERM));
    EXPECT_FALSE(stop_requested());
    std::raise(SIGTERM);
    EXPECT_TRUE(stop_requested());
  }
  EXPECT_FALSE(stop_requested());
  EXPECT_TRUE(is_default(SIGINT));
  EXPECT_TRUE(is_default(SIGTERM));
}

TEST_F(StopSignalsTest, TerminationMayStayAsItWas) {
  {
    const StopSignals signals(StopSignals::Repeat::kAlways, StopSignals::Signals::kInterrupt);
    EXPECT_TRUE(is_default(SIGTERM));
    std::raise(SIGINT);
    EXPECT_TRUE(stop_requested());
    std::raise(SIGINT);
    EXPECT_TRUE(stop_requested());
  }
  EXPECT_FALSE(stop_requested());
  EXPECT_TRUE(is_default(SIGINT));
}

}  // namespace
}  // namespace spca::interrupt_test
