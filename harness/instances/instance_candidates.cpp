#include "harness/instances/instance_candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/experiments/experiment_identity.h"
#include "harness/experiments/papers.h"
#include "harness/instances/instance_data.h"
#include "harness/records/record_index.h"
#include "spca/base/json_text.h"

namespace spca {
namespace {

/// Returns the class that the experiment's name "instances/CLASS" names; null for any other name.
const InstanceClass* class_of(const Experiment& experiment) {
  const std::string folder = std::string(kInstancesFolder) + "/";
  return experiment.name.starts_with(folder)
             ? InstanceClasses::instance().find(experiment.name.substr(folder.size()))
             : nullptr;
}

/// Returns the tightest bound on the values of the class that the record has; NaN if it has none.
double claimed_bound(const Record& record, const InstanceClass& of) {
  const bool is_variance = of.direction() == Direction::kHigherIsBetter;
  double claimed = is_variance ? record.bound : kNotMeasured;
  for (const ClassBound& of_class : of.bounds) {
    const auto found = record.metrics.find(of_class.name);
    const double bound =
        found == record.metrics.end() || found->second.empty() ? kNotMeasured : found->second[0];
    claimed = is_variance ? std::fmin(claimed, bound) : std::fmax(claimed, bound);
  }
  return claimed;
}

class Collector {
 public:
  Collector(const Experiment& experiment, std::string version, const InstanceLibrary& library,
            std::filesystem::path data_dir)
      : experiment_(experiment),
        version_(std::move(version)),
        library_(library),
        data_dir_(std::move(data_dir)),
        class_(class_of(experiment)) {}

  void add(std::size_t index, const Record& record) {
    const Variant& variant = experiment_.variants[index];
    const Index k = shared_cardinality(record.cardinality);
    const bool has_answer = is_answer(record.status, !record.loadings.empty()) &&
                            !is_partial(record) && !record.unconstrained;
    if (!has_answer || k == 0 || !variant.dataset->traits.path_options.empty()) {
      return;
    }
    const DataOrigin& origin = origin_of_cell(index, record.repeat);
    if (class_ != nullptr) {
      add_to(candidate(*class_, data_of(origin, variant.dataset_label), record.components, k),
             record);
      return;
    }
    for (const KnownInstance& known : instances_on(library_, origin)) {
      const Instance& instance = *known.instance;
      const InstanceSize size = {.p = known.data->p, .r = instance.r, .k = instance.k};
      if (instance.r == record.components && instance.k == k &&
          known.of->find_fault(record.loadings, size).empty()) {
        add_to(candidate(*known.of, *known.data, instance.r, k), record);
      }
    }
  }

  std::vector<InstanceCandidate> all() && {
    std::vector<InstanceCandidate> all;
    for (auto& [key, candidate] : candidates_) {
      all.push_back(std::move(candidate));
    }
    return all;
  }

 private:
  /// Returns the origin of a cell's data. Keeps the checksum for each data set, options and draw,
  /// because it is computed from the files.
  const DataOrigin& origin_of_cell(std::size_t index, Index repeat) {
    const Variant& variant = experiment_.variants[index];
    DataOrigin origin =
        origin_of(*variant.dataset, variant.dataset_options,
                  {.data_dir = data_dir_,
                   .seed = data_seed(experiment_, {.variant = index, .repeat = repeat}),
                   .base_dir = experiment_.folder});
    const std::string key = fmt::format("{}\n{}\n{}", origin.dataset, json_line(origin.options),
                                        origin.draw.value_or(0));
    const auto [found, is_new] = origins_.try_emplace(key, origin);
    if (is_new) {
      found->second.checksum = [checksum = origin.checksum()] { return checksum; };
    }
    return found->second;
  }

  /// Returns the library's data of this origin, or a new description with this label.
  InstanceData data_of(const DataOrigin& origin, const std::string& label) const {
    const std::vector<KnownInstance> known = instances_on(library_, origin);
    if (!known.empty()) {
      return *known.front().data;
    }
    return {.label = label,
            .dataset = origin.dataset,
            .options = origin.options,
            .draw = origin.draw,
            .checksum = origin.checksum()};
  }

  InstanceCandidate& candidate(const InstanceClass& of, const InstanceData& data, Index r,
                               Index k) {
    const std::string key = fmt::format("{}\n{}\n{:08}\n{:08}", data.label, of.name, r, k);
    InstanceCandidate& candidate = candidates_[key];
    if (candidate.of == nullptr) {
      candidate.of = &of;
      candidate.data = data;
      candidate.r = r;
      candidate.k = k;
    }
    return candidate;
  }

  void add_to(InstanceCandidate& candidate, const Record& record) const {
    candidate.answers.push_back(
        {.components = record.loadings,
         .given = {},
         .found_by = {
             .solver = record.solver_name, .version = version_, .options = record.options}});
    const double claimed = claimed_bound(record, *candidate.of);
    candidate.claimed_bound = candidate.of->direction() == Direction::kHigherIsBetter
                                  ? std::fmin(candidate.claimed_bound, claimed)
                                  : std::fmax(candidate.claimed_bound, claimed);
  }

  const Experiment& experiment_;
  std::string version_;
  const InstanceLibrary& library_;
  std::filesystem::path data_dir_;
  const InstanceClass* class_;
  std::map<std::string, DataOrigin> origins_;
  std::map<std::string, InstanceCandidate> candidates_;
};

}  // namespace

std::vector<InstanceCandidate> candidates_of(const Experiment& experiment,
                                             const std::vector<Record>& records,
                                             const std::string& version,
                                             const InstanceLibrary& library,
                                             const std::filesystem::path& data_dir) {
  Collector collector(experiment, version, library, data_dir);
  const RecordIndex index(records);
  for (std::size_t i = 0; i < experiment.variants.size(); ++i) {
    for (const Record* record : index.of(experiment.variants[i])) {
      collector.add(i, *record);
    }
  }
  return std::move(collector).all();
}

}  // namespace spca
