#include "harness/instances/instance_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/experiments/experiment_identity.h"
#include "harness/instances/fingerprint.h"
#include "harness/instances/instance_tolerances.h"
#include "spca/base/error.h"
#include "spca/data/data_sources.h"

namespace spca {
namespace {

const DatasetEntry& entry_of(const InstanceData& data) {
  return DatasetRegistry::instance().get(data.dataset, data.label);
}

DatasetRequest request_of(const InstanceData& data, const std::filesystem::path& data_dir) {
  return {.data_dir = data_dir, .seed = data.draw.value_or(0)};
}

}  // namespace

DataState state_of(const InstanceData& data, const std::filesystem::path& data_dir) {
  const DatasetEntry* entry = DatasetRegistry::instance().find(data.dataset);
  if (entry == nullptr) {
    return {.problem = fmt::format("no data: this program has no data set {}", data.dataset)};
  }
  const DataFiles files = data_files(*entry, data.options, request_of(data, data_dir));
  if (files.checksum == data.checksum) {
    return {.is_usable = true, .problem = ""};
  }
  if (extent_of(data) == InstanceExtent::kBuiltIn) {
    return {.problem = "the library has another checksum than the data, which are built in",
            .is_wrong_checksum = true};
  }
  if (!files.formats.empty()) {
    return {.problem = fmt::format("other data: some files of {0} are missing or have other bytes "
                                   "than in the library: `spca fetch {0} --check`",
                                   data.dataset)};
  }
  const std::vector<std::string>& names = entry->traits.files;
  const bool is_fetched = std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return source_that_fetches(name) != nullptr;
  });
  return {.problem = is_fetched ? fmt::format("no data: `spca fetch {}`", data.dataset)
                                : "no data: docs/DATA.md, \"Files to get by hand\", says how"};
}

std::unique_ptr<LoadedInstanceData> load_instance_data(const InstanceData& data,
                                                       const std::filesystem::path& data_dir) {
  auto loaded = std::make_unique<LoadedInstanceData>(
      entry_of(data).load(data.options, request_of(data, data_dir)));
  if (data.p == 0) {
    return loaded;
  }
  const Covariance& covariance = *loaded->dataset.covariance;
  const double trace = covariance.total_variance();
  const bool has_shape = covariance.samples() == data.n && covariance.variables() == data.p;
  if (!has_shape || !is_same_value(trace, data.trace)) {
    throw InputError(fmt::format(
        "{}: found n = {}, p = {}, tr S = {:.12g}; the library has n = {}, p = {}, tr S = {:.12g}",
        data.label, covariance.samples(), covariance.variables(), trace, data.n, data.p,
        data.trace));
  }
  if (std::isfinite(data.fingerprint)) {
    if (const double found = fingerprint(covariance); !is_same_value(found, data.fingerprint)) {
      throw InputError(
          fmt::format("{}: found data with the fingerprint {:.17g}; the library has {:.17g}",
                      data.label, found, data.fingerprint));
    }
  }
  return loaded;
}

bool same_data(const InstanceData& a, const InstanceData& b) {
  return a.dataset == b.dataset && same_options(a.options, b.options) && a.draw == b.draw &&
         a.checksum == b.checksum;
}

const LoadedInstanceData* InstanceDataInTurn::get(const InstanceData& data, std::string& problem) {
  if (!held_ || !same_data(*held_, data)) {
    held_.reset();
    loaded_.reset();
    DataState state = state_of(data, data_dir_);
    if (state.is_wrong_checksum) {
      throw InputError(fmt::format("{}: {}", data.label, state.problem));
    }
    problem_ = std::move(state.problem);
    if (problem_.empty()) {
      loaded_ = load_instance_data(data, data_dir_);
    }
    held_ = data;
  }
  problem = problem_;
  return loaded_.get();
}

DataOrigin origin_of(const DatasetEntry& dataset, const Json& options,
                     const DatasetRequest& request) {
  return {.dataset = dataset.name,
          .options = options,
          .draw = dataset.traits.generated ? std::optional(request.seed) : std::nullopt,
          .checksum = [&dataset, options, request] {
            return data_files(dataset, options, request).checksum;
          }};
}

}  // namespace spca
