#include "spca/data/readers/gct.h"
#include "fuzz/fuzzing.h"
#include "spca/data/content/file_content.h"

namespace {

/// Reads missing values as NaN, because that reaches more code, and replaces each by -1, because
/// NaN has several bit patterns.
spca::FileContent read(const std::filesystem::path& path) {
  spca::FileContent content = spca::read_gct(path, true);
  content.dense = content.dense.array().isNaN().select(-1, content.dense).eval();
  return content;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  spca::fuzz::read_both_ways("input.gct", spca::fuzz::text_of(data, size), read);
  return 0;
}
