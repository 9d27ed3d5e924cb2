#include "harness/runs/finished_run.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "harness/runs/shard.h"

namespace spca {

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
