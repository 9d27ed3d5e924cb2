#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace spca {

/// Memory for numbers that are read in random order. It begins at a line of the cache. From 2 MB on
/// it asks the system for large pages: the TLB of a processor holds a few thousand pages, which
/// at 4 KB each cover less than the vectors of a large problem.
class LineMemory {
 public:
  /// Ensures capacity for `count` uninitialised doubles. If the buffer grows, its contents are
  /// lost.
  void reserve(std::size_t count);
  /// The first number.
  double* data() const { return numbers_.get(); }

 private:
  struct Free {
    void operator()(double* numbers) const { std::free(numbers); }
  };
  std::unique_ptr<double, Free> numbers_;
  std::size_t count_ = 0;
};

}  // namespace spca
