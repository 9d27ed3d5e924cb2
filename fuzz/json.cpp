/// Any JSON text: every value has a place, and a written document is read back.

#include "fuzz/fuzzing.h"
#include "spca/io/json_file.h"

namespace {

void require_places(const spca::JsonText& text, const spca::Json& json,
                    const std::string& pointer) {
  spca::fuzz::require(text.has(pointer), "every value has a place");
  if (!json.is_structured()) {
    return;  // of a number, items() would be the number itself
  }
  std::size_t i = 0;
  for (const auto& [key, value] : json.items()) {
    require_places(
        text, value,
        pointer + "/" + (json.is_array() ? std::to_string(i++) : spca::pointer_step(key)));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  fuzz::accepted([&] {
    const JsonText text(std::string(fuzz::text_of(data, size)), "input.json");
    require_places(text, text.json(), "");
    const std::string written = text.json().dump();
    fuzz::require(JsonText(written, "again.json").json().dump() == written,
                  "what is written is read back");
  });
  return 0;
}
