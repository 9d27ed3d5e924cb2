#include "harness/experiments/experiment_expand.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/experiments/experiment_document.h"
#include "harness/experiments/experiment_entries.h"
#include "harness/experiments/experiment_match.h"
#include "harness/experiments/option_grid.h"
#include "harness/experiments/solver_choice.h"
#include "harness/peers/peer.h"
#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/covariance/deflation.h"
#include "spca/measure/metrics.h"
#include "spca/measure/solver_laws.h"

namespace spca {
namespace {

std::vector<const DeflationEntry*> read_deflations(const JsonNode& grid) {
  std::vector<const DeflationEntry*> deflations;
  const std::optional<JsonNode> list = grid.find("deflations");
  for (const JsonNode& node : list ? list->elements() : std::vector<JsonNode>()) {
    const DeflationEntry& entry = registered<DeflationEntry>(node, node.word());
    if (std::find(deflations.begin(), deflations.end(), &entry) != deflations.end()) {
      node.fail("each deflation once");
    }
    deflations.push_back(&entry);
  }
  return deflations;
}

std::vector<std::string> read_metrics(const JsonNode& grid) {
  std::vector<std::string> metrics;
  if (const std::optional<JsonNode> list = grid.find("metrics")) {
    for (const JsonNode& node : list->elements()) {
      metrics.push_back(registered<MetricEntry>(node, node.word()).name);
      if (std::count(metrics.begin(), metrics.end(), metrics.back()) > 1) {
        node.fail("each metric once");
      }
    }
    return metrics;
  }
  for (const auto& [name, entry] : MetricRegistry::instance().entries()) {
    if (entry.traits.by_default) {
      metrics.push_back(name);
    }
  }
  return metrics;
}

/// Reads the number of components, at most kMostComponents. Whether it exceeds p is known only when
/// the data are read. The cardinalities are written out for each component before that, and a
/// mistyped digit must not exhaust the memory.
Index read_components(const JsonNode& node) {
  const Index components = node.whole(1);
  if (components > kMostComponents) {
    node.fail(fmt::format("a whole number from 1 to {}, and at most p", kMostComponents));
  }
  return components;
}

Index read_ranks(const JsonNode& grid) {
  const std::optional<JsonNode> node = grid.find("ranks");
  if (!node) {
    return 0;
  }
  const Index ranks = node->whole(1);
  if (ranks > kMostRanks) {
    node->fail(fmt::format("a whole number from 1 to {}", kMostRanks));
  }
  return ranks;
}

/// A checked range of whole numbers >= 1.
struct CardinalityRange {
  Index from, to, step;
  Index count() const { return (to - from) / step + 1; }
};

CardinalityRange read_cardinality_range(const JsonNode& node) {
  node.accept_keys({"from", "to", "step"});
  const Index from = node.at("from").whole(1);
  const std::optional<JsonNode> step = node.find("step");
  return {.from = from, .to = node.at("to").whole(from), .step = step ? step->whole(1) : 1};
}

std::vector<Index> read_one_each(const JsonNode& node, Index components) {
  std::vector<Index> one_each;
  for (const JsonNode& element : node.elements()) {
    one_each.push_back(element.whole(1));
  }
  if (components > 0 && static_cast<Index>(one_each.size()) != components) {
    node.fail(fmt::format("{} whole numbers, one a component", components));
  }
  return one_each;
}

}  // namespace

std::vector<std::vector<Index>> read_cardinalities(const JsonNode& node, Index components,
                                                   Index max_count) {
  std::vector<std::vector<Index>> all;
  std::set<std::vector<Index>> seen;
  const std::size_t length = static_cast<std::size_t>(std::max<Index>(components, 1));
  const auto add = [&](const JsonNode& element, std::vector<Index> cardinality) {
    if (!seen.insert(cardinality).second) {
      element.fail("each cardinality once");
    }
    all.push_back(std::move(cardinality));
  };
  for (const JsonNode& element :
       node.json().is_number() ? std::vector<JsonNode>{node} : node.elements()) {
    if (element.json().is_array()) {
      add(element, read_one_each(element, components));
    } else if (!element.json().is_object()) {
      add(element, std::vector<Index>(length, element.whole(1)));
    } else {
      const CardinalityRange range = read_cardinality_range(element);
      if (saturated_sum(range.count(), std::ssize(all)) > max_count) {
        element.source().fail(element.pointer(),
                              fmt::format("found {} cardinalities; accepted: at most {}, {}",
                                          range.count(), max_count, kHowToRaiseTheLimit));
      }
      for (Index i = 0; i < range.count(); ++i) {
        add(element, std::vector<Index>(length, range.from + i * range.step));
      }
    }
  }
  return all;
}

namespace {

/// The combinations that an "exclude" of the document or of a grid removes.
struct Exclusion {
  CellMatch match;
  JsonNode node;
  bool is_used = false;
};

std::vector<Exclusion> read_exclusions(const JsonNode& node, const std::vector<std::string>& keys) {
  std::vector<Exclusion> exclusions;
  const std::optional<JsonNode> list = node.find("exclude");
  for (const JsonNode& element : list ? list->elements() : std::vector<JsonNode>()) {
    element.accept_keys(keys);
    // Throws if the object is empty: an empty match would exclude everything.
    element.members();
    exclusions.push_back({.match = read_match(element), .node = element});
  }
  return exclusions;
}

/// The lists of one grid, before they are crossed.
struct Grid {
  Variant common;
  std::vector<Named<DatasetEntry>> datasets;
  std::vector<Named<SolverEntry>> solvers;
  std::vector<const DeflationEntry*> deflations;
  std::vector<std::vector<Index>> cardinalities;
  std::vector<std::string> zip;  // keys of the lists that are taken together
  std::vector<Exclusion> exclusions;

