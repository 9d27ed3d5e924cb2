#pragma once

/// Reads the folder of a run that any build or machine wrote.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/runs/run_writer.h"

namespace spca {

/// The cells of a run with the keys that they had at the time of the run: the sources of this
/// program and the data may have changed.
class RunFolder {
 public:
  /// Throws InputError that names the file if manifest.json, experiment.json or cells.jsonl cannot
  /// be read, and as require_intact_run does.
  RunFolder(std::filesystem::path directory, const std::filesystem::path& data_dir,
            Damage damage = Damage::kRefused);

  const std::filesystem::path& directory() const { return directory_; }
  std::filesystem::path cells_file() const { return directory_ / "cells.jsonl"; }
  const Json& manifest() const { return manifest_; }
  const Json& experiment_json() const { return experiment_->json; }
  /// Returns the cells of the run's shard, or with `all_shards` those of the whole experiment.
  RunContext context(bool all_shards) const;
  /// Returns the line of a record of find_finished_cells.
  std::string line(const StoredRecord& record) const;

 private:
  std::filesystem::path directory_;
  Json manifest_;
  std::unique_ptr<Experiment> experiment_;
  FileDescriptor cells_;
};

}  // namespace spca
