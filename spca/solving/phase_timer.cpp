#include "spca/solving/phase_timer.h"

#include "spca/base/shared_time.h"

namespace spca {

PhaseTimer::PhaseTimer() : begin_(steady_now_exactly()) {}

void PhaseTimer::finish(const std::string& name) {
  if (is_nested()) {
    return;
  }
  const std::timespec now = steady_now_exactly();
  seconds_[name] += seconds_between(begin_, now);
  begin_ = now;
}

}  // namespace spca
