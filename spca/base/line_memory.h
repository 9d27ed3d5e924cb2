#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace spca {

/// Numbers that are read here and there. They begin at a line of the cache. From 2 MB on the system
/// is asked for large pages: a processor knows the places of some thousand pages, and with 4 KB each
/// that is less than the vectors of a large problem.
class LineMemory {
 public:
  /// Room for `count` numbers, which are any. What was there is lost if there was less room.
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
