/// Sparse matrices of SciPy: a zip file of .npy arrays.

#include "fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  const std::filesystem::path path = fuzz::write_file("input.npz", fuzz::text_of(data, size));
  fuzz::accepted([&] { fuzz::require_sound(read_scipy_npz(path)); });
  return 0;
}
