#include "harness/instances/asked_instances.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/experiments/experiment_identity.h"
#include "harness/instances/instance_data.h"
#include "harness/instances/library_comparison.h"
#include "spca/base/json_text.h"

namespace spca {
namespace {

/// The instances on the data of each variant. Looks for them once for each data set, options and
/// draw, because this reads the files of the data set.
class InstancesOnData {
 public:
  InstancesOnData(const Experiment& experiment, const InstanceLibrary& library,
                  std::filesystem::path data_dir)
      : experiment_(experiment), library_(library), data_dir_(std::move(data_dir)) {}

  const std::vector<KnownInstance>& of(std::size_t index) {
    const Variant& variant = experiment_.variants[index];
    const std::uint64_t draw = data_seed(experiment_, {.variant = index, .repeat = 0});
    const std::string key =
        fmt::format("{}\n{}\n{}", variant.dataset->name, json_line(variant.dataset_options), draw);
    const auto [found, is_new] = known_.try_emplace(key);
    if (is_new && variant.dataset->traits.path_options.empty()) {
      found->second = instances_on(
          library_,
          origin_of(*variant.dataset, variant.dataset_options,
                    {.data_dir = data_dir_, .seed = draw, .base_dir = experiment_.folder}));
    }
    return found->second;
  }

 private:
  const Experiment& experiment_;
  const InstanceLibrary& library_;
  std::filesystem::path data_dir_;
  std::map<std::string, std::vector<KnownInstance>> known_;
};

/// Returns the length of the class's grid_word() if the grid has this name, or a name that begins
/// with it and "_"; else 0.
std::size_t word_in_grid(const InstanceClass& of, const std::string& grid) {
  const std::string word = grid_word(of);
  return grid == word || grid.starts_with(word + "_") ? word.size() : 0;
}

/// Returns whether `a` is chosen rather than `b`: the class with the longer word in the grid's
/// name, or else with the fewer answers.
bool is_nearer(const InstanceClass& a, const InstanceClass& b, const std::string& grid) {
  const std::size_t of_a = word_in_grid(a, grid);
  const std::size_t of_b = word_in_grid(b, grid);
  return of_a != of_b ? of_a > of_b : a.generality < b.generality;
}

}  // namespace

std::string grid_word(const InstanceClass& of) {
  std::string word = of.name;
  std::replace(word.begin(), word.end(), '-', '_');
  return word;
}

std::vector<std::optional<KnownInstance>> asked_instances(const Experiment& experiment,
                                                          const InstanceLibrary& library,
                                                          const std::filesystem::path& data_dir) {
  InstancesOnData on_data(experiment, library, data_dir);
  std::vector<std::optional<KnownInstance>> asked;
  for (std::size_t i = 0; i < experiment.variants.size(); ++i) {
    const Variant& variant = experiment.variants[i];
    const Index k = shared_cardinality(variant.cardinality);
    std::optional<KnownInstance>& found = asked.emplace_back();
    for (const KnownInstance& one : on_data.of(i)) {
      const bool is_asked = one.instance->r == variant.components && one.instance->k == k;
      if (is_asked && (!found || is_nearer(*one.of, *found->of, variant.grid))) {
        found = one;
      }
    }
  }
  return asked;
}

}  // namespace spca