  bool is_zipped(const std::string& key) const {
    return std::find(zip.begin(), zip.end(), key) != zip.end();
  }
};

/// Returns the deflations for a solver. A solver that takes all components at once needs none, and
/// neither does a solver of one component.
std::vector<const DeflationEntry*> deflations_for(const SolverEntry& solver, const Grid& grid) {
  const bool needs_one = grid.common.components > 1 && !solver.traits.multiple_components;
  return needs_one ? grid.deflations : std::vector<const DeflationEntry*>{nullptr};
}

void read_zip(const JsonNode& node, Grid& grid) {
  const std::optional<JsonNode> zip = node.find("zip");
  if (!zip) {
    return;
  }
  const std::map<std::string, std::size_t> lengths = {{"datasets", grid.datasets.size()},
                                                      {"solvers", grid.solvers.size()},
                                                      {"cardinality", grid.cardinalities.size()}};
  for (const JsonNode& element : zip->elements()) {
    const std::string key = element.choice({"datasets", "solvers", "cardinality"});
    if (grid.is_zipped(key)) {
      element.fail("each list once");
    }
    grid.zip.push_back(key);
    if (lengths.at(key) != lengths.at(grid.zip.front())) {
      element.source().fail(
          element.pointer(),
          fmt::format(
              "found {} elements, and \"{}\" has {}; accepted in a zip: lists of one length",
              lengths.at(key), grid.zip.front(), lengths.at(grid.zip.front())));
    }
  }
  if (grid.zip.size() < 2) {
    zip->fail("at least two of datasets, solvers, cardinality");
  }
}

Grid read_grid(const std::string& name, const JsonNode& node, Index max_count,
               std::vector<JsonNode>& unused) {
  node.accept_keys(grid_keys());
  node.word_or("title", name);
  Grid grid;
  grid.common.grid = name;
  const std::optional<JsonNode> components = node.find("components");
  const std::optional<JsonNode> repeats = node.find("repeats");
  const std::optional<JsonNode> penalty = node.find("penalty");
  grid.common.components = components ? read_components(*components) : 1;
  grid.common.repeats = repeats ? repeats->whole(1) : 1;
  grid.common.penalty = penalty ? penalty->number(0) : kNotMeasured;
  const std::optional<JsonNode> trace = node.find("trace");
  grid.common.trace = trace && trace->truth();
  const std::optional<JsonNode> alone = node.find("alone");
  grid.common.alone = alone && alone->truth();
  const std::optional<JsonNode> may_time_out = node.find("may_time_out");
  grid.common.may_time_out = may_time_out && may_time_out->truth();
  if (const std::optional<JsonNode> limit = node.find("time_limit")) {
    grid.common.time_limit = limit->number(0);
  }
  grid.common.ranks = read_ranks(node);
  grid.common.metrics = read_metrics(node);
  grid.datasets = read_datasets(node, max_count, unused);
  grid.solvers = read_solvers(node, max_count, unused);
  grid.deflations = read_deflations(node);
  grid.cardinalities =
      read_cardinalities(node.at("cardinality"), grid.common.components, max_count);
  read_zip(node, grid);
  std::vector<std::string> keys = match_keys();
  std::erase(keys, "grid");
  grid.exclusions = read_exclusions(node, keys);
  for (const Named<SolverEntry>& solver : grid.solvers) {
    if (grid.common.ranks > 0 && is_peer_name(solver.entry->name)) {
      node.at("ranks").fail(
          fmt::format("no \"ranks\" beside {}: a peer is another program", solver.entry->name));
    }
    if (deflations_for(*solver.entry, grid).empty()) {
      node.source().fail(
          node.pointer(),
          fmt::format("found no \"deflations\", and {} finds one component at a "
                      "time; accepted: a list of {}",
                      solver.entry->name, join(DeflationRegistry::instance().names())));
    }
  }
  return grid;
}

/// A part of a list.
struct Part {
  std::size_t begin, end;
};

/// Returns the whole list with this key. If both lists are zipped, returns the one element that
/// belongs to element `at` of an earlier list.
Part part_of(const Grid& grid, const std::string& key, std::size_t length,
             const std::string& earlier, std::size_t at) {
  return grid.is_zipped(key) && grid.is_zipped(earlier) ? Part{at, at + 1} : Part{0, length};
}

/// Generates the variants of one grid in the order of the file, data sets slowest and cardinalities
/// fastest, and counts them before any is excluded.
class Crossing {
 public:
  explicit Crossing(const Grid& grid) : grid_(grid) {}

