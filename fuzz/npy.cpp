/// NumPy arrays.

#include "spca/data/readers/npy.h"
#include "fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  spca::fuzz::read_both_ways("input.npy", spca::fuzz::text_of(data, size), spca::read_npy);
  return 0;
}
