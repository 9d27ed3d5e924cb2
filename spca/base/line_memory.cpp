#include "spca/base/line_memory.h"

#include <sys/mman.h>

#include <new>

namespace spca {
namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t kLargePage = std::size_t{1} << 21;

}  // namespace

void LineMemory::reserve(std::size_t count) {
  if (count <= count_) {
    return;
  }
  numbers_.reset();
  count_ = 0;
  const std::size_t bytes = count * sizeof(double);
  const std::size_t unit = bytes < kLargePage ? kLine : kLargePage;
  const std::size_t rounded = (bytes + unit - 1) / unit * unit;
  numbers_.reset(static_cast<double*>(std::aligned_alloc(unit, rounded)));
  if (numbers_ == nullptr) {
    throw std::bad_alloc();
  }
#if defined(MADV_HUGEPAGE)
  if (unit == kLargePage) {
    // A hint: if the system ignores it, the pages are small.
    madvise(numbers_.get(), rounded, MADV_HUGEPAGE);
  }
#endif
  count_ = count;
}

}  // namespace spca
