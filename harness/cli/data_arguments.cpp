#include "harness/cli/data_arguments.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/cli/ranks.h"
#include "spca/base/error.h"
#include "spca/base/options_json.h"
#include "spca/base/sha256.h"
#include "spca/data/data_folder.h"
#include "spca/data/readers/read_dataset.h"

namespace spca::cli {
namespace {

constexpr std::string_view kDatasetPrefix = "dataset.";

}  // namespace

FileRequest file_request(const DataArguments& arguments, const Settings& settings) {
  FileRequest request;
  request.bag = options_from_json<BagOptions>(settings.dataset, "--set dataset");
  request.path = arguments.data;
  request.is_covariance = arguments.kind == "covariance";
  if (arguments.center || arguments.no_center) {
    request.centered = arguments.center;
  }
  if (!arguments.scale.empty()) {
    try {
      request.scale = scale_from_name(arguments.scale);
    } catch (const InputError&) {
      throw InputError(
          fmt::format("--scale: found \"{}\"; accepted: n, n-1, none", arguments.scale));
    }
  }
  return request;
}

void declare_data_arguments(Declarations& declare, DataArguments& arguments) {
  declare.option(
      "--data", arguments.data,
      "a file: CSV, .npy, Matrix Market or UCI docword, plain or gzipped; SciPy's sparse "
      ".npz; HDF5 or AnnData (FILE.h5ad:layers/NAME, default X); PLINK .bed; .spca");
  declare.option("--dataset", arguments.dataset, "a data set from `spca list datasets`");
  declare.option("--kind", arguments.kind, "what the file holds: data (default) or covariance");
  declare.flag("--center", arguments.center,
               "subtract the column means (default, but for docword)");
  declare.flag("--no-center", arguments.no_center, "take the data as they are");
  declare.option("--scale", arguments.scale, "S = X'X / n (default), / n-1, or none");
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

void check_data_arguments(const DataArguments& arguments, const Settings& settings) {
  if (arguments.data.empty() == arguments.dataset.empty()) {
    throw InputError(fmt::format(
        "{}; accepted: one of --data FILE and --dataset NAME",
        arguments.data.empty() ? "no data given" : "--data and --dataset are both given"));
  }
  if (arguments.center && arguments.no_center) {
    throw InputError("--center and --no-center are both given; accepted: one of them");
  }
  if (!arguments.kind.empty() && arguments.kind != "data" && arguments.kind != "covariance") {
    throw InputError(fmt::format("--kind: found \"{}\"{}; accepted: data, covariance",
                                 arguments.kind,
                                 did_you_mean(arguments.kind, {"data", "covariance"})));
  }
  const char* centering = arguments.center      ? "--center"
                          : arguments.no_center ? "--no-center"
                                                : nullptr;
  const char* preparation = centering != nullptr       ? centering
                            : !arguments.scale.empty() ? "--scale"
                                                       : nullptr;
  if (!arguments.dataset.empty()) {
    const char* refused = !arguments.kind.empty() ? "--kind" : preparation;
    if (refused != nullptr) {
      throw InputError(fmt::format(
          "{}: not with --dataset, whose preparation is fixed; accepted: with --data", refused));
    }
  } else if (arguments.kind == "covariance" && !settings.dataset.empty()) {
    throw InputError("--set dataset.*: not with --kind covariance; accepted: for a docword file");
  } else if (arguments.kind == "covariance" && preparation != nullptr) {
    throw InputError(fmt::format(
        "{}: not with --kind covariance, which is taken as it is; accepted: with --kind data",
        preparation));
  }
}

std::uint64_t derived_seed(std::uint64_t seed, const char* purpose) {
  return hash64(fmt::format("{}/{}", purpose, seed));
}

Dataset load_data(const DataArguments& arguments, const Settings& settings,
                  const GlobalOptions& global, std::uint64_t seed) {
  if (ranks() != nullptr) {
    return load_data_in_ranks(arguments, settings, global, seed);
  }
  return arguments.data.empty() ? load_dataset(arguments, settings, global, seed)
                                : read_dataset(file_request(arguments, settings));
}

Dataset load_dataset(const DataArguments& arguments, const Settings& settings,
                     const GlobalOptions& global, std::uint64_t seed) {
  const DatasetEntry& entry = DatasetRegistry::instance().get(arguments.dataset, "--dataset");
  return entry.load(
      entry.complete_options(settings.dataset, "--set dataset"),
      {.data_dir = data_directory(global.data_dir), .seed = derived_seed(seed, "data")});
}

}  // namespace spca::cli
