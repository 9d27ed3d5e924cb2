#include "harness/cli/fetch_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/experiments/experiment.h"
#include "harness/instances/instance_library.h"
#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/data_folder.h"
#include "spca/data/data_sources.h"
#include "spca/data/dataset.h"

namespace spca::cli {
namespace {

/// Decides whether the files of data sets are in the data folder or in the program.
class DatasetFiles {
 public:
  explicit DatasetFiles(std::filesystem::path data_dir) : data_dir_(std::move(data_dir)) {}

  bool are_complete(const std::string& dataset) {
    const auto [position, is_new] = known_.try_emplace(dataset, true);
    if (is_new) {
      const std::vector<std::string> files = needed(dataset);
      position->second = std::all_of(files.begin(), files.end(),
                                     [&](const std::string& file) { return exists(file); });
    }
    return position->second;
  }

 private:
  /// The files without which the data set cannot be loaded.
  static std::vector<std::string> needed(const std::string& dataset) {
    for (const DataSource& source : built_in_data_sources()) {
      if (source.name == dataset) {
        std::vector<std::string> names;
        for (const SourceFile& file : source.files) {
          if (!file.is_optional) {
            names.push_back(file.file.name);
          }
        }
        return names;
      }
    }
    const DatasetEntry* entry = DatasetRegistry::instance().find(dataset);
    return entry != nullptr ? entry->traits.files : std::vector<std::string>();
  }

  bool exists(const std::string& file) const {
    try {
      find_data_file(data_dir_, file);
      return true;
    } catch (const MissingData&) {
      return false;
    }
  }

  std::filesystem::path data_dir_;
  std::map<std::string, bool> known_;
};

/// Returns the data set whose files a variant reads: that of its option `of`, if it has one.
std::string dataset_of(const Variant& variant) {
  const std::string of = variant.dataset_options.value("of", "");
  return of.empty() ? variant.dataset->name : of;
}

std::set<std::string> datasets_of(const std::string& experiment,
                                  const std::filesystem::path& data_dir) {
  std::set<std::string> names;
  for (const Variant& variant :
       load_experiment(find_experiment(experiment), {}, data_dir).variants) {
    names.insert(dataset_of(variant));
  }
  return names;
}

Readiness experiments_readiness(const std::vector<std::string>& chosen,
                                const std::filesystem::path& data_dir, DatasetFiles& files) {
  Readiness readiness{.kind = "experiments", .complete = {}, .lacks = {}};
  for (const std::string& name : experiment_names()) {
    std::set<std::string> datasets;
    try {
      datasets = datasets_of(name, data_dir);
    } catch (const InputError&) {
      continue;  // `spca validate` reports the error
    }
    const bool is_chosen = chosen.empty() || std::any_of(chosen.begin(), chosen.end(),
                                                         [&](const std::string& dataset) {
                                                           return datasets.contains(dataset);
                                                         });
    if (!is_chosen) {
      continue;
    }
    std::vector<std::string> lacking;
    std::copy_if(datasets.begin(), datasets.end(), std::back_inserter(lacking),
                 [&](const std::string& dataset) { return !files.are_complete(dataset); });
    if (lacking.empty()) {
      readiness.complete.push_back(name);
    } else {
      readiness.lacks.emplace(name, std::move(lacking));
    }
  }
  return readiness;
}

Readiness instances_readiness(const std::vector<std::string>& chosen, DatasetFiles& files) {
  Readiness readiness{.kind = "instances", .complete = {}, .lacks = {}};
  for (const KnownInstance& known : installed_library().instances({})) {
    const std::string& dataset = known.data->dataset;
    const bool is_chosen =
        chosen.empty() || std::find(chosen.begin(), chosen.end(), dataset) != chosen.end();
    if (is_chosen && files.are_complete(dataset)) {
      readiness.complete.push_back(known.instance->id);
    } else if (is_chosen) {
      readiness.lacks[known.instance->id] = {dataset};
    }
  }
  return readiness;
}

/// Returns a line with the number of complete things, and a line for each data set that incomplete
/// ones need.
std::string readiness_counts(const Readiness& readiness) {
  std::string text =
      fmt::format("{} complete: {} of {}\n", readiness.kind, readiness.complete.size(),
                  readiness.complete.size() + readiness.lacks.size());
  std::map<std::string, std::size_t> lacking;
  for (const auto& [name, datasets] : readiness.lacks) {
    for (const std::string& dataset : datasets) {
      ++lacking[dataset];
    }
  }
  for (const auto& [dataset, count] : lacking) {
    text += fmt::format("{} incomplete: {} need {}\n", readiness.kind, count, dataset);
  }
  return text;
}

std::string readiness_names(const Readiness& readiness) {
  std::string text = fmt::format("{} complete: {}\n", readiness.kind,
                                 readiness.complete.empty() ? "none" : join(readiness.complete));
  for (const auto& [name, datasets] : readiness.lacks) {
    text += fmt::format("{} incomplete: {} lacks {}\n", readiness.kind, name, join(datasets));
  }
  return text;
}

}  // namespace

FetchSummary fetch_summary(const std::vector<FetchResult>& results,
                           const std::vector<std::string>& datasets,
                           const std::filesystem::path& data_dir) {
  FetchSummary summary;
  for (const FetchResult& result : results) {
    if (!result.is_fetchable && result.is_lacking()) {
      summary.by_hand[result.dataset].push_back(result.name);
    }
  }
  DatasetFiles files(data_dir);
  summary.readiness.push_back(experiments_readiness(datasets, data_dir, files));
  summary.readiness.push_back(instances_readiness(datasets, files));
  return summary;
}

std::string summary_text(const FetchSummary& summary) {
  std::string text;
  for (const auto& [dataset, files] : summary.by_hand) {
    text += fmt::format(
        "by hand: {}: put {} into the data folder; docs/DATA.md, \"Files to get by hand\", says "
        "how\n",
        dataset, join(files));
  }
  for (const Readiness& readiness : summary.readiness) {
    // There are hundreds of instances.
    text +=
        readiness.kind == "instances" ? readiness_counts(readiness) : readiness_names(readiness);
  }
  return text;
}

Json summary_json(const FetchSummary& summary) {
  Json json = {{"by_hand", summary.by_hand}};
  for (const Readiness& readiness : summary.readiness) {
    json[readiness.kind] = {{"complete", readiness.complete}, {"incomplete", readiness.lacks}};
  }
  return json;
}

}  // namespace spca::cli
