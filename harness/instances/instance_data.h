#pragma once

/// Loads the data of an instance, and says whether they are the data in the library.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "harness/instances/instance.h"
#include "harness/instances/library_comparison.h"
#include "spca/data/dataset.h"
#include "spca/spectrum/spectrum.h"

namespace spca {

/// The data of one or more instances, with the eigenvalues that their metrics share.
struct LoadedInstanceData {
  explicit LoadedInstanceData(Dataset loaded)
      : dataset(std::move(loaded)), spectrum(*dataset.covariance) {}

  Dataset dataset;
  Spectrum spectrum;
};

/// The state of the data of an instance in a data folder.
struct DataState {
  bool is_usable = false;
  /// Empty if the data are usable. Otherwise one line, such as "no data: `spca fetch wine`", or
  /// that files are missing or have other bytes, or that the data set is not registered.
  std::string problem;
  /// The data are built in, so that the checksum of the library is the wrong one.
  bool is_wrong_checksum = false;
};

/// Compares the files with their checksum. Reads them, but forms no S.
DataState state_of(const InstanceData& data, const std::filesystem::path& data_dir);

/// Loads the data, prepared as the instances require. Throws InputError if the data set is not
/// registered, if n, p, tr S or the fingerprint are not those of the library, or as the loader
/// does. If `data` has no p, because the library does not have the data yet, nothing is compared.
std::unique_ptr<LoadedInstanceData> load_instance_data(const InstanceData& data,
                                                       const std::filesystem::path& data_dir);

/// The data of several instances, one data set at a time: two large S may not fit in memory.
class InstanceDataInTurn {
 public:
  explicit InstanceDataInTurn(std::filesystem::path data_dir) : data_dir_(std::move(data_dir)) {}

  /// Returns the data; those of the previous call if they are the same. Null if state_of() finds
  /// them unusable, with the reason in `problem`, which is empty otherwise. Throws InputError if
  /// the checksum of the library is wrong, or as load_instance_data() does.
  const LoadedInstanceData* get(const InstanceData& data, std::string& problem);

 private:
  std::filesystem::path data_dir_;
  std::optional<InstanceData> held_;
  std::unique_ptr<LoadedInstanceData> loaded_;
  std::string problem_;
};

/// Returns whether both are the same data: data set, options, draw and checksum.
bool same_data(const InstanceData& a, const InstanceData& b);

/// Returns the origin of the data of a data set with complete options. Its draw is the seed of the
/// request if the data are generated, and empty otherwise. Relative paths in options refer to the
/// `base_dir` of the request.
DataOrigin origin_of(const DatasetEntry& dataset, const Json& options,
                     const DatasetRequest& request);

}  // namespace spca
