#pragma once

/// The summary at the end of `spca fetch`: files that the user must get, and the experiments and
/// instances whose data are complete.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "spca/base/types.h"
#include "spca/data/fetch/fetch.h"

namespace spca::cli {

/// Things of one kind that need data sets.
struct Readiness {
  std::string kind;                                       // "experiments" or "instances"
  std::vector<std::string> complete;                      // their names
  std::map<std::string, std::vector<std::string>> lacks;  // name -> data sets that lack files
};

struct FetchSummary {
  /// Missing or wrong files that `spca fetch` cannot get, by data set.
  std::map<std::string, std::vector<std::string>> by_hand;
  std::vector<Readiness> readiness;
};

/// Returns the summary of these results. If `datasets` is not empty, only the experiments and
/// instances that need one of them are part of it.
FetchSummary fetch_summary(const std::vector<FetchResult>& results,
                           const std::vector<std::string>& datasets,
                           const std::filesystem::path& data_dir);

std::string summary_text(const FetchSummary& summary);
Json summary_json(const FetchSummary& summary);

}  // namespace spca::cli
