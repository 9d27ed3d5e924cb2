/// A file of Google Benchmark for `spca history import`. Numbers that were read are finite and
/// above 0.

#include <cmath>

#include "fuzz/fuzzing.h"
#include "harness/history/benchmark_import.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  fuzz::accepted([&] {
    const HistoryEntry entry = entry_of_benchmark(std::string(fuzz::text_of(data, size)), "b.json",
                                                  {.commit = "c", .date = "", .machine = ""});
    fuzz::require(!entry.cells.empty(), "a file that is read has a benchmark");
    for (const EntryCell& cell : entry.cells) {
      for (const EntryPoint& point : cell.points) {
        fuzz::require(point.count > 0 && std::isfinite(point.mean) && point.mean > 0,
                      "a number is finite and above 0");
      }
    }
  });
  return 0;
}
