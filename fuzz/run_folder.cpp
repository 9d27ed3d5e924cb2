/// Reads manifest.json of a run, with a check that matches or without a check, and
/// identities.jsonl. Reading a damaged run either succeeds or throws InputError.

#include <nlohmann/json.hpp>

#include "fuzz/fuzzing.h"
#include "harness/comparisons/compared_run.h"
#include "harness/records/checksum.h"
#include "harness/runs/run_folder.h"
#include "harness/submissions/run_status.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  const std::string text(fuzz::text_of(data, size));
  const std::filesystem::path folder = fuzz::write_file("identities.jsonl", text).parent_path();
  fuzz::write_file("cells.jsonl", "");
  fuzz::write_file("experiment.json",
                   R"({"name": "e", "title": "E", "grids": {"g": {"datasets": ["fixed"],
                       "solvers": ["sparse"], "cardinality": [1]}}})");
  fuzz::accepted([&] { read_identities(folder); });
  const bool has_layout = text.ends_with(kFileLayout.closing);
  fuzz::write_file("manifest.json", has_layout ? with_check(text, kFileLayout) : text);
  fuzz::require(fuzz::accepted([&] { read_manifest(folder); }) <= has_layout,
                "a manifest without a check is refused");
  fuzz::accepted([&] { require_intact_run(folder); });
  fuzz::accepted([&] { read_compared_run(folder); });
  fuzz::accepted([&] { status_of_run(folder, folder); });
  fuzz::accepted([&] { RunFolder(folder, folder).context(false); });
  return 0;
}
