#include "spca/data/fetch/fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/cli/fetch_summary.h"
#include "harness/cli/output.h"
#include "spca/base/error.h"
#include "spca/data/data_folder.h"
#include "spca/data/dataset.h"

namespace spca::cli {
namespace {

constexpr Index kLongestTimeout = 86400;  // a day
constexpr Index kMostRetries = 100;

struct FetchOptions {
  std::vector<std::string> names;
  std::string sources, mirror, timeout, retries, recipe_limit;
  bool check = false, dry_run = false, force = false, json = false;
};

/// Returns the named data sets; `all` means every one.
std::vector<DataSource> chosen(const std::vector<DataSource>& sources,
                               const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), "all") != names.end()) {
    return sources;
  }
  std::vector<std::string> known = {"all"};
  for (const DataSource& source : sources) {
    known.push_back(source.name);
  }
  std::vector<DataSource> list;
  for (const std::string& name : names) {
    const auto position =
        std::find_if(sources.begin(), sources.end(),
                     [&](const DataSource& source) { return source.name == name; });
    if (position != sources.end()) {
      list.push_back(*position);
      continue;
    }
    const DatasetEntry* entry = DatasetRegistry::instance().find(name);
    throw InputError(fmt::format(
        "DATASET: {} \"{}\"{}; accepted: {}",
        entry != nullptr ? "no file belongs to data set" : "unknown data set", name,
        entry != nullptr ? ", which is generated or built in" : did_you_mean(name, known),
        join(known)));
  }
  return list;
}

std::string environment_or(const std::string& given, const char* variable) {
  const char* value = std::getenv(variable);
  return given.empty() && value != nullptr ? value : given;
}

FetchRequest request_from(const FetchOptions& options, const GlobalOptions& global) {
  const auto at_most = [](const char* option, const std::string& text, Index least, Index largest) {
    const Index value = parse_whole(option, text, least);
    if (value > largest) {
      throw InputError(
          fmt::format("{}: found {}; accepted: {} to {}", option, value, least, largest));
    }
    return value;
  };
  FetchRequest request;
  request.data_dir = data_directory(global.data_dir);
  request.mirror = environment_or(options.mirror, "SPCA_FETCH_MIRROR");
  if (!request.mirror.empty() && !request.mirror.starts_with("http://") &&
      !request.mirror.starts_with("https://") && !request.mirror.starts_with("file://")) {
    throw InputError(
        fmt::format("{}: found \"{}\"; accepted: an address that begins with http://, "
                    "https:// or file://",
                    options.mirror.empty() ? "SPCA_FETCH_MIRROR" : "--url-base", request.mirror));
  }
  if (!options.timeout.empty()) {
    request.timeout = at_most("--timeout", options.timeout, 1, kLongestTimeout);
  }
  if (!options.retries.empty()) {
    request.retries = static_cast<int>(at_most("--retries", options.retries, 0, kMostRetries));
  }
  if (!options.recipe_limit.empty()) {
    request.recipe_limit = at_most("--recipe-limit", options.recipe_limit, 1, kLongestTimeout);
  }
  request.check_only = options.check;
  request.dry_run = options.dry_run;
  request.replace_different = options.force;
  return request;
}

Json result_json(const FetchResult& result) {
  return {{"dataset", result.dataset},
          {"name", result.name},
          {"status", fetch_status_name(result.status)},
          {"path", result.path.string()},
          {"bytes", result.bytes},
          {"sha256", result.sha256},
          {"url", result.url},
          {"optional", result.is_optional},
          {"message", result.message}};
}

std::string result_text(const FetchResult& result) {
  const char* const words = result.status == FetchStatus::kPresent   ? "ok, already present"
                            : result.status == FetchStatus::kFetched ? "ok, fetched"
                            : result.status == FetchStatus::kMade    ? "ok, made"
                            : result.status == FetchStatus::kBuiltIn ? "ok, built in"
                                                                     : nullptr;
  return words != nullptr
             ? fmt::format("{}: {}\n", result.name, words)
             : fmt::format("{}: {}{}: {}\n", result.name, fetch_status_name(result.status),
                           result.is_optional ? " (the data set works without it)" : "",
                           result.message);
}

int run_fetch(const FetchOptions& options, const GlobalOptions& global) {
  const FetchRequest request = request_from(options, global);
  const std::vector<DataSource> sources = options.sources.empty()
                                              ? built_in_data_sources()
                                              : read_data_sources(read_json_file(options.sources));
  Json files = Json::array();
  std::vector<FetchResult> results;
  std::map<std::string, std::size_t> counts;
  bool is_complete = true;
  for (const DataSource& source : chosen(sources, options.names)) {
    for (FetchResult& result : fetch(source, request)) {
      is_complete = is_complete && !result.is_lacking();
      ++counts[fetch_status_name(result.status)];
      files.push_back(result_json(result));
      if (!options.json) {
        write_stdout(result_text(result));
      }
      results.push_back(std::move(result));
    }
  }
  const int code = is_complete || request.dry_run ? kExitOk : kExitFailed;
  Json json = {{"data_dir", request.data_dir.string()},
               {"files", files},
               {"by_status", counts},
               {"exit_code", code}};
  // Experiments need the data sets of the program, not those of another list.
  if (options.sources.empty()) {
    const bool is_all =
        std::find(options.names.begin(), options.names.end(), "all") != options.names.end();
    const FetchSummary summary = fetch_summary(
        results, is_all ? std::vector<std::string>() : options.names, request.data_dir);
    json["summary"] = summary_json(summary);
    if (!options.json) {
      write_stdout(summary_text(summary));
    }
  }
  if (options.json) {
    write_json(json);
  }
  return code;
}

std::function<int()> declare_fetch(Declarations& declare, const GlobalOptions& global) {
  const auto options = std::make_shared<FetchOptions>();
  declare.positional("DATASET", options->names, "Data sets to get, or all.");
  declare.flag("--check", options->check,
               "Compare the existing files with their checksums, and change nothing.");
  declare.flag("--dry-run", options->dry_run,
               "Print what would be downloaded or made, and change nothing.");
  declare.flag("--force", options->force, "Replace files whose contents differ.");
  declare.option("--timeout SECONDS", options->timeout,
                 "Time limit for connecting and for waiting for data (default 30).");
  declare.option("--retries N", options->retries,
                 "Number of times that an interrupted transfer is continued (default 3).");
  declare.option("--recipe-limit SECONDS", options->recipe_limit,
                 "Time limit for making one file from its original (default 600).");
  declare.option("--url-base URL", options->mirror,
                 "Address of a folder with the layout of the data folder, from which all files are "
                 "taken (default: SPCA_FETCH_MIRROR, or else each file's own address).");
  declare.option("--sources FILE", options->sources,
                 "A sources.json (default: the one that the program was built with).");
  declare.flag("--json", options->json, "Print the state of every file as JSON.");
  return [options, &global] { return run_fetch(*options, global); };
}

SPCA_COMMAND(
    "fetch", CommandGroup::kExperiments,
    "Download the files of data sets into the data folder or make them, and check them",
    "  spca fetch kos\n"
    "  spca fetch all --check --json\n"
    "  spca fetch colon --url-base file:///srv/spca-data\n"
    "Exits 0 where every file that the data sets need is in place, or with --dry-run, else 3.\n"
    "A download that broke off is continued by the same command. Files that are made of\n"
    "others need python3, and some need python3-numpy, python3-scipy or python3-h5py.",
    declare_fetch);

}  // namespace
}  // namespace spca::cli
