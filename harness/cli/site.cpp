#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/benchmarks/leaderboard.h"
#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "harness/pages/python_program.h"
#include "harness/pages/report_figures.h"
#include "harness/pages/site_changes.h"
#include "harness/pages/site_data.h"
#include "harness/pages/site_folder.h"
#include "harness/records/manifest.h"
#include "harness/runs/find_run.h"
#include "harness/runs/finished_run.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/base/standard_error.h"
#include "spca/io/progress.h"
#include "spca/io/temporary_folder.h"

namespace spca::cli {
namespace {

namespace fs = std::filesystem;

struct SiteOptions {
  std::vector<std::string> runs;
  std::string output, history, since, leaderboard;
  std::string baselines = "results/reference";
  bool all = false;
  bool force = false;
  bool json = false;
};

/// Returns the folders of the named runs, or with --all those of newest_runs() that have a record.
/// Throws InputError if there are none.
std::vector<fs::path> run_folders(const SiteOptions& options) {
  if (options.all != options.runs.empty()) {
    throw InputError("spca site: accepted: RUN, one or more, or --all");
  }
  std::vector<fs::path> folders;
  if (!options.all) {
    std::transform(options.runs.begin(), options.runs.end(), std::back_inserter(folders), find_run);
    return folders;
  }
  for (const fs::path& folder : newest_runs()) {
    if (has_record(folder)) {
      folders.push_back(folder);
    } else {
      say("spca site: {}: left out, because no cell has finished", folder.string());
    }
  }
  if (folders.empty()) {
    throw InputError(
        "--all: found no run with a record below results/runs; accepted: a folder where one was "
        "run, as by `spca reproduce --all --profile smoke`");
  }
  return folders;
}

/// Returns the content of the page of each run, and draws its figures into `drawings`.
Json reports_json(const std::vector<ReportedRun>& runs, const fs::path& drawings,
                  const fs::path& data_dir) {
  Progress progress(runs.size(), "runs", false);
  Json reports = Json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    reports.push_back(report_of_run(runs[i], data_dir));
    reports.back()["figures"] = figures_json(runs[i], drawings / std::to_string(i), data_dir);
    progress.update(i + 1, 0);
  }
  progress.finish();
  return reports;
}

/// Returns the pages that plotting/site_pages.py makes of the data.
std::vector<SiteFile> rendered(const Json& data) {
  const PythonOutput output = run_python("site_pages.py", {}, json_line(data));
  if (output.exit_code == kExitUsage) {
    throw InputError(output.text);
  }
  if (output.exit_code != kExitOk) {
    throw InternalError(fmt::format("site_pages.py ended with exit code {}", output.exit_code));
  }
  std::vector<SiteFile> files;
  const Json pages = parse_json(output.text);
  for (const auto& [path, text] : pages.items()) {
    files.push_back({.path = path, .text = text.get<std::string>()});
  }
  return files;
}

/// Returns the answers of the leaderboard; null if none is named and the default does not exist.
Json trust_json(const SiteOptions& options) {
  const fs::path file =
      options.leaderboard.empty() ? "results/leaderboard.md" : options.leaderboard;
  if (options.leaderboard.empty() && !fs::exists(file)) {
    return nullptr;
  }
  const LeaderboardAnswers answers = read_leaderboard(file);
  return {{"sentences", answers.sentences}, {"caption", answers.caption}};
}

Json summary_json(const SiteOptions& options, const std::vector<ReportedRun>& runs,
                  const std::vector<SiteFile>& files) {
  Json experiments = Json::array();
  for (const ReportedRun& run : runs) {
    experiments.push_back({{"name", run.experiment.name}, {"run", run.directory.string()}});
  }
  Json list = Json::array();
  std::size_t bytes = 0;
  for (const SiteFile& file : files) {
    bytes += file.text.size();
    list.push_back({{"path", file.path}, {"bytes", file.text.size()}});
  }
  return {{"directory", options.output},
          {"index", (fs::path(options.output) / kSiteIndex).string()},
          {"experiments", experiments},
          {"bytes", bytes},
          {"files", list}};
}

int site(const SiteOptions& options, const GlobalOptions& global) {
  require_site_folder(options.output);
  const Damage damage = damage_from(options.force);
  const Json history = history_json(options.history, options.since);
  const fs::path data_dir = data_directory(global.data_dir);
  std::vector<ReportedRun> runs;
  for (const fs::path& folder : run_folders(options)) {
    runs.push_back(read_reported_run(folder, data_dir, damage));
  }
  const TemporaryFolder drawings;
  Json data = {{"trust", trust_json(options)},
               {"standings", standings_json(runs, data_dir)},
               {"changes", changes_json(runs, options.baselines, damage)},
               {"build", build_information()},
               {"paper_names", paper_names(runs)},
               {"runs", reports_json(runs, drawings.path(), data_dir)}};
  data["build"].erase("sources");
  data["changes"]["history"] = history;
  const std::vector<SiteFile> files = rendered(data);
  write_site(options.output, files);
  if (options.json) {
    write_json(summary_json(options, runs, files));
  } else {
    write_stdout((fs::path(options.output) / kSiteIndex).string() + "\n");
  }
  return kExitOk;
}

std::function<int()> declare_site(Declarations& declare, const GlobalOptions& global) {
  const auto options = std::make_shared<SiteOptions>();
  declare.optional_positional("RUN", options->runs,
                              "Folders of runs, or experiments: the newest run of each.");
  declare.flag("--all", options->all,
               "Show the newest run of every experiment below results/runs.");
  declare.required_option("-o,--output FOLDER", options->output,
                          "Folder of the site, which is new, empty, or that of an earlier site.");
  declare.option("--baselines FOLDER", options->baselines,
                 "Folder of the baselines to compare with (default results/reference).");
  declare.option("--leaderboard FILE", options->leaderboard,
                 "File of `spca benchmark --leaderboard`, for which solver to trust (default: "
                 "results/leaderboard.md if it exists).");
  declare.option("--history FILE", options->history,
                 "File of `spca history`, for what got worse and at which commit (default: "
                 "SPCA_HISTORY, or else results/history.sqlite if it exists).");
  declare.option("--since DATE", options->since,
                 "Leave out changes in the history before this day.");
  declare.flag("--json", options->json, "Print what was written as JSON.");
  declare_force(declare, options->force);
  return [options, &global] { return site(*options, global); };
}

SPCA_COMMAND("site", CommandGroup::kResults,
             "Write a site for a browser: papers, experiments, solvers and data sets of many runs",
             "  spca site --all -o site\n"
             "  spca site quickstart results/runs/spannogram/gene/full -o site --json",
             declare_site);

}  // namespace
}  // namespace spca::cli