  Index count() const {
    Index solves = 0;  // number of solvers with their deflations
    for (const Named<SolverEntry>& solver : grid_.solvers) {
      solves += std::ssize(deflations_for(*solver.entry, grid_));
    }
    const bool zips_cardinality = grid_.is_zipped("cardinality");
    const bool zips_both = grid_.is_zipped("datasets") && grid_.is_zipped("solvers");
    // A zipped list adds no factor: its elements are paired with those of the other lists.
    const Index pairs = zips_both ? solves : saturated_product(std::ssize(grid_.datasets), solves);
    return zips_cardinality ? pairs : saturated_product(pairs, std::ssize(grid_.cardinalities));
  }

  std::string factors() const {
    return fmt::format(
        "{} datasets x {} solvers{} x {} cardinalities x {} repeats{}", grid_.datasets.size(),
        grid_.solvers.size(),
        grid_.deflations.size() > 1 ? fmt::format(" x up to {} deflations", grid_.deflations.size())
                                    : "",
        grid_.cardinalities.size(), grid_.common.repeats,
        grid_.zip.empty() ? "" : fmt::format(", {} zipped", join(grid_.zip, " and ")));
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t d = 0; d < grid_.datasets.size(); ++d) {
      const Part solvers = part_of(grid_, "solvers", grid_.solvers.size(), "datasets", d);
      for (std::size_t s = solvers.begin; s < solvers.end; ++s) {
        const bool follows_dataset = grid_.is_zipped("datasets");
        const Part cardinalities =
            part_of(grid_, "cardinality", grid_.cardinalities.size(),
                    follows_dataset ? "datasets" : "solvers", follows_dataset ? d : s);
        for (const DeflationEntry* deflation : deflations_for(*grid_.solvers[s].entry, grid_)) {
          for (std::size_t c = cardinalities.begin; c < cardinalities.end; ++c) {
            visit(variant(grid_.datasets[d], grid_.solvers[s], deflation, grid_.cardinalities[c]));
          }
        }
      }
    }
  }

 private:
  Variant variant(const Named<DatasetEntry>& dataset, const Named<SolverEntry>& solver,
                  const DeflationEntry* deflation, const std::vector<Index>& cardinality) const {
    Variant variant = grid_.common;
    variant.dataset = dataset.entry;
    variant.dataset_label = dataset.label;
    variant.dataset_options = dataset.options;
    variant.solver = solver.entry;
    variant.solver_label = solver.label;
    variant.solver_options = solver.options;
    variant.cardinality = cardinality;
    variant.tune = solver.tune;
    variant.joined = solver.joined;
    variant.deflation = deflation;
    return variant;
  }

  const Grid& grid_;
};

/// Expands the grids of a document one after the other, with one limit for all.
class Expander {
 public:
  Expander(const JsonNode& document, const ExpansionLimits& limits)
      : max_count_(limits.maximum_cells), repeats_(limits.repeats) {
    for (const std::string& name : limits.also) {
      if (std::count(limits.also.begin(), limits.also.end(), name) > 1) {
        throw InputError(fmt::format("--also: found {} twice; accepted: once", printable(name)));
      }
    }
    for (const SolverChoice& solver : chosen_solvers(limits.also, "--also")) {
      joining_.push_back(joining_solver(solver));
    }
    if (const std::optional<JsonNode> limit = document.find("maximum_cells")) {
      const Index written = limit->whole(1);
      // The command line overrides the document.
      max_count_ = max_count_ ? max_count_ : written;
    }
    exclusions_ = read_exclusions(document, match_keys());
  }

