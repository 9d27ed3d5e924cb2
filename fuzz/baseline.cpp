/// A baseline of the regression gate. A baseline that was read is written and read again, to the
/// same text.

#include "harness/comparisons/baseline_file.h"

#include "fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  const std::filesystem::path path = fuzz::write_file("baseline.json", fuzz::text_of(data, size));
  fuzz::accepted([&] {
    const std::string text = baseline_text(read_baseline(path));
    const std::filesystem::path again = fuzz::write_file("again.json", text);
    fuzz::require(baseline_text(read_baseline(again)) == text, "a baseline is read back");
  });
  return 0;
}
