/// Grids of an experiment's JSON to variants.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "spca/deflation.h"
#include "spca/error.h"
#include "spca/experiment_reader.h"

namespace spca {
namespace {

/// A data set or a solver as a grid names it.
template <class Entry>
struct Named {
  const Entry* entry = nullptr;
  std::string label;
  Json options;  // complete
  bool tune = true;
};

bool is_glob(const std::string& word) { return word.find_first_of("*?") != std::string::npos; }

template <class Entry>
const Entry& registered(const JsonNode& node, const std::string& name) {
  return node.source().located(node.pointer(), [&]() -> const Entry& {
    return Registry<Entry>::instance().get(name, node.pointer());
  });
}

/// {"name", "label", "options"} or a word.
template <class Entry>
Named<Entry> read_named(const JsonNode& node, const Entry& entry) {
  Named<Entry> named;
  named.entry = &entry;
  named.label = entry.name;
  const std::optional<JsonNode> options =
      node.json().is_object() ? node.find("options") : std::nullopt;
  const std::string pointer = options ? options->pointer() : node.pointer();
  const Json given = options ? options->json() : Json::object();
  named.options =
      node.source().located(pointer, [&] { return entry.complete_options(given, pointer); });
  if (node.json().is_object()) {
    named.label = node.word_or("label", entry.name);
  }
  return named;
}

std::string name_of(const JsonNode& node) {
  if (node.json().is_string()) {
    return node.word();
  }
  node.accept_keys({"name", "label", "options"});
  return node.at("name").word();
}

template <class Entry>
void refuse_second_label(const JsonNode& node, const std::vector<Named<Entry>>& all) {
  std::set<std::string> labels;
  for (const Named<Entry>& named : all) {
    if (!labels.insert(named.label).second) {
      node.source().fail(node.pointer(),
                         fmt::format("found the label \"{}\" twice; accepted: a label for each {}, "
                                     "unique within its grid",
                                     named.label, Entry::kKind));
    }
  }
}

std::vector<Named<DatasetEntry>> read_datasets(const JsonNode& grid) {
  std::vector<Named<DatasetEntry>> all;
  const JsonNode list = grid.at("datasets");
  for (const JsonNode& node : list.elements()) {
    all.push_back(read_named(node, registered<DatasetEntry>(node, name_of(node))));
    refuse_second_label(node, all);
  }
  return all;
}

/// The registered solvers that a word or a glob stands for. Whatever is excluded is taken from
/// globs only: a solver that is named stays.
std::vector<const SolverEntry*> solvers_behind(const JsonNode& node, const std::string& name,
                                               const std::vector<std::string>& excluded) {
  if (!is_glob(name)) {
    return {&registered<SolverEntry>(node, name)};
  }
  const auto is_excluded = [&](const std::string& solver) {
    return std::any_of(excluded.begin(), excluded.end(),
                       [&](const std::string& glob) { return glob_matches(glob, solver); });
  };
  std::vector<const SolverEntry*> solvers;
  for (const auto& [solver, entry] : SolverRegistry::instance().entries()) {
    if (glob_matches(name, solver) && !is_excluded(solver)) {
      solvers.push_back(&entry);
    }
  }
  if (solvers.empty()) {
    node.fail("a pattern that leaves at least one of " + join(SolverRegistry::instance().names()));
  }
  return solvers;
}

std::vector<std::string> read_excluded(const JsonNode& grid) {
  const std::optional<JsonNode> node = grid.find("exclude_solvers");
  const std::vector<std::string> excluded = grid.words_or_none("exclude_solvers");
  for (const std::string& word : excluded) {
    if (!is_glob(word)) {
      registered<SolverEntry>(*node, word);
    }
  }
  return excluded;
}

std::vector<Named<SolverEntry>> read_solvers(const JsonNode& grid) {
  const std::vector<std::string> excluded = read_excluded(grid);
  std::vector<Named<SolverEntry>> all;
  const JsonNode list = grid.at("solvers");
  for (const JsonNode& node : list.elements()) {
    for (const SolverEntry* entry : solvers_behind(node, name_of(node), excluded)) {
      Named<SolverEntry> named = read_named(node, *entry);
      const std::optional<JsonNode> options =
          node.json().is_object() ? node.find("options") : std::nullopt;
      named.tune = entry->traits.rule != SparsityRule::kPenalty || !options ||
                   !options->json().contains(entry->traits.tuning.option);
      all.push_back(std::move(named));
    }
    refuse_second_label(node, all);
  }
  return all;
}

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

void append_range(const JsonNode& node, std::vector<std::vector<Index>>& all, Index components) {
  node.accept_keys({"from", "to", "step"});
  const Index from = node.at("from").whole(1);
  const Index to = node.at("to").whole(from);
  const std::optional<JsonNode> step = node.find("step");
  for (Index k = from; k <= to; k += step ? step->whole(1) : 1) {
    all.emplace_back(std::max<Index>(components, 1), k);
  }
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

std::vector<std::vector<Index>> read_cardinalities(const JsonNode& node, Index components) {
  std::vector<std::vector<Index>> all;
  for (const JsonNode& element :
       node.json().is_number() ? std::vector<JsonNode>{node} : node.elements()) {
    if (element.json().is_object()) {
      append_range(element, all, components);
    } else if (element.json().is_array()) {
      all.push_back(read_one_each(element, components));
    } else {
      all.emplace_back(std::max<Index>(components, 1), element.whole(1));
    }
    if (std::count(all.begin(), all.end(), all.back()) > 1) {
      element.fail("each cardinality once");
    }
  }
  return all;
}

namespace {

/// One grid's lists, before they are crossed.
struct Grid {
  Variant common;
  std::vector<Named<DatasetEntry>> datasets;
  std::vector<Named<SolverEntry>> solvers;
  std::vector<const DeflationEntry*> deflations;
  std::vector<std::vector<Index>> cardinalities;
};

/// A solver that takes all components at once, or is asked for one, needs no deflation.
std::vector<const DeflationEntry*> deflations_for(const SolverEntry& solver, const Grid& grid) {
  const bool needs_one = grid.common.components > 1 && !solver.traits.multiple_components;
  return needs_one ? grid.deflations : std::vector<const DeflationEntry*>{nullptr};
}

Grid read_grid(const std::string& name, const JsonNode& node) {
  node.accept_keys({"title", "datasets", "solvers", "exclude_solvers", "components", "cardinality",
                    "deflations", "repeats", "metrics", "penalty", "trace"});
  node.word_or("title", name);
  Grid grid;
  grid.common.grid = name;
  const std::optional<JsonNode> components = node.find("components");
  const std::optional<JsonNode> repeats = node.find("repeats");
  const std::optional<JsonNode> penalty = node.find("penalty");
  grid.common.components = components ? components->whole(1) : 1;
  grid.common.repeats = repeats ? repeats->whole(1) : 1;
  grid.common.penalty = penalty ? penalty->number(0) : kNotMeasured;
  const std::optional<JsonNode> trace = node.find("trace");
  grid.common.trace = trace && trace->truth();
  grid.common.metrics = read_metrics(node);
  grid.datasets = read_datasets(node);
  grid.solvers = read_solvers(node);
  grid.deflations = read_deflations(node);
  grid.cardinalities = read_cardinalities(node.at("cardinality"), grid.common.components);
  for (const Named<SolverEntry>& solver : grid.solvers) {
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

void cross(const Grid& grid, std::vector<Variant>& variants) {
  for (const Named<DatasetEntry>& dataset : grid.datasets) {
    for (const Named<SolverEntry>& solver : grid.solvers) {
      for (const DeflationEntry* deflation : deflations_for(*solver.entry, grid)) {
        for (const std::vector<Index>& cardinality : grid.cardinalities) {
          Variant variant = grid.common;
          variant.dataset = dataset.entry;
          variant.dataset_label = dataset.label;
          variant.dataset_options = dataset.options;
          variant.solver = solver.entry;
          variant.solver_label = solver.label;
          variant.solver_options = solver.options;
          variant.cardinality = cardinality;
          variant.tune = solver.tune;
          variant.deflation = deflation;
          variants.push_back(std::move(variant));
        }
      }
    }
  }
}

}  // namespace

std::vector<Variant> expand_grids(const JsonNode& document) {
  std::vector<Variant> variants;
  for (const auto& [name, node] : document.at("grids").members()) {
    cross(read_grid(name, node), variants);
  }
  return variants;
}

}  // namespace spca
