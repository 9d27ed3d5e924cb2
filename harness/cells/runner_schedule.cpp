#include "harness/cells/runner_schedule.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <unordered_map>

#include "spca/base/json_text.h"

namespace spca {
namespace {

/// Numbers variants by a part of their contents, in the order of first occurrence.
class Groups {
 public:
  std::size_t number(const std::string& text) {
    return numbers_.emplace(text, numbers_.size()).first->second;
  }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace

std::vector<VariantGroups> group_variants(const std::vector<Variant>& variants) {
  Groups data;
  Groups solvers;
  std::vector<VariantGroups> groups;
  for (const Variant& variant : variants) {
    const std::string of_data = variant.dataset->name + "\n" + json_line(variant.dataset_options) +
                                (variant.ranks > 0 ? "\n" + std::to_string(variant.ranks) : "") +
                                (variant.alone ? "\nalone" : "");
    const std::string of_solver =
        of_data + "\n" + variant.solver->name + "\n" + json_line(variant.solver_options) + "\n" +
        std::to_string(variant.components) + (variant.tune ? "\ntuned\n" : "\n\n") +
        (variant.deflation == nullptr ? "" : variant.deflation->name);
    groups.push_back({.data = data.number(of_data), .solver = solvers.number(of_solver)});
  }
  return groups;
}

namespace {

/// Groups the cells of a block, given in canonical order, into jobs in the order of running. They
/// are sorted by repeat, so that the data of a repeat are loaded once.
Block to_jobs(const Experiment& experiment, const std::vector<Cell>& cells,
              const std::vector<VariantGroups>& groups, std::vector<std::size_t> members) {
  std::stable_sort(members.begin(), members.end(),
                   [&](std::size_t a, std::size_t b) { return cells[a].repeat < cells[b].repeat; });
  Block block;
  std::map<std::pair<Index, std::size_t>, std::size_t> path_jobs;  // repeat and solver group -> job
  for (const std::size_t cell : members) {
    const Cell& place = cells[cell];
    if (is_path_variant(experiment.variants[place.variant])) {
      const auto [position, is_new] =
          path_jobs.emplace(std::pair(place.repeat, groups[place.variant].solver), block.size());
      if (!is_new) {
        block[position->second].cells.push_back(cell);
        continue;
      }
    }
    block.push_back({.cells = {cell}});
  }
  for (Job& job : block) {
    std::stable_sort(job.cells.begin(), job.cells.end(), [&](std::size_t a, std::size_t b) {
      return experiment.variants[cells[a].variant].cardinality <
             experiment.variants[cells[b].variant].cardinality;
    });
  }
  return block;
}

/// Counts the waiting repeats of each data group, which decide how that group is divided.
std::map<std::size_t, Index> count_repeats(const std::vector<Cell>& cells,
                                           const std::vector<std::size_t>& pending,
                                           const std::vector<VariantGroups>& groups) {
  std::map<std::size_t, std::set<Index>> repeats;
  for (const std::size_t cell : pending) {
    repeats[groups[cells[cell].variant].data].insert(cells[cell].repeat);
  }
  std::map<std::size_t, Index> counts;
  for (const auto& [group, found] : repeats) {
    counts[group] = static_cast<Index>(found.size());
  }
  return counts;
}

}  // namespace

bool runs_alone(const Block& block, const Experiment& experiment, const std::vector<Cell>& cells) {
  return experiment.variants[cells[block.front().cells.front()].variant].alone;
}

bool is_path_variant(const Variant& variant) {
  const Traits& traits = variant.solver->traits;
  return traits.path && !traits.seeded && traits.rule == SparsityRule::kCardinality &&
         variant.components == 1 && variant.cardinality.size() == 1;
}

std::vector<std::vector<std::size_t>> cells_solved_at_once(const Experiment& experiment,
                                                           const std::vector<Cell>& cells,
                                                           const std::vector<std::size_t>& wanted) {
  const std::vector<VariantGroups> groups = group_variants(experiment.variants);
  std::vector<std::vector<std::size_t>> units;
  std::map<std::pair<std::size_t, Index>, std::size_t> paths;  // solver group, repeat -> unit
  for (const std::size_t cell : wanted) {
    const std::size_t variant = cells[cell].variant;
    std::size_t unit = units.size();
    if (is_path_variant(experiment.variants[variant])) {
      unit =
          paths.emplace(std::pair(groups[variant].solver, cells[cell].repeat), unit).first->second;
    }
    if (unit == units.size()) {
      units.emplace_back();
    }
    units[unit].push_back(cell);
  }
  return units;
}

std::vector<Block> make_blocks(const Experiment& experiment, const std::vector<Cell>& cells,
                               const std::vector<std::size_t>& pending, int jobs) {
  /// Number of blocks of a data group that are wanted for each child, so that the others wait at
  /// most about a quarter of their time for the last one.
  constexpr Index kBlocksOfAChild = 4;
  const std::vector<VariantGroups> groups = group_variants(experiment.variants);
  const std::map<std::size_t, Index> repeats = count_repeats(cells, pending, groups);
  // Key: data group, range of repeats, solver group. A part that does not divide the group is 0.
  std::map<std::tuple<std::size_t, Index, std::size_t>, std::vector<std::size_t>> members;
  for (const std::size_t cell : pending) {
    const Cell& place = cells[cell];
    const VariantGroups& group = groups[place.variant];
    const Index wanted = kBlocksOfAChild * jobs;
    const Index count = repeats.at(group.data);
    if (!experiment.variants[place.variant].dataset->traits.generated) {
      members[{group.data, 0, group.solver}].push_back(cell);
    } else if (count < wanted) {
      members[{group.data, place.repeat, group.solver}].push_back(cell);
    } else {
      const Index size = std::clamp<Index>(count / wanted, 1, kRepeatsOfABlock);
      members[{group.data, place.repeat / size, 0}].push_back(cell);
    }
  }
  std::vector<Block> blocks;
  blocks.reserve(members.size());
  for (auto& [place, block] : members) {
    blocks.push_back(to_jobs(experiment, cells, groups, std::move(block)));
  }
  std::stable_partition(blocks.begin(), blocks.end(),
                        [&](const Block& block) { return !runs_alone(block, experiment, cells); });
  return blocks;
}

std::vector<Block> make_measuring_blocks(const Experiment& experiment,
                                         const std::vector<Cell>& cells,
                                         const std::vector<std::size_t>& stale, int jobs) {
  std::vector<Block> blocks = make_blocks(experiment, cells, stale, jobs);
  for (Block& block : blocks) {
    Block single;
    for (const Job& job : block) {
      for (const std::size_t cell : job.cells) {
        single.push_back({.cells = {cell}, .only_measures = true});
      }
    }
    block = std::move(single);
  }
  return blocks;
}

}  // namespace spca
