#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "spca/cli/experiment_run.h"
#include "spca/cli/output.h"
#include "spca/cli/python_program.h"
#include "spca/cli/report_data.h"
#include "spca/error.h"
#include "spca/json_file.h"

namespace spca::cli {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::vector<std::string> runs;
  std::string output = "report.html";
};

/// Known before the work is done, not after it.
void check_output(const fs::path& output) {
  const fs::path folder = output.has_parent_path() ? output.parent_path() : fs::path(".");
  if (fs::is_directory(output) || !output.has_filename()) {
    throw InputError(fmt::format("-o: found the folder \"{}\"; accepted: a file", output.string()));
  }
  if (!fs::is_directory(folder)) {
    throw InputError(
        fmt::format("-o: found \"{}\", but \"{}\" is no folder; accepted: a file in a "
                    "folder that is there",
                    output.string(), folder.string()));
  }
}

/// The figures that lie in the run's folder.
Json figures_of(const ReportedRun& run) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run.directory / "figures", error)) {
    if (entry.path().extension() == ".svg") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  Json figures = Json::array();
  for (const fs::path& file : files) {
    const std::string name = file.stem().string();
    figures.push_back({{"name", name},
                       {"title", name},
                       {"notes", Json::array()},
                       {"path", file.string()},
                       {"why_not", ""}});
  }
  return figures;
}

int report(const ReportOptions& options, const GlobalOptions& global) {
  check_output(options.output);
  const fs::path data_dir = data_directory(global.data_dir);
  std::vector<ReportedRun> runs;
  for (const std::string& name : options.runs) {
    runs.push_back(read_reported_run(find_run(name), data_dir));
  }
  Json data = {{"runs", Json::array()}, {"common", nullptr}};
  for (const ReportedRun& run : runs) {
    data["runs"].push_back(report_of_run(run, data_dir));
    data["runs"].back()["figures"] = figures_of(run);
  }
  if (runs.size() > 1) {
    data["common"] = common_cells(runs);
  }
  const PythonOutput page =
      run_python("report.py", {}, data.dump(-1, ' ', false, Json::error_handler_t::replace));
  if (page.exit_code != kExitOk) {
    return page.exit_code;  // the reason stands on stderr
  }
  write_file_atomically(options.output, page.text);
  write_stdout(options.output + "\n");
  return kExitOk;
}

std::function<int()> declare_report(Declarations& declare, const GlobalOptions& global) {
  const auto options = std::make_shared<ReportOptions>();
  declare.positional("RUN", options->runs, "run folders, or experiments: the newest run of each");
  declare.option("-o,--output", options->output, "the page (default report.html)");
  return [options, &global] { return report(*options, global); };
}

SPCA_COMMAND("report",
             "One page for a browser: verdicts, tables, figures, topics, failures, manifest",
             "  spca report quickstart\n"
             "  spca report spannogram/gene bipart/bow-greedy -o report.html",
             declare_report);

}  // namespace
}  // namespace spca::cli
