#include "spca/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace spca {

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
  std::vector<std::thread> pool;
  for (std::size_t t = 1; t < helpers; ++t) {
    pool.emplace_back(run);
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

}  // namespace spca
