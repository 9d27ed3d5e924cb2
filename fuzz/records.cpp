/// Reads cells.jsonl: lines of records, each with its check. A record that was read is written and
/// read again, to the same line.

#include "fuzz/fuzzing.h"
#include "harness/records/checksum.h"
#include "harness/records/record.h"

namespace {

/// Adds a check to every line that can have one: otherwise few inputs would pass.
std::string with_checks(std::string_view text) {
  using namespace spca;
  std::string lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    lines +=
        line.ends_with(kLineLayout.closing) ? with_check(line, kLineLayout) : std::string(line);
    lines += end < text.size() ? "\n" : "";
    begin = end + 1;
  }
  return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  const std::string_view text = fuzz::text_of(data, size);
  const std::filesystem::path path = fuzz::write_file("cells.jsonl", with_checks(text));
  fuzz::accepted([&] {
    for (const Record& record : read_records(path)) {
      const std::string line = record_to_line(record);
      fuzz::require(record_to_line(record_from_line(line)) == line,
                    "a record that is written is read back");
    }
  });
  return 0;
}
