#include "harness/cli/data_words.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "spca/base/error.h"
#include "spca/base/options_json.h"
#include "spca/base/sha256.h"
#include "spca/data/data_folder.h"
#include "spca/data/readers/read_dataset.h"

namespace spca::cli {
namespace {

constexpr std::string_view kDatasetPrefix = "dataset.";

FileRequest file_request(const DataWords& words, const Settings& settings) {
  FileRequest request;
  request.bag = options_from_json<BagOptions>(settings.dataset, "--set dataset");
  request.path = words.data;
  request.is_covariance = words.kind == "covariance";
  if (words.center || words.no_center) {
    request.centered = words.center;
  }
  if (!words.scale.empty()) {
    try {
      request.scale = scale_from_name(words.scale);
    } catch (const InputError&) {
      throw InputError(fmt::format("--scale: found \"{}\"; accepted: n, n-1, none", words.scale));
    }
  }
  return request;
}

}  // namespace

void declare_data_words(Declarations& declare, DataWords& words) {
  declare.option("--data", words.data,
                 "a file: CSV, .npy, Matrix Market or UCI docword, plain or gzipped");
  declare.option("--dataset", words.dataset, "a data set from `spca list datasets`");
  declare.option("--kind", words.kind, "what the file holds: data (default) or covariance");
  declare.flag("--center", words.center, "subtract the column means (default, but for docword)");
  declare.flag("--no-center", words.no_center, "take the data as they are");
  declare.option("--scale", words.scale, "S = X'X / n (default), / n-1, or none");
}

Settings read_settings(const std::vector<std::string>& assignments) {
  Settings settings{.solver = Json::object(), .dataset = Json::object()};
  for (const std::string& assignment : assignments) {
    if (assignment.starts_with(kDatasetPrefix)) {
      set_option(settings.dataset, assignment.substr(kDatasetPrefix.size()));
    } else {
      set_option(settings.solver, assignment);
    }
  }
  return settings;
}

void check_data_words(const DataWords& words, const Settings& settings) {
  if (words.data.empty() == words.dataset.empty()) {
    throw InputError(
        fmt::format("{}; accepted: one of --data FILE and --dataset NAME",
                    words.data.empty() ? "no data given" : "--data and --dataset are both given"));
  }
  if (words.center && words.no_center) {
    throw InputError("--center and --no-center are both given; accepted: one of them");
  }
  if (!words.kind.empty() && words.kind != "data" && words.kind != "covariance") {
    throw InputError(fmt::format("--kind: found \"{}\"{}; accepted: data, covariance", words.kind,
                                 did_you_mean(words.kind, {"data", "covariance"})));
  }
  const char* centering = words.center ? "--center" : words.no_center ? "--no-center" : nullptr;
  const char* preparation = centering != nullptr   ? centering
                            : !words.scale.empty() ? "--scale"
                                                   : nullptr;
  if (!words.dataset.empty()) {
    const char* refused = !words.kind.empty() ? "--kind" : preparation;
    if (refused != nullptr) {
      throw InputError(fmt::format(
          "{}: not with --dataset, whose preparation is fixed; accepted: with --data", refused));
    }
  } else if (words.kind == "covariance" && !settings.dataset.empty()) {
    throw InputError("--set dataset.*: not with --kind covariance; accepted: for a docword file");
  } else if (words.kind == "covariance" && preparation != nullptr) {
    throw InputError(fmt::format(
        "{}: not with --kind covariance, which is taken as it is; accepted: with --kind data",
        preparation));
  }
}

std::uint64_t derived_seed(std::uint64_t seed, const char* purpose) {
  return hash64(fmt::format("{}/{}", purpose, seed));
}

Dataset load_data(const DataWords& words, const Settings& settings, const GlobalOptions& global,
                  std::uint64_t seed) {
  if (!words.data.empty()) {
    return read_dataset(file_request(words, settings));
  }
  const DatasetEntry& entry = DatasetRegistry::instance().get(words.dataset, "--dataset");
  return entry.load(
      entry.complete_options(settings.dataset, "--set dataset"),
      {.data_dir = data_directory(global.data_dir), .seed = derived_seed(seed, "data")});
}

}  // namespace spca::cli
