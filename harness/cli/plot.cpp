#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "harness/pages/figures.h"
#include "harness/records/manifest.h"
#include "harness/records/record.h"
#include "harness/runs/find_run.h"
#include "spca/base/error.h"
#include "spca/base/standard_error.h"
#include "spca/data/data_folder.h"

namespace spca::cli {
namespace {

/// Throws InputError if -o names a figure instead of a folder: each figure is a file of its own.
void refuse_file_name(const std::filesystem::path& directory) {
  const std::string extension = directory.extension().string();
  const bool is_figure = extension == ".svg" || extension == ".png" || extension == ".pdf";
  if (is_figure && !std::filesystem::is_directory(directory)) {
    throw InputError(fmt::format(
        "-o: found \"{}\"; accepted: a folder, in which each figure is a file; --format {}",
        directory.string(), extension.substr(1)));
  }
}

std::function<int()> declare_plot(Declarations& declare, const GlobalOptions& global) {
  struct Options {
    std::string run;
    std::string format = "svg";
    std::string directory;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  declare.positional(
      "RUN", options->run,
      "Folder of a run, or the name or file of an experiment, whose newest run is used.");
  declare.option("--format NAME", options->format,
                 "Format of the figures: svg (default), png or pdf.");
  declare.option("-o,--output FOLDER", options->directory,
                 "Folder of the figures (default: RUN/figures).");
  declare.flag("--json", options->json,
               "Print name, kind, title, notes and path of each figure as JSON, or the reason why "
               "it is not drawn.");
  return [options, &global] {
    refuse_file_name(options->directory);
    const std::filesystem::path run = find_run(options->run);
    const std::filesystem::path data_dir = data_directory(global.data_dir);
    const Experiment experiment = experiment_of_run(run, data_dir);
    const std::filesystem::path directory =
        options->directory.empty() ? run / "figures" : std::filesystem::path(options->directory);
    const std::vector<FigureFile> files = draw_figures({.experiment = &experiment,
                                                        .run = run,
                                                        .directory = directory,
                                                        .format = options->format,
                                                        .data_dir = data_dir});
    for (const FigureFile& file : files) {
      if (file.path.empty()) {
        say("{}: not drawn: {}", file.name, file.why_not);
      }
    }
    if (options->json) {
      Json list = Json::array();
      for (const FigureFile& file : files) {
        list.push_back({{"name", file.name},
                        {"kind", file.kind},
                        {"title", file.title},
                        {"notes", file.notes},
                        {"path", file.path.string()},
                        {"why_not", file.why_not}});
      }
      write_json(list);
    } else {
      std::string text;
      for (const FigureFile& file : files) {
        text += file.path.empty() ? "" : file.path.string() + "\n";
      }
      write_stdout(text);
    }
    const bool any_drawn = std::any_of(files.begin(), files.end(),
                                       [](const FigureFile& file) { return !file.path.empty(); });
    return any_drawn ? kExitOk : kExitUsage;
  };
}

SPCA_COMMAND("plot", CommandGroup::kResults, "Draw the figures of a finished run",
             "  spca plot quickstart\n"
             "  spca plot results/runs/spannogram/gene/full --format pdf -o paper/figures",
             declare_plot);

}  // namespace
}  // namespace spca::cli
