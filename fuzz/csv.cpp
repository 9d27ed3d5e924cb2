/// CSV of numbers, and of words.

#include "fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  const std::string_view text = fuzz::text_of(data, size);
  fuzz::read_both_ways("input.csv", text, read_csv);
  const std::filesystem::path path = fuzz::write_file("words.csv", text);
  fuzz::accepted([&] { read_csv_rows(path); });
  return 0;
}
