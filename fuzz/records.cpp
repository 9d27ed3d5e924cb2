/// cells.jsonl: lines of records. What is read is written and read again, to the same line.

#include "fuzz/fuzzing.h"
#include "harness/records/record.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  const std::filesystem::path path = fuzz::write_file("cells.jsonl", fuzz::text_of(data, size));
  fuzz::accepted([&] {
    for (const Record& record : read_records(path)) {
      const std::string line = record_to_line(record);
      fuzz::require(record_to_line(record_from_line(line)) == line,
                    "a record that is written is read back");
    }
  });
  return 0;
}
