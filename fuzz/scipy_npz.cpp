/// Matrices of NumPy and sparse matrices of SciPy: a zip file of .npy arrays. Other archives are
/// refused by a message that names their format.

#include "fuzz/fuzzing.h"
#include "spca/data/readers/known_formats.h"
#include "spca/data/readers/npz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  const std::filesystem::path path = fuzz::write_file("input.npz", fuzz::text_of(data, size));
  fuzz::accepted([&] { fuzz::require_sound(read_npz(path, "")); });
  fuzz::accepted([&] { fuzz::require_sound(read_npz(path, "a")); });
  fuzz::accepted([&] { refuse_other_zip(path); });
  return 0;
}
