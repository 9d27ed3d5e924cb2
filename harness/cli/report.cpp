#include <fmt/format.h>

#include <memory>

#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "harness/pages/report_page.h"
#include "harness/runs/find_run.h"
#include "spca/base/error.h"
#include "spca/data/data_folder.h"
#include "spca/io/file_descriptor.h"

namespace spca::cli {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::vector<std::string> runs;
  std::string output = "report.html";
  bool force = false;
};

/// Checks the output before the work begins.
void check_output(const fs::path& output) {
  const fs::path folder = output.has_parent_path() ? output.parent_path() : fs::path(".");
  if (fs::is_directory(output) || !output.has_filename()) {
    throw InputError(fmt::format("-o: found the folder \"{}\"; accepted: a file", output.string()));
  }
  if (!fs::is_directory(folder)) {
    throw InputError(
        fmt::format("-o: found \"{}\", but \"{}\" is not a folder; accepted: a file in an "
                    "existing folder",
                    output.string(), folder.string()));
  }
}

int report(const ReportOptions& options, const GlobalOptions& global) {
  check_output(options.output);
  const fs::path data_dir = data_directory(global.data_dir);
  std::vector<ReportedRun> runs;
  for (const std::string& name : options.runs) {
    runs.push_back(read_reported_run(find_run(name), data_dir, damage_from(options.force)));
  }
  ReportPage page;
  for (ReportedRun& run : runs) {
    page.add(std::move(run), data_dir);
  }
  write_file_atomically(options.output, page.html());
  write_stdout(options.output + "\n");
  return kExitOk;
}

std::function<int()> declare_report(Declarations& declare, const GlobalOptions& global) {
  const auto options = std::make_shared<ReportOptions>();
  declare.positional("RUN", options->runs,
                     "Folders of runs, or experiments, by name or file: the newest run of each.");
  declare.option("-o,--output FILE", options->output, "File of the page (default report.html).");
  declare_force(declare, options->force);
  return [options, &global] { return report(*options, global); };
}

SPCA_COMMAND("report", CommandGroup::kResults,
             "Write one page for a browser: verdicts, tables, figures, topics, failures, manifest",
             "  spca report quickstart\n"
             "  spca report spannogram/gene bipart/bow-greedy -o report.html",
             declare_report);

}  // namespace
}  // namespace spca::cli
