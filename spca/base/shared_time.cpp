#include "spca/base/shared_time.h"

namespace spca {
namespace {

thread_local SharedTime* shared = nullptr;

}  // namespace

SharedTime::Use::Use(SharedTime& time) : before_(shared) { shared = &time; }
SharedTime::Use::~Use() { shared = before_; }

SharedTime* SharedTime::of_this_thread() { return shared; }

std::timespec steady_now() {
  if (shared != nullptr) {
    return shared->now();
  }
  // Monotonic: a correction of the wall clock must not end a solve or make its time negative.
  std::timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now;
}

std::timespec steady_now_exactly() {
  if (shared != nullptr) {
    shared->look_anew();
  }
  return steady_now();
}

double seconds_between(const std::timespec& then, const std::timespec& now) {
  return static_cast<double>(now.tv_sec - then.tv_sec) +
         1e-9 * static_cast<double>(now.tv_nsec - then.tv_nsec);
}

}  // namespace spca
