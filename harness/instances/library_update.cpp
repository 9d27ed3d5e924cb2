#include "harness/instances/library_update.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "harness/instances/fingerprint.h"
#include "harness/instances/instance_data.h"
#include "harness/instances/instance_proof.h"
#include "harness/records/build_facts.h"
#include "spca/base/error.h"
#include "spca/base/interrupt.h"
#include "spca/io/file_descriptor.h"

namespace spca {
namespace {

/// The year of the library to which new files belong.
constexpr const char* kEdition = "2026";

/// The files of the library while they are changed.
class GrowingFiles {
 public:
  explicit GrowingFiles(const InstanceLibrary& library) : library_(library) {}

  LibraryFile& file(const InstanceClass& of) {
    const auto [found, is_new] = files_.try_emplace(&of);
    if (is_new) {
      const LibraryFile* known = library_.file(of);
      found->second =
          known != nullptr
              ? *known
              : LibraryFile{.of = &of, .edition = kEdition, .data = {}, .instances = {}};
    }
    return found->second;
  }

  void write(const InstanceClass& of) {
    make_directory(library_.folder());
    write_library_file(library_.file_of(of), file(of));
  }

 private:
  const InstanceLibrary& library_;
  std::map<const InstanceClass*, LibraryFile> files_;
};

/// Returns the answer as the library stores it, with its value; empty if it is not feasible.
std::optional<BestAnswer> settled(const InstanceCandidate& candidate, const CandidateAnswer& answer,
                                  const LoadedInstanceData& data) {
  const InstanceClass& of = *candidate.of;
  const Covariance& covariance = *data.dataset.covariance;
  const InstanceSize size = {.p = covariance.variables(), .r = candidate.r, .k = candidate.k};
  BestAnswer best = answer.given;
  if (best.supports.empty()) {
    if (!of.find_fault(answer.components, size).empty()) {
      return std::nullopt;
    }
    best.supports = supports_of(of, answer.components);
    best.loadings = of.needs_loadings() ? answer.components : std::vector<Component>{};
  }
  best.found_by = answer.found_by;
  if (!find_wrong_supports(of, best.supports, size).empty()) {
    return std::nullopt;
  }
  const std::vector<Component> components = components_of(of, covariance, best, candidate.r);
  if (!of.find_fault(components, size).empty()) {
    return std::nullopt;
  }
  best.value = instance_value(of, covariance, data.spectrum, components);
  return std::isfinite(best.value) ? std::optional(best) : std::nullopt;
}

/// One instance, while the answers of a candidate are merged into it.
class Merging {
 public:
  Merging(const InstanceCandidate& candidate, Instance instance, bool is_new)
      : candidate_(candidate),
        direction_(candidate.of->direction()),
        instance_(std::move(instance)) {
    update_.id = instance_.id;
    update_.is_new = is_new;
  }

  /// Replaces the best answer if this one is better.
  void consider(const CandidateAnswer& answer, const LoadedInstanceData& data) {
    std::optional<BestAnswer> best = settled(candidate_, answer, data);
    if (best && (!std::isfinite(instance_.best.value) ||
                 is_better(direction_, best->value, instance_.best.value))) {
      instance_.best = *std::move(best);
      update_.has_better_value = true;
    }
  }

  bool has_answer() const { return std::isfinite(instance_.best.value); }

  bool needs_proof(double seconds) const {
    const double bound = instance_.bound.value;
    if (is_proved(direction_, instance_.best.value, bound)) {
      return false;
    }
    // The tighter of two bounds is the one that is worse as a value.
    return !std::isfinite(bound) || update_.has_better_value || seconds > instance_.bound.limit ||
           is_better(direction_, bound, candidate_.claimed_bound);
  }

  void prove(const LoadedInstanceData& data, const UpdateRequest& request) {
    InstanceProof proof =
        prove_instance(data, {.of = candidate_.of,
                              .r = instance_.r,
                              .k = instance_.k,
                              .components = components_of(*candidate_.of, *data.dataset.covariance,
                                                          instance_.best, instance_.r),
                              .value = instance_.best.value,
                              .seconds = request.seconds,
                              .threads = request.threads});
    if (!proof.contradiction.empty()) {
      contradict(proof.contradiction);
      return;
    }
    if (!proof.found.empty()) {
      consider({.components = std::move(proof.found),
                .given = {},
                .found_by = {.solver = proof.found_by,
                             .version = build_facts().version,
                             .options = proof.found_options}},
               data);
      hold_to_bound();
      if (!update_.problem.empty()) {
        return;
      }
      proof.bound.value = carried_outward(direction_, proof.bound.value, instance_.best.value);
    }
    if (!std::isfinite(instance_.bound.value) ||
        is_better(direction_, instance_.bound.value, proof.bound.value)) {
      instance_.bound = std::move(proof.bound);
      update_.has_better_bound = true;
    }
  }

  /// Refuses a value beyond the bound.
  void hold_to_bound() {
    if (is_better(direction_, instance_.best.value, instance_.bound.value)) {
      contradict(
          fmt::format("contradiction: the value {:.12g} of {} lies beyond the bound {:.12g} "
                      "of {}",
                      instance_.best.value, instance_.best.found_by.solver, instance_.bound.value,
                      instance_.bound.by));
    }
  }

