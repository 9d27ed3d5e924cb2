/// A UCI bag of words and its vocabulary. A line "vocab" separates the two in the input; without it
/// there is no vocabulary.

#include "spca/data/readers/docword.h"
#include "fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  constexpr std::string_view kPart = "\nvocab\n";
  const std::string_view text = fuzz::text_of(data, size);
  const std::size_t part = text.find(kPart);
  // A file of another name has no vocabulary beside it.
  std::string name = "counts.txt";
  if (part != std::string_view::npos) {
    name = "docword.input.txt";
    fuzz::write_file("vocab.input.txt", text.substr(part + kPart.size()));
  }
  fuzz::read_both_ways(name, text.substr(0, part), read_docword);
  return 0;
}
