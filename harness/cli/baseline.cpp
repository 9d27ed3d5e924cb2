#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "harness/comparisons/baseline_file.h"
#include "harness/runs/find_run.h"
#include "spca/base/json_text.h"
#include "spca/base/standard_error.h"
#include "spca/io/file_descriptor.h"

namespace spca::cli {
namespace {

namespace fs = std::filesystem;

struct BaselineOptions {
  std::string run, output;
  bool no_times = false, json = false;
};

/// Returns the number of repeats without an answer.
std::size_t unanswered(const ComparedRun& run) {
  std::size_t count = 0;
  for (const ComparedCell& cell : run.cells) {
    for (const ComparedRepeat& repeat : cell.repeats) {
      count += repeat.has_answer() ? 0 : 1;
    }
  }
  return count;
}

/// Returns the overrides of the file to be replaced that still match something. Reads nothing from
/// a device or a FIFO, because reading would block.
std::vector<GateOverride> kept_overrides(const fs::path& file, const ComparedRun& run) {
  std::vector<GateOverride> overrides;
  if (!fs::is_regular_file(file) || fs::is_empty(file)) {
    return overrides;
  }
  for (GateOverride& change : read_baseline(file).overrides) {
    if (applies(change, run.cells)) {
      overrides.push_back(std::move(change));
    } else {
      say("{}: dropped an override that matches nothing now: {}", file.string(),
          json_line(change.json));
    }
  }
  return overrides;
}

void report(const Baseline& baseline, const BaselineContent& content,
            const BaselineOptions& options) {
  const ComparedRun& run = baseline.run;
  const std::size_t without = unanswered(run);
  if (without > 0) {
    say("{}: {} of {} repeats have no answer, and are not a reference", options.output, without,
        run.repeats());
  }
  if (!content.not_measured.empty()) {
    say("{}: left out because no repeat measured it: {}", options.output,
        join(content.not_measured));
  }
  if (options.json) {
    write_json({{"baseline", options.output},
                {"experiment", run.experiment},
                {"cells", run.cells.size()},
                {"repeats", run.repeats()},
                {"without_answer", without},
                {"not_measured", content.not_measured},
                {"overrides", baseline.overrides.size()}});
  } else {
    write_stdout(options.output + "\n");
  }
}

int write_baseline(const BaselineOptions& options) {
  BaselineContent content =
      baseline_content(read_compared_run(find_run(options.run)), !options.no_times);
  if (content.run.repeats() < content.run.expected) {
    throw InputError(
        fmt::format("RUN: {}: found {} of {} cells; accepted: a finished run (the command that "
                    "began it continues it)",
                    options.run, content.run.repeats(), content.run.expected));
  }
  if (unanswered(content.run) == content.run.repeats()) {
    throw InputError(fmt::format(
        "RUN: {}: found no cell with an answer; accepted: a run with something to compare with",
        options.run));
  }
  const Baseline baseline{.run = content.run,
                          .overrides = kept_overrides(options.output, content.run)};
  write_file_atomically(options.output, baseline_text(baseline));
  report(baseline, content, options);
  return kExitOk;
}

std::function<int()> declare_baseline(Declarations& declare, const GlobalOptions&) {
  const auto options = std::make_shared<BaselineOptions>();
  declare.positional("RUN", options->run,
                     "Folder of a run, or an experiment, whose newest run is used.");
  declare.required_option("-o,--output FILE", options->output,
                          "File to write. An existing file is replaced and keeps its overrides.");
  declare.flag("--no-times", options->no_times,
               "Leave out times and memory, for a baseline that other machines use.");
  declare.flag("--json", options->json,
               "Print the baseline as JSON instead of the name of its file.");
  return [options] { return write_baseline(*options); };
}

SPCA_COMMAND("baseline", CommandGroup::kResults,
             "Keep a run as the reference that `spca check` compares with",
             "  spca baseline quickstart -o baseline.json\n"
             "  spca baseline results/runs/quickstart/smoke --no-times -o quickstart.json",
             declare_baseline);

}  // namespace
}  // namespace spca::cli