  void fail(std::string problem) { update_.problem = std::move(problem); }

  InstanceUpdate update() const {
    InstanceUpdate update = update_;
    update.value = instance_.best.value;
    update.bound = instance_.bound.value;
    update.is_proved = is_proved(direction_, update.value, update.bound);
    return update;
  }
  bool is_changed() const {
    return update_.problem.empty() && (update_.has_better_value || update_.has_better_bound);
  }
  const Instance& instance() const { return instance_; }

 private:
  void contradict(std::string message) {
    update_.problem = std::move(message);
    update_.is_contradicted = true;
  }

  const InstanceCandidate& candidate_;
  Direction direction_;
  Instance instance_;
  InstanceUpdate update_;
};

void refuse_other_data(const LibraryFile& file, const InstanceData& data) {
  const InstanceData* known = file.find_data(data.label);
  if (known != nullptr && !same_data(*known, data)) {
    throw InputError(
        fmt::format("{}: the library has other data of this label in class {}; accepted: a label "
                    "of its own, or the same data set, options, draw and checksum",
                    data.label, file.of->name));
  }
}

Merging begin(const InstanceCandidate& candidate, const LibraryFile& file) {
  const std::string id = instance_id(*candidate.of, candidate.data.label, candidate.r, candidate.k);
  const auto found = std::find_if(file.instances.begin(), file.instances.end(),
                                  [&](const Instance& one) { return one.id == id; });
  Instance instance = found != file.instances.end() ? *found
                                                    : Instance{.id = id,
                                                               .instance_class = candidate.of->name,
                                                               .data = candidate.data.label,
                                                               .r = candidate.r,
                                                               .k = candidate.k,
                                                               .best = {},
                                                               .bound = {}};
  return {candidate, std::move(instance), found == file.instances.end()};
}

void merge(const InstanceCandidate& candidate, InstanceDataInTurn& data,
           const UpdateRequest& request, Merging& merging) {
  std::string problem;
  const LoadedInstanceData* loaded = data.get(candidate.data, problem);
  if (loaded == nullptr) {
    merging.fail(problem);
    return;
  }
  for (const CandidateAnswer& answer : candidate.answers) {
    merging.consider(answer, *loaded);
  }
  if (!merging.has_answer()) {
    merging.fail("no feasible answer");
    return;
  }
  merging.hold_to_bound();
  if (merging.update().problem.empty() && merging.needs_proof(request.seconds)) {
    merging.prove(*loaded, request);
  }
}

/// Puts the instance and its data into the file.
void store(const Merging& merging, const InstanceCandidate& candidate, InstanceDataInTurn& data,
           LibraryFile& file) {
  if (file.find_data(candidate.data.label) == nullptr) {
    std::string problem;
    const Covariance& covariance = *data.get(candidate.data, problem)->dataset.covariance;
    InstanceData described = candidate.data;
    described.n = covariance.samples();
    described.p = covariance.variables();
    described.trace = covariance.total_variance();
    described.fingerprint = fingerprint(covariance);
    file.data.push_back(std::move(described));
  }
  const auto found =
      std::find_if(file.instances.begin(), file.instances.end(),
                   [&](const Instance& one) { return one.id == merging.instance().id; });
  if (found != file.instances.end()) {
    *found = merging.instance();
  } else {
    file.instances.push_back(merging.instance());
  }
}

}  // namespace

std::string update_text(const InstanceUpdate& update) {
  if (!update.problem.empty()) {
    return fmt::format("{}: {}", update.id, update.problem);
  }
  std::vector<std::string> changes;
  if (update.is_new) {
    changes.emplace_back("new");
  } else {
    if (update.has_better_value) {
      changes.emplace_back("better value");
    }
    if (update.has_better_bound) {
      changes.emplace_back("better bound");
    }
  }
  return fmt::format("{}: {}, {:.9g}, {}", update.id, changes.empty() ? "unchanged" : join(changes),
                     update.value,
                     update.is_proved ? "proved" : fmt::format("bound {:.9g}", update.bound));
}

Json update_json(const InstanceUpdate& update) {
  return {{"id", update.id},
          {"new", update.is_new},
          {"better_value", update.has_better_value},
          {"better_bound", update.has_better_bound},
          {"value", update.value},
          {"bound", update.bound},
          {"proved", update.is_proved},
          {"contradiction", update.is_contradicted},
          {"problem", update.problem}};
}

std::vector<InstanceUpdate> update_library(const InstanceLibrary& library,
                                           std::vector<InstanceCandidate> candidates,
                                           const UpdateRequest& request) {
  InstanceDataInTurn data(request.data_dir);
  GrowingFiles files(library);
  std::vector<InstanceUpdate> updates;
  for (const InstanceCandidate& candidate : candidates) {
    if (stop_requested()) {
      break;
    }
    LibraryFile& file = files.file(*candidate.of);
    refuse_other_data(file, candidate.data);
    Merging merging = begin(candidate, file);
    try {
      merge(candidate, data, request, merging);
    } catch (const NumericalError& error) {
      merging.fail(error.what());
    }
    if (merging.is_changed()) {
      store(merging, candidate, data, file);
      files.write(*candidate.of);
    }
    updates.push_back(merging.update());
    if (request.on_update) {
      request.on_update(updates.back());
    }
  }
  return updates;
}

}  // namespace spca
