#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

/// Starts a daemon that keeps every descriptor of this process and leaves its session. Writes the
/// daemon's process ID into the file that SPCA_TEST_DAEMON names.
void start_daemon() {
  int ends[2] = {-1, -1};
  if (pipe(ends) != 0) {
    return;
  }
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      const pid_t self = getpid();
      [[maybe_unused]] const auto written = write(ends[1], &self, sizeof self);
      for (;;) {
        pause();
      }
    }
    _exit(0);
  }
  pid_t daemon = 0;
  [[maybe_unused]] const auto count = read(ends[0], &daemon, sizeof daemon);
  close(ends[0]);
  close(ends[1]);
  if (const char* file = std::getenv("SPCA_TEST_DAEMON")) {
    std::ofstream(file) << daemon;
  }
}

/// Answers, and leaves a daemon behind.
Solution solve_misbehave_daemon(const Problem& problem, const NoOptions&, Budget& budget) {
  start_daemon();
  return make_solution({best_on_support(problem.covariance, {0}).component}, budget);
}

SPCA_SOLVER("misbehave-daemon", solve_misbehave_daemon,
            (Traits{.summary = "leaves a daemon", .problem = "", .source = ""}));

}  // namespace
}  // namespace spca
