#pragma once

#include <cstddef>
#include <functional>

namespace spca {

/// Calls work(0) ... work(count - 1), each once, on up to `threads` threads. The calling thread is
/// one of them. If calls throw, the exception of the lowest index is thrown again after all threads
/// have ended. If there is more than one thread, allowed_threads() is 1 in all of them meanwhile.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

/// While an object of this class lives, what this thread calls may use `threads` threads, although
/// it was not told so itself: products with S, above all. Of objects that live at the same time the
/// last one counts.
class ThreadAllowance {
 public:
  explicit ThreadAllowance(int threads);
  ~ThreadAllowance();
  ThreadAllowance(const ThreadAllowance&) = delete;
  ThreadAllowance& operator=(const ThreadAllowance&) = delete;

 private:
  int outer_;
};

/// What the latest allowance of this thread says; 1 if there is none. A thread that parallel_for
/// started has none, so that threads within threads do not multiply.
int allowed_threads();

/// As allowed_threads(), but so few that each has at least `least` of `work`. Starting a thread
/// takes some tens of microseconds.
int threads_for(double work, double least);

/// Calls work(begin, end) for ranges that follow each other, together 0 ... count - 1, on up to
/// `threads` threads. Each range but the last begins and ends at a multiple of `unit`; none has
/// fewer than `unit` numbers, unless `count` is less.
void parallel_ranges(std::ptrdiff_t count, std::ptrdiff_t unit, int threads,
                     const std::function<void(std::ptrdiff_t, std::ptrdiff_t)>& work);

}  // namespace spca
