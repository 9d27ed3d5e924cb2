#include "harness/submissions/task_chunks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "harness/cells/runner_schedule.h"
#include "harness/records/median.h"

namespace spca {
namespace {

/// The load of each chunk, least first.
class Loads {
 public:
  explicit Loads(std::size_t count) : seconds_(count, 0.0), units_(count, 0) {
    for (std::size_t chunk = 0; chunk < count; ++chunk) {
      order_.emplace(0.0, 0, chunk);
    }
  }
  std::size_t least() const { return std::get<2>(*order_.begin()); }
  double seconds(std::size_t chunk) const { return seconds_[chunk]; }
  double largest() const { return *std::max_element(seconds_.begin(), seconds_.end()); }
  void add(std::size_t chunk, double seconds) {
    order_.erase({seconds_[chunk], units_[chunk], chunk});
    seconds_[chunk] += seconds;
    order_.emplace(seconds_[chunk], ++units_[chunk], chunk);
  }

 private:
  std::vector<double> seconds_;
  std::vector<std::size_t> units_;
  // Seconds, units, chunk. The number of units spreads units that take no time.
  std::set<std::tuple<double, std::size_t, std::size_t>> order_;
};

struct Assignment {
  std::vector<std::size_t> chunks;
  double longest = 0;
  std::size_t used = 0;  // number of chunks that are not empty
};

Assignment make_assignment(std::vector<std::size_t> chunks, const Loads& loads) {
  const std::set<std::size_t> used(chunks.begin(), chunks.end());
  return {.chunks = std::move(chunks), .longest = loads.largest(), .used = used.size()};
}

Assignment longest_first(const std::vector<WorkUnit>& units, std::size_t count) {
  std::vector<std::size_t> order(units.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return units[a].seconds > units[b].seconds;
  });
  Loads loads(count);
  std::vector<std::size_t> chunks(units.size());
  for (const std::size_t unit : order) {
    chunks[unit] = loads.least();
    loads.add(chunks[unit], units[unit].seconds);
  }
  return make_assignment(std::move(chunks), loads);
}

/// Returns the units by data set, most work first, and within a data set the longest unit first.
std::vector<std::size_t> by_data(const std::vector<WorkUnit>& units) {
  std::map<std::size_t, double> totals;
  for (const WorkUnit& unit : units) {
    totals[unit.data] += unit.seconds;
  }
  std::vector<std::size_t> order(units.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [&](std::size_t unit) {
    return std::tuple(-totals.at(units[unit].data), units[unit].data, -units[unit].seconds);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  return order;
}

/// Fills chunks up to `max_seconds`, data set by data set. Returns nothing if that does not fit.
std::optional<Assignment> together(const std::vector<WorkUnit>& units, std::size_t count,
                                   double max_seconds) {
  constexpr double kRounding = 1e-12;  // the units are added in another order
  Loads loads(count);
  std::vector<std::size_t> chunks(units.size());
  std::optional<std::size_t> current;
  std::size_t data = 0;
  for (const std::size_t unit : by_data(units)) {
    const auto fits = [&](std::size_t chunk) {
      return loads.seconds(chunk) + units[unit].seconds <= (1 + kRounding) * max_seconds;
    };
    if (!current || units[unit].data != data || !fits(*current)) {
      current = loads.least();
    }
    if (!fits(*current)) {
      return std::nullopt;
    }
    data = units[unit].data;
    chunks[unit] = *current;
    loads.add(*current, units[unit].seconds);
  }
  return make_assignment(std::move(chunks), loads);
}

/// Returns the known or guessed time of each cell of `wanted`.
std::vector<double> known_seconds(const Experiment& experiment, const RunPlan& plan,
                                  const std::vector<std::size_t>& wanted) {
  std::map<const SolverEntry*, std::vector<double>> of_solver;
  std::vector<double> all;
  for (const std::size_t cell : wanted) {
    const double seconds = plan.planned[cell].predicted_seconds;
    if (std::isfinite(seconds)) {
      of_solver[experiment.variants[plan.cells[cell].variant].solver].push_back(seconds);
      all.push_back(seconds);
    }
  }
  std::map<const SolverEntry*, double> medians;
  for (const auto& [solver, seconds] : of_solver) {
    medians[solver] = median_of(seconds);
  }
  const double otherwise = all.empty() ? 1 : median_of(all);
  std::vector<double> known;
  known.reserve(wanted.size());
  for (const std::size_t cell : wanted) {
    const auto of_its = medians.find(experiment.variants[plan.cells[cell].variant].solver);
    const double seconds = plan.planned[cell].predicted_seconds;
    known.push_back(std::isfinite(seconds)    ? seconds
                    : of_its != medians.end() ? of_its->second
                                              : otherwise);
  }
  return known;
}

}  // namespace

std::vector<std::size_t> assign_to_chunks(const std::vector<WorkUnit>& units, std::size_t count) {
  Assignment balanced = longest_first(units, count);
  std::optional<Assignment> kept = together(units, count, balanced.longest);
  return kept && kept->used == balanced.used ? std::move(kept->chunks) : std::move(balanced.chunks);
}

std::vector<CellChunk> divide_by_time(const Experiment& experiment, const RunPlan& plan,
                                      const std::vector<std::size_t>& wanted, std::size_t count) {
  const std::vector<double> known = known_seconds(experiment, plan, wanted);
  std::map<std::size_t, double> seconds;  // cell -> time
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    seconds[wanted[i]] = known[i];
  }
  const std::vector<VariantGroups> groups = group_variants(experiment.variants);
  const std::vector<std::vector<std::size_t>> members =
      cells_solved_at_once(experiment, plan.cells, wanted);
  std::vector<WorkUnit> units;
  for (const std::vector<std::size_t>& cells : members) {
    WorkUnit unit{.data = groups[plan.cells[cells.front()].variant].data, .seconds = 0};
    for (const std::size_t cell : cells) {
      unit.seconds = std::max(unit.seconds, seconds.at(cell));
    }
    units.push_back(unit);
  }
  const std::vector<std::size_t> assigned = assign_to_chunks(units, count);
  std::vector<CellChunk> chunks(count);
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    CellChunk& chunk = chunks[assigned[unit]];
    chunk.cells.insert(chunk.cells.end(), members[unit].begin(), members[unit].end());
    chunk.predicted_seconds += units[unit].seconds;
  }
  std::erase_if(chunks, [](const CellChunk& chunk) { return chunk.cells.empty(); });
  for (CellChunk& chunk : chunks) {
    std::sort(chunk.cells.begin(), chunk.cells.end());
    chunk.unpredicted = static_cast<std::size_t>(std::count_if(
        chunk.cells.begin(), chunk.cells.end(),
        [&](std::size_t cell) { return !std::isfinite(plan.planned[cell].predicted_seconds); }));
  }
  return chunks;
}

}  // namespace spca
