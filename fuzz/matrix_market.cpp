/// Matrix Market, coordinates and arrays.

#include "spca/data/readers/matrix_market.h"
#include "fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  spca::fuzz::read_both_ways("input.mtx", spca::fuzz::text_of(data, size),
                             spca::read_matrix_market);
  return 0;
}
