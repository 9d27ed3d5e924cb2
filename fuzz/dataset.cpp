/// Any file as a data set: its format is detected from its content, gzipped or not, and S is made
/// from it, as data and as a covariance. S must be finite and have the shape of the file.

#include <cmath>

#include "fuzz/fuzzing.h"
#include "spca/data/dataset.h"
#include "spca/data/files/read_dataset.h"

namespace {

void require_finite(const spca::Dataset& dataset) {
  const spca::Covariance& covariance = *dataset.covariance;
  spca::fuzz::require(covariance.variables() >= 1, "there is at least one variable");
  spca::fuzz::require(covariance.diagonal().size() == covariance.variables(),
                      "every variable has a variance");
  spca::fuzz::require(covariance.diagonal().allFinite(), "variances are finite");
  spca::fuzz::require(std::isfinite(covariance.total_variance()), "the trace is finite");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  const std::filesystem::path path = fuzz::write_file("input", fuzz::text_of(data, size));
  for (const bool is_covariance : {false, true}) {
    fuzz::accepted([&] {
      require_finite(
          read_dataset({.path = path, .is_covariance = is_covariance, .centered = std::nullopt}));
    });
  }
  return 0;
}
