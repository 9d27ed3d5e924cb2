#include "harness/experiments/experiment_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/experiments/experiment.h"
#include "harness/experiments/experiment_document.h"
#include "harness/experiments/experiment_expand.h"
#include "harness/experiments/option_grid.h"
#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/covariance/deflation.h"
#include "spca/io/json_node.h"
#include "spca/measure/metrics.h"

namespace spca {
namespace {

bool any_matches(const std::vector<std::string>& globs, const std::string& text) {
  return globs.empty() || std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
           return glob_matches(glob, text);
         });
}

bool same_cardinality(const std::vector<Index>& wanted, const std::vector<Index>& cardinality) {
  if (wanted.size() == 1) {
    return std::all_of(cardinality.begin(), cardinality.end(),
                       [&](Index k) { return k == wanted.front(); });
  }
  return wanted == cardinality;
}

/// Reads the member `key`, an object whose keys are options of registered plugins. Returns an empty
/// object if the member is missing.
template <class Entry>
Json read_wanted_options(const JsonNode& match, const std::string& key) {
  const std::optional<JsonNode> node = match.find(key);
  if (!node) {
    return Json::object();
  }
  std::set<std::string> options;
  for (const auto& [name, entry] : Registry<Entry>::instance().entries()) {
    for (const Json& option : entry.describe()) {
      options.insert(option["name"].template get<std::string>());
    }
  }
  node->accept_keys({options.begin(), options.end()});
  // Throws if the object is empty, because an empty object would match every cell.
  node->members();
  return node->json();
}

}  // namespace

bool is_glob(std::string_view word) { return word.find_first_of("*?") != std::string_view::npos; }

bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // the last "*" seen
  std::size_t star_end = 0;                   // end of the text that the last "*" covers
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_end = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_end;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool CellMatch::matches(const Variant& variant) const {
  return match_labels(variant.cardinality, variant.grid, variant.dataset_label,
                      variant.solver_label, deflation_name(variant)) &&
         options_match(dataset_options, variant.dataset_options) &&
         options_match(solver_options, variant.solver_options);
}

bool CellMatch::is_about(const Variant& variant) const {
  return !variant.joined && matches(variant);
}

bool CellMatch::matches(const VariantLabels& labels) const {
  return match_labels(labels.cardinality, labels.grid, labels.dataset, labels.solver,
                      labels.deflation);
}

bool CellMatch::match_labels(const std::vector<Index>& cardinality, const std::string& grid,
                             const std::string& dataset, const std::string& solver,
                             const std::string& deflation) const {
  const bool cardinality_matches =
      cardinalities.empty() ||
      std::any_of(cardinalities.begin(), cardinalities.end(),
                  [&](const std::vector<Index>& k) { return same_cardinality(k, cardinality); });
  return cardinality_matches && any_matches(grids, grid) && any_matches(datasets, dataset) &&
         any_matches(solvers, solver) &&
         any_matches(deflations, deflation.empty() ? kNoDeflation : deflation);
}

CellMatch read_match(const JsonNode& node) {
  node.accept_keys(match_keys());
  CellMatch match{.grids = node.words_or_none("grid"),
                  .datasets = node.words_or_none("dataset"),
                  .solvers = node.words_or_none("solver"),
                  .deflations = node.words_or_none("deflation"),
                  .cardinalities = {}};
  if (const std::optional<JsonNode> cardinality = node.find("cardinality")) {
    match.cardinalities = read_cardinalities(*cardinality, 0);
  }
  match.dataset_options = read_wanted_options<DatasetEntry>(node, "dataset_options");
  match.solver_options = read_wanted_options<SolverEntry>(node, "solver_options");
  return match;
}

CellMatch match_or_all(const JsonNode& node) {
  const std::optional<JsonNode> match = node.find("match");
  return match ? read_match(*match) : CellMatch();
}

CellMatch narrowed(CellMatch wide, const JsonNode& narrow) {
  const CellMatch match = read_match(narrow);
  const auto replace = [&](const char* key, auto& from, const auto& by) {
    if (narrow.json().contains(key)) {
      from = by;
    }
  };
  replace("grid", wide.grids, match.grids);
  replace("dataset", wide.datasets, match.datasets);
  replace("solver", wide.solvers, match.solvers);
  replace("deflation", wide.deflations, match.deflations);
  replace("cardinality", wide.cardinalities, match.cardinalities);
  replace("dataset_options", wide.dataset_options, match.dataset_options);
  replace("solver_options", wide.solver_options, match.solver_options);
  return wide;
}

std::string read_metric(const JsonNode& node) {
  const std::string name = node.word();
  return node.source().located(
      node.pointer(), [&] { return MetricRegistry::instance().get(name, node.pointer()).name; });
}

}  // namespace spca
