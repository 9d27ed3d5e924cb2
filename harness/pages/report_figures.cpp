#include "harness/pages/report_figures.h"

#include <nlohmann/json.hpp>

#include "harness/pages/figures.h"
#include "spca/base/error.h"

namespace spca {

Json figures_json(const ReportedRun& run, const std::filesystem::path& folder,
                  const std::filesystem::path& data_dir) {
  Json figures = Json::array();
  if (run.experiment.figures.empty()) {
    return figures;
  }
  std::vector<FigureFile> files;
  try {
    files = draw_figures({.experiment = &run.experiment,
                          .run = run.directory,
                          .directory = folder,
                          .format = "svg",
                          .data_dir = data_dir});
  } catch (const InputError& error) {
    files = {{.name = "all",
              .kind = "",
              .title = "All",
              .notes = {},
              .path = {},
              .why_not = error.what(),
              .chart = nullptr}};
  }
  for (const FigureFile& file : files) {
    figures.push_back({{"name", file.name},
                       {"title", file.title},
                       {"notes", file.notes},
                       {"path", file.path.string()},
                       {"why_not", file.why_not},
                       {"chart", file.chart}});
  }
  return figures;
}

}  // namespace spca
