#include "harness/runs/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "harness/cells/runner_schedule.h"
#include "harness/experiments/experiment_identity.h"

namespace spca {
namespace {

/// Cells that are solved together.
struct Unit {
  std::vector<std::size_t> cells;
  std::uint64_t digest = 0;  // of the cells, independent of their order
  std::string labels;        // distinguishes the same cell under other labels
};

std::vector<Unit> make_units(const Experiment& experiment, const std::vector<Cell>& cells) {
  std::vector<std::size_t> all(cells.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<Unit> units;
  for (std::vector<std::size_t>& members : cells_solved_at_once(experiment, cells, all)) {
    Unit& unit = units.emplace_back();
    for (const std::size_t cell : members) {
      unit.digest += solver_seed(experiment, cells[cell]);
      unit.labels =
          std::max(unit.labels, identity_text(labels_of(experiment.variants[cells[cell].variant])));
    }
    unit.cells = std::move(members);
  }
  return units;
}

}  // namespace

std::string shard_text(const Shard& shard) { return fmt::format("{}/{}", shard.index, shard.of); }

Shard parse_shard(const std::string& text) {
  Shard shard;
  const char* end = text.data() + text.size();
  const auto [slash, error] = std::from_chars(text.data(), end, shard.index);
  bool is_one = error == std::errc() && slash != end && *slash == '/';
  if (is_one) {
    const auto [stop, wrong] = std::from_chars(slash + 1, end, shard.of);
    is_one = wrong == std::errc() && stop == end && shard.index >= 1 && shard.index <= shard.of;
  }
  if (!is_one) {
    throw InputError(
        fmt::format("--shard: found \"{}\"; accepted: i/n with 1 <= i <= n, such as 2/3", text));
  }
  return shard;
}

std::vector<Cell> cells_of_shard(const Experiment& experiment, const Shard& shard) {
  std::vector<Cell> cells = experiment.cells();
  if (shard.of == 1) {
    return cells;
  }
  std::vector<Unit> units = make_units(experiment, cells);
  // The largest units first, each to the shard with the fewest cells so far.
  std::sort(units.begin(), units.end(), [](const Unit& a, const Unit& b) {
    return std::tuple(b.cells.size(), a.digest, a.labels) <
           std::tuple(a.cells.size(), b.digest, b.labels);
  });
  std::set<std::pair<std::size_t, std::size_t>> loads;  // number of cells, shard
  for (std::size_t i = 1; i <= std::min(shard.of, units.size()); ++i) {
    loads.emplace(0, i);
  }
  std::vector<std::size_t> mine;
  for (const Unit& unit : units) {
    const auto [load, index] = *loads.begin();
    loads.erase(loads.begin());
    loads.emplace(load + unit.cells.size(), index);
    if (index == shard.index) {
      mine.insert(mine.end(), unit.cells.begin(), unit.cells.end());
    }
  }
  std::sort(mine.begin(), mine.end());
  std::vector<Cell> part;
  part.reserve(mine.size());
  for (const std::size_t cell : mine) {
    part.push_back(cells[cell]);
  }
  return part;
}

}  // namespace spca
