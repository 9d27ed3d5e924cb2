#pragma once

/// A report on one or more runs, as one page that plotting/report.py renders.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/pages/report_data.h"
#include "harness/tables/table.h"
#include "spca/io/temporary_folder.h"

namespace spca {

class ReportPage {
 public:
  /// Adds a run, with its figures drawn again.
  void add(ReportedRun run, const std::filesystem::path& data_dir);
  /// Inserts a table of text before the other tables of the run that was added last.
  void put_first(const Table& table);
  /// Returns the page. Throws InputError if Python or one of its modules is missing.
  std::string html() const;

 private:
  std::vector<ReportedRun> runs_;
  Json data_ = {{"runs", Json::array()}, {"common", nullptr}};
  TemporaryFolder figures_;
};

}  // namespace spca