  void add(const std::string& name, const JsonNode& node) {
    Grid grid = read_grid(name, node, max_count(), expansion_.unused);
    if (repeats_) {
      grid.common.repeats = *repeats_;
    }
    add_joining(grid);
    const Crossing crossing(grid);
    const bool excludes = !grid.exclusions.empty() || !exclusions_.empty();
    const Index count = saturated_product(crossing.count(), grid.common.repeats);
    // Examining an excluded combination takes time as well, so there is a limit on
    // combinations too.
    if (!excludes) {
      check(node, crossing, count, max_count(), "cells");
    } else {
      check(node, crossing, crossing.count(), saturated_product(max_count(), kCombinationsPerCell),
            "combinations before exclusions");
    }
    const std::size_t before = expansion_.variants.size();
    crossing.for_each([&](Variant variant) {
      if (!is_excluded(variant, grid.exclusions)) {
        check(node, crossing, grid.common.repeats, max_count(), "cells or more");
        cells_ += grid.common.repeats;
        expansion_.variants.push_back(std::move(variant));
      }
    });
    if (expansion_.variants.size() == before) {
      node.source().fail(
          node.pointer(),
          fmt::format("found \"exclude\" to leave none of {} combinations; accepted: at least one",
                      count_text(crossing.count())));
    }
    note_unused(grid.exclusions);
  }

  Expansion release() {
    note_unused(exclusions_);
    for (const Joining& joining : joining_) {
      if (!joining.has_grid) {
        throw InputError(fmt::format(
            "--also: found {}, which no grid takes; accepted: a solver that is not in every grid "
            "and finds their components (grids with \"zip\" of solvers take none)",
            joining.solver.label));
      }
    }
    return std::move(expansion_);
  }

 private:
  /// A solver of `--also`.
  struct Joining {
    Named<SolverEntry> solver;
    bool has_grid = false;
  };

  static Joining joining_solver(const SolverChoice& solver) {
    require_known_laws(*solver.entry);
    return {.solver = {.entry = solver.entry,
                       .label = solver.label,
                       .options = solver.entry->complete_options(solver.options, "--also"),
                       .joined = true}};
  }

  /// Adds the solvers of `--also` that the grid takes.
  void add_joining(Grid& grid) {
    for (Joining& joining : joining_) {
      const Named<SolverEntry>& solver = joining.solver;
      const bool is_present =
          std::any_of(grid.solvers.begin(), grid.solvers.end(), [&](const auto& other) {
            return other.entry == solver.entry && other.options == solver.options;
          });
      const bool is_takeable = !grid.is_zipped("solvers") &&
                               !deflations_for(*solver.entry, grid).empty() &&
                               !(grid.common.ranks > 0 && is_peer_name(solver.entry->name));
      if (is_present || !is_takeable) {
        continue;
      }
      if (std::any_of(grid.solvers.begin(), grid.solvers.end(),
                      [&](const auto& other) { return other.label == solver.label; })) {
        throw InputError(fmt::format(
            "--also: found \"{}\", a label that grid {} has already; accepted: another name",
            solver.label, grid.common.grid));
      }
      grid.solvers.push_back(solver);
      joining.has_grid = true;
    }
  }

  Index max_count() const { return max_count_.value_or(kDefaultMaximumCells); }

  void check(const JsonNode& node, const Crossing& crossing, Index more, Index limit,
             const char* what) const {
    if (saturated_sum(cells_, more) > limit) {
      node.source().fail(
          node.pointer(),
          fmt::format("found {} {} ({}{}); accepted: at most {} in all, {}",
                      count_text(saturated_sum(cells_, more)), what, crossing.factors(),
                      cells_ > 0 ? fmt::format(", after {} of the grids before", cells_) : "",
                      limit, kHowToRaiseTheLimit));
    }
  }

  bool is_excluded(const Variant& variant, std::vector<Exclusion>& of_grid) {
    bool excluded = false;
    for (std::vector<Exclusion>* exclusions : {&of_grid, &exclusions_}) {
      for (Exclusion& exclusion : *exclusions) {
        const bool matches = exclusion.match.matches(variant);
        // All exclusions are evaluated, not only those up to the first match, to find out which
        // exclusions never match.
        exclusion.is_used = exclusion.is_used || matches;
        excluded = excluded || matches;
      }
    }
    return excluded;
  }

  void note_unused(const std::vector<Exclusion>& exclusions) {
    for (const Exclusion& exclusion : exclusions) {
      if (!exclusion.is_used) {
        expansion_.unused.push_back(exclusion.node);
      }
    }
  }

  std::optional<Index> max_count_;
  std::optional<Index> repeats_;
  std::vector<Exclusion> exclusions_;  // exclusions of the document
  std::vector<Joining> joining_;
  Index cells_ = 0;
  Expansion expansion_;
};

}  // namespace

Expansion expand_grids(const JsonNode& document, const ExpansionLimits& limits) {
  Expander expander(document, limits);
  for (const auto& [name, node] : document.at("grids").members()) {
    expander.add(name, node);
  }
  return expander.release();
}

}  // namespace spca
