#include "spca/data/readers/svmlight.h"
#include "fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  spca::fuzz::read_both_ways("input.svm", spca::fuzz::text_of(data, size), spca::read_svmlight);
  return 0;
}
