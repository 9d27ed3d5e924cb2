#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/cli/output.h"
#include "harness/runs/cache_maintenance.h"
#include "harness/runs/cell_cache.h"
#include "spca/base/megabyte.h"

namespace spca::cli {
namespace {

struct CacheOptions {
  std::string action, older_than, max_size;
  bool stale = false, dry_run = false, json = false;
};

std::string megabytes(std::uint64_t bytes) {
  return fmt::format("{:.2f} MB", static_cast<double>(bytes) / kBytesOfAMegabyte);
}

Json count_json(const CacheCount& count) {
  return {{"entries", count.entries}, {"bytes", count.bytes}};
}

template <class Counts>
Json counts_json(const Counts& counts) {
  Json json = Json::object();
  for (const auto& [name, count] : counts) {
    json[name] = count_json(count);
  }
  return json;
}

int list(const CacheOptions& options, const std::filesystem::path& directory) {
  if (!options.older_than.empty() || !options.max_size.empty() || options.stale ||
      options.dry_run) {
    throw InputError("cache ls: --older-than, --max-size, --stale, --dry-run are for cache gc");
  }
  const CacheListing listing = list_cache(directory);
  if (options.json) {
    Json json = {{"directory", directory.string()},
                 {"entries", listing.total.entries},
                 {"bytes", listing.total.bytes},
                 {"file_bytes", listing.file_bytes},
                 {"damaged_entries", listing.damaged}};
    for (const char* kind : {"experiment", "solver", "dataset", "source"}) {
      const auto found = listing.by.find(kind);
      json[std::string("by_") + kind] =
          found == listing.by.end() ? Json::object() : counts_json(found->second);
    }
    write_json(json);
    return kExitOk;
  }
  std::vector<std::vector<std::string>> rows = {{"by", "", "entries", "size"}};
  for (const char* kind : {"experiment", "solver", "dataset", "source"}) {
    const auto found = listing.by.find(kind);
    if (found != listing.by.end()) {
      for (const auto& [name, count] : found->second) {
        rows.push_back({kind, name, std::to_string(count.entries), megabytes(count.bytes)});
      }
    }
  }
  write_stdout(fmt::format("{}: {} entries, {}; a file of {}, {} damaged entries\n{}",
                           directory.string(), listing.total.entries,
                           megabytes(listing.total.bytes), megabytes(listing.file_bytes),
                           listing.damaged, listing.total.entries > 0 ? aligned(rows) : ""));
  return kExitOk;
}

int collect(const CacheOptions& options, const std::filesystem::path& directory) {
  CacheCollection collection;
  collection.stale = options.stale;
  collection.dry_run = options.dry_run;
  if (!options.older_than.empty()) {
    collection.older_than_days = parse_positive("--older-than", options.older_than);
  }
  if (!options.max_size.empty()) {
    collection.max_size_megabytes = parse_positive("--max-size", options.max_size);
  }
  const CollectedCache collected = collect_cache(directory, collection);
  if (options.json) {
    write_json({{"directory", directory.string()},
                {"dry_run", options.dry_run},
                {"kept", count_json(collected.kept)},
                {"removed", counts_json(collected.removed)},
                {"file_bytes_before", collected.file_bytes_before},
                {"file_bytes_after", collected.file_bytes_after}});
    return kExitOk;
  }
  const char* verb = options.dry_run ? "would remove" : "removed";
  std::string text;
  for (const auto& [why, count] : collected.removed) {
    text +=
        fmt::format("{} {} entries, {}: {}\n", verb, count.entries, megabytes(count.bytes), why);
  }
  text += fmt::format("{} {} entries, {}; file: {} before, {} after\n",
                      options.dry_run ? "would keep" : "kept", collected.kept.entries,
                      megabytes(collected.kept.bytes), megabytes(collected.file_bytes_before),
                      megabytes(collected.file_bytes_after));
  write_stdout(text);
  return kExitOk;
}

std::function<int()> declare_cache(Declarations& declare, const GlobalOptions&) {
  const auto options = std::make_shared<CacheOptions>();
  declare.positional("ACTION", options->action,
                     "Action: ls or gc. ls lists the contents of the cache; gc removes answers.");
  declare.option("--older-than DAYS", options->older_than,
                 "gc: remove answers of runs that began more than DAYS ago.");
  declare.option("--max-size MB", options->max_size,
                 "gc: remove the oldest answers until the cache has at most MB.");
  declare.flag("--stale", options->stale,
               "gc: remove answers computed from sources other than those of this program.");
  declare.flag("--dry-run", options->dry_run,
               "gc: print what would be removed, and remove nothing.");
  declare.flag("--json", options->json, "Print JSON instead of text.");
  return [options] {
    const std::filesystem::path directory = cache_directory();
    if (options->action != "ls" && options->action != "gc") {
      throw InputError(fmt::format("ACTION: found \"{}\"{}; accepted: ls, gc", options->action,
                                   did_you_mean(options->action, {"ls", "gc"})));
    }
    if (directory.empty()) {
      throw InputError(
          "SPCA_CACHE_DIR: is empty, which switches the cache off; accepted: a folder");
    }
    warn_of_old_cache(directory);
    return options->action == "ls" ? list(*options, directory) : collect(*options, directory);
  };
}

SPCA_COMMAND("cache", CommandGroup::kProgram, "List or remove the contents of the cache of cells",
             "  spca cache ls\n"
             "  spca cache gc --stale --dry-run\n"
             "  spca cache gc --older-than 30 --max-size 500",
             declare_cache);

}  // namespace
}  // namespace spca::cli
