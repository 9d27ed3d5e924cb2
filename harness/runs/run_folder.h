#pragma once

/// A run's folder as it was left, whatever build or machine wrote it.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/runs/run_writer.h"

namespace spca {

/// Its cells, with the keys that they had then: neither the sources of this program nor the data
/// need be the same now.
class RunFolder {
 public:
  /// Throws InputError that names the file where manifest.json, experiment.json or cells.jsonl
  /// cannot be read; and as require_intact_run does.
  RunFolder(std::filesystem::path directory, const std::filesystem::path& data_dir,
            Damage damage = Damage::kRefused);

  const std::filesystem::path& directory() const { return directory_; }
  std::filesystem::path cells_file() const { return directory_ / "cells.jsonl"; }
  const Json& manifest() const { return manifest_; }
  const Json& experiment_json() const { return experiment_->json; }
  /// The cells of its shard only; the whole experiment's with `all_shards`.
  RunContext context(bool all_shards) const;
  /// The line of a record of find_finished_cells.
  std::string line(const StoredRecord& record) const;

 private:
  std::filesystem::path directory_;
  Json manifest_;
  std::unique_ptr<Experiment> experiment_;
  FileDescriptor cells_;
};

}  // namespace spca
