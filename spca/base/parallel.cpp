#include "spca/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace spca {
namespace {

thread_local int allowed = 1;

/// Number of ranges of parallel_ranges() per thread. A thread that other programs slow down then
/// leaves ranges to the others.
constexpr std::ptrdiff_t kRangesAThread = 4;

}  // namespace

ThreadAllowance::ThreadAllowance(int threads)
    : outer_(std::exchange(allowed, std::max(threads, 1))) {}
ThreadAllowance::~ThreadAllowance() { allowed = outer_; }
int allowed_threads() { return allowed; }

int threads_for(double work, double least) {
  return static_cast<int>(std::clamp(work / least, 1.0, static_cast<double>(allowed)));
}

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& work) {
  const std::size_t helpers = std::min(static_cast<std::size_t>(std::max(threads, 1)), count);
  if (helpers <= 1) {
    for (std::size_t i = 0; i < count; ++i) {
      work(i);
    }
    return;
  }
  // Threads draw the next index instead of getting a share in advance: the pieces of work take very
  // different times.
  std::atomic<std::size_t> next = 0;
  // One place for each index: which exception is thrown then does not depend on the threads'
  // timing.
  std::vector<std::exception_ptr> errors(count);
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  const ThreadAllowance no_threads_within(1);
  std::vector<std::thread> pool;
  pool.reserve(helpers - 1);
  try {
    for (std::size_t t = 1; t < helpers; ++t) {
      pool.emplace_back(run);
    }
  } catch (const std::system_error&) {
    // The system has no further thread: those that began do the work.
  }
  run();
  for (std::thread& thread : pool) {
    thread.join();
  }
  for (const std::exception_ptr& error : errors) {
    if (error) {
      std::rethrow_exception(error);
    }
  }
}

void parallel_ranges(std::ptrdiff_t count, std::ptrdiff_t unit, int threads,
                     const std::function<void(std::ptrdiff_t, std::ptrdiff_t)>& work) {
  const std::ptrdiff_t units = count / unit;
  const std::ptrdiff_t ranges =
      std::min<std::ptrdiff_t>(units, threads > 1 ? kRangesAThread * threads : 1);
  if (ranges <= 1) {
    work(0, count);
    return;
  }
  const auto begin_of = [&](std::ptrdiff_t range) {
    return range == ranges ? count : units * range / ranges * unit;
  };
  parallel_for(static_cast<std::size_t>(ranges), threads, [&](std::size_t index) {
    const auto range = static_cast<std::ptrdiff_t>(index);
    work(begin_of(range), begin_of(range + 1));
  });
}

}  // namespace spca
