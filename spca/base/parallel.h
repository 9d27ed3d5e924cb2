#pragma once

#include <cstddef>
#include <functional>

namespace spca {

/// Calls work(0) ... work(count - 1), each once, on up to `threads` threads. The calling thread is
/// one of them. If there is more than one thread, allowed_threads() is 1 in all of them meanwhile,
/// all calls are made even if some throw, and the exception of the lowest index is then thrown
/// again. On one thread the first exception ends the calls.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

/// While an object of this class lives, functions that this thread calls may use `threads` threads
/// without a parameter that says so: products with S, above all. If several objects live at the
/// same time, the last one counts.
class ThreadAllowance {
 public:
  explicit ThreadAllowance(int threads);
  ~ThreadAllowance();
  ThreadAllowance(const ThreadAllowance&) = delete;
  ThreadAllowance& operator=(const ThreadAllowance&) = delete;

 private:
  int outer_;
};

/// The number of threads of the latest allowance of this thread; 1 if there is none. A thread that
/// parallel_for() started has none, so that threads within threads do not multiply.
int allowed_threads();

/// Returns allowed_threads(), or fewer so that each thread gets at least `least` of `work`.
/// Starting a thread takes tens of microseconds.
int threads_for(double work, double least);

/// Calls work(begin, end) for consecutive ranges that together are 0 ... count - 1, on up to
/// `threads` threads. Each range but the last begins and ends at a multiple of `unit`; no range has
/// fewer than `unit` numbers, unless `count` is less.
void parallel_ranges(std::ptrdiff_t count, std::ptrdiff_t unit, int threads,
                     const std::function<void(std::ptrdiff_t, std::ptrdiff_t)>& work);

}  // namespace spca
