#include "harness/runs/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/records/manifest.h"
#include "harness/runs/shard.h"

namespace spca {

namespace {

bool is_null_or_string(const Json& json) { return json.is_null() || json.is_string(); }

/// Checks the members of a manifest that are read later without checks. If damage is tolerated, the
/// manifest may hold anything.
void require_kinds(const Json& manifest, const std::filesystem::path& file) {
  const Json& identities = manifest["identities"];
  const bool has_identities =
      identities.is_array() && std::all_of(identities.begin(), identities.end(),
                                           [](const Json& digest) { return digest.is_string(); });
  const auto is = [&](const char* name, auto kind) {
    return manifest.contains(name) && kind(manifest[name]);
  };
  const auto is_string = [](const Json& json) { return json.is_string(); };
  const auto is_count = [](const Json& json) { return json.is_number_unsigned(); };
  if (!has_identities || !is("shard", is_null_or_string) || !is("ended", is_null_or_string) ||
      !is("began", is_string) || !is("origin", is_string) || !is("experiment", is_string) ||
      !is("profile", is_string) || !is("kept", is_count) || !is("reused", is_count) ||
      (manifest.contains("interrupted") && !manifest["interrupted"].is_boolean())) {
    throw InputError(fmt::format("{}: not the manifest of a run of this program", file.string()));
  }
}

}  // namespace

RunFolder::RunFolder(std::filesystem::path directory, const std::filesystem::path& data_dir,
                     Damage damage)
    : directory_(std::move(directory)) {
  const std::filesystem::path file = directory_ / "manifest.json";
  manifest_ = read_manifest(directory_, damage);
  for (const char* field : {"identities", "shard", "kept", "reused", "began", "ended", "origin"}) {
    if (!manifest_.contains(field)) {
      throw InputError(
          fmt::format("{}: without \"{}\"; accepted: a run that this version of the program began",
                      file.string(), field));
    }
  }
  require_kinds(manifest_, file);
  experiment_ = std::make_unique<Experiment>(experiment_of_run(directory_, data_dir, damage));
  if (manifest_["identities"].size() != experiment_->variants.size()) {
    throw InputError(fmt::format("{}: {} identities for {} variants of experiment.json beside it",
                                 file.string(), manifest_["identities"].size(),
                                 experiment_->variants.size()));
  }
  cells_ = open_or_throw(cells_file(), O_RDONLY);
}

RunContext RunFolder::context(bool all_shards) const {
  const Json& shard = manifest_["shard"];
  const bool is_part = shard.is_string() && !all_shards;
  return {.experiment = *experiment_,
          .cells = cells_of_shard(*experiment_,
                                  is_part ? parse_shard(shard.get<std::string>()) : Shard()),
          .data_dir = {},
          .threads = 1,
          .identities = {},
          .digests = manifest_["identities"].get<std::vector<std::string>>(),
          .metrics = {}};
}

std::string RunFolder::line(const StoredRecord& record) const {
  return read_line(cells_, cells_file(), record);
}

}  // namespace spca
