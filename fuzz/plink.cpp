/// PLINK's genotypes. A line "bim" and then a line "fam" separate the three files in the input;
/// without them a file is missing.

#include "spca/data/readers/plink.h"
#include "fuzz/fuzzing.h"
#include "spca/data/files/read_dataset.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  std::string_view rest = fuzz::text_of(data, size);
  // From the end, because genotypes may hold any bytes.
  for (const char* name : {"fam", "bim"}) {
    const std::filesystem::path path = fuzz::write_file(std::string("input.") + name, "");
    const std::size_t part = rest.rfind(std::string("\n") + name + "\n");
    if (part == std::string_view::npos) {
      std::filesystem::remove(path);
    } else {
      fuzz::write_file(std::string("input.") + name, rest.substr(part + 5));
      rest = rest.substr(0, part);
    }
  }
  const std::filesystem::path path = fuzz::write_file("input.bed", rest);
  fuzz::accepted([&] {
    fuzz::require_sound(read_plink(path));
    const Dataset dataset = read_dataset({.path = path, .centered = std::nullopt});
    Matrix product;
    dataset.covariance->multiply_block(Matrix::Ones(dataset.covariance->variables(), 2), product);
    fuzz::require(product.allFinite(), "products are finite");
  });
  return 0;
}
