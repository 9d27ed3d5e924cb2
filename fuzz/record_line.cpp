/// One line of cells.jsonl, of which only some fields are read. An envelope and an answer that were
/// separated are joined again.

#include "harness/records/record_line.h"

#include "fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  const std::string line(fuzz::text_of(data, size));
  fuzz::accepted([&] { scan_record_line(line); });
  fuzz::accepted([&] { text_of(raw_field(line, "message")); });
  fuzz::accepted([&] { require_check(line); });
  fuzz::accepted([&] {
    const Envelope envelope = read_envelope(line);
    const std::string answer = answer_of_line(line);
    scan_record_line(line);
    const std::string again = compose_line(envelope, answer);
    require_check(again);
    fuzz::require(answer_of_line(again) == answer, "an answer is taken out as it was put in");
    fuzz::require(stable_part(answer).size() <= answer.size(), "a part of the answer");
  });
  return 0;
}
