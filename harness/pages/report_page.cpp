#include "harness/pages/report_page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/pages/common_cells.h"
#include "harness/pages/python_program.h"
#include "harness/pages/report_data.h"
#include "harness/pages/report_figures.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"

namespace spca {

void ReportPage::add(ReportedRun run, const std::filesystem::path& data_dir) {
  data_["runs"].push_back(report_of_run(run, data_dir));
  data_["runs"].back()["figures"] =
      figures_json(run, figures_.path() / std::to_string(runs_.size()), data_dir);
  runs_.push_back(std::move(run));
}

void ReportPage::put_first(const Table& table) {
  data_["runs"].back()["first_tables"].push_back({{"title", table.title},
                                                  {"header", table.header},
                                                  {"rows", table.rows},
                                                  {"bold", table.bold},
                                                  {"notes", table.notes}});
}

std::string ReportPage::html() const {
  constexpr int kWrongInput = 2;
  Json data = data_;
  data["paper_names"] = paper_names(runs_);
  if (runs_.size() > 1) {
    data["common"] = common_cells(runs_);
  }
  const PythonOutput page = run_python("report.py", {}, json_line(data));
  if (page.exit_code == kWrongInput) {
    throw InputError(page.text);
  }
  if (page.exit_code != 0) {
    throw InternalError(fmt::format("report.py ended with exit code {}", page.exit_code));
  }
  return page.text;
}

}  // namespace spca
