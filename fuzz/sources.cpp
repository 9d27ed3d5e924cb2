/// A file like datasets/sources.json, perhaps the user's: no entry may name a file outside the data
/// folder.

#include "fuzz/fuzzing.h"
#include "spca/data/data_sources.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  fuzz::accepted([&] {
    const JsonText text(std::string(fuzz::text_of(data, size)), "sources.json");
    for (const DataSource& source : read_data_sources(text)) {
      for (const SourceFile& file : source.files) {
        const std::filesystem::path below =
            std::filesystem::path(file.file.name).lexically_normal();
        fuzz::require(below.is_relative() && *below.begin() != "..",
                      "a file lies below the data folder");
      }
    }
  });
  return 0;
}
