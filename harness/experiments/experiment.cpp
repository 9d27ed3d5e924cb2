#include "harness/experiments/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "harness/experiments/experiment_claims.h"
#include "harness/experiments/experiment_document.h"
#include "harness/experiments/experiment_expand.h"
#include "harness/experiments/experiment_figures.h"
#include "harness/experiments/experiment_identity.h"
#include "harness/experiments/experiment_match.h"
#include "harness/experiments/experiment_published.h"
#include "harness/experiments/experiment_tables.h"
#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/covariance/deflation.h"
#include "spca/io/resources.h"

namespace spca {
namespace {

const std::string kNameLetters = "abcdefghijklmnopqrstuvwxyz0123456789_";

void check_profiles(const JsonNode& document) {
  document.accept_keys(document_keys());
  const std::optional<JsonNode> profiles = document.find("profiles");
  for (const auto& [name, patch] :
       profiles ? profiles->members() : std::vector<std::pair<std::string, JsonNode>>()) {
    // A profile names a folder, to which the program appends suffixes such as "-seed3".
    if (name.empty() || name.find_first_not_of(kNameLetters) != std::string::npos) {
      profiles->fail(
          fmt::format("names of lower-case letters, digits and _, not \"{}\"", printable(name)));
    }
    std::vector<std::string> keys = profile_keys();
    if (patch.json().is_object()) {
      for (const auto& [key, value] : patch.json().items()) {
        if (key.starts_with("/")) {
          keys.push_back(key);  // a JSON pointer
        }
      }
    }
    patch.accept_keys(keys);
  }
}

void read_head(const JsonNode& document, Experiment& experiment) {
  const JsonNode name = document.at("name");
  experiment.name = name.word();
  const std::string accepted = kNameLetters + "-/";
  if (experiment.name.find_first_not_of(accepted) != std::string::npos ||
      !is_plain_path(experiment.name)) {
    name.fail("lower-case letters, digits, - and _, with one / between a folder and a name");
  }
  experiment.title = document.at("title").word();
  experiment.source = document.word_or("source", "");
  document.word_or("claim", "");
  if (const std::optional<JsonNode> remarks = document.find("remarks")) {
    experiment.remarks = remarks->words();
  }
  document.word_or("$schema", "");
  if (const std::optional<JsonNode> seed = document.find("seed")) {
    experiment.seed = static_cast<std::uint64_t>(seed->whole(0));
  }
  if (const std::optional<JsonNode> limit = document.find("time_limit")) {
    experiment.time_limit = limit->number(0);
  }
  if (const std::optional<JsonNode> limit = document.find("memory_limit")) {
    experiment.memory_limit = limit->number(0);
  }
}

bool matches_any(const CellMatch& match, const std::vector<Variant>& variants) {
  return std::any_of(variants.begin(), variants.end(),
                     [&](const Variant& variant) { return match.is_about(variant); });
}

std::vector<std::string> labels(const std::vector<Variant>& variants,
                                const std::function<std::string(const Variant&)>& label) {
  std::vector<std::string> found;
  std::set<std::string> seen;
  for (const Variant& variant : variants) {
    if (seen.insert(label(variant)).second) {
      found.push_back(label(variant));
    }
  }
  return found;
}

Expansion expand(const SelectedDocument& selected, const ExpansionLimits& limits) {
  return expand_grids(JsonNode(selected.source, selected.json, ""), limits);
}

/// Returns the document under each of its profiles, without the settings of the command line.
std::vector<SelectedDocument> all_profiles(const std::shared_ptr<const JsonText>& text) {
  std::vector<SelectedDocument> all;
  for (const std::string& profile : profile_names(text->json())) {
    all.push_back(select_document(text, profile, {}));
  }
  return all;
}

/// Refuses a match that selects nothing: it would never be judged, and the mistake would stay
/// hidden. A match of another profile's cells is accepted, because a smoke profile runs a part of
/// the cells.
class MatchChecker {
 public:
  MatchChecker(const std::shared_ptr<const JsonText>& text, const std::vector<Variant>& variants)
      : text_(text), variants_(variants) {}

  void check(const JsonNode& node, const CellMatch& match, const std::string& metric) {
    // The other profiles are expanded only if this profile does not match, because expansion takes
    // time.
    if (!matches_any(match, variants_) && !matches_any(match, of_other_profiles())) {
      node.fail(fmt::format("a match of at least one cell: {}", accepted()));
    }
    check_measured(node, match, metric);
  }

  /// Refuses a claim whose two sides make no pair.
  void check(const JsonNode& node, const Claim& claim) {
    const std::string metric = claim.is_fact ? "" : claim.metric;
    check(node.at("left"), claim.left, metric);
    if (claim.right) {
      check(node.at("right"), *claim.right, metric);
    }
    if (claim_pairs(claim, variants_).empty() && claim_pairs(claim, of_other_profiles()).empty()) {
      node.source().fail(
          node.pointer(),
          "found no cell of left with a partner in right; accepted: two of one grid, "
          "data set and cardinality, but for those of the three that left or right "
          "names");
    }
  }

  /// Refuses a published number that selects nothing. `node` is its place in the file.
  void check(const JsonNode& node, const PublishedCell& cell) {
    if (!cell.is_public) {
      return;
    }
    if (!matches_any(cell.match, variants_) && !matches_any(cell.match, of_other_profiles())) {
      node.source().fail(
          node.pointer(),
          fmt::format("found no cell for \"{}\", column \"{}\"; accepted: a match of at least one "
                      "cell, or * behind a number whose data are not public: {}",
                      cell.row, cell.column, accepted()));
    }
    check_measured(node, cell.match, cell.metric);
  }

 private:
  std::string accepted() const {
    return fmt::format("grid {}; dataset {}; solver {}",
                       join(labels(variants_, [](const Variant& v) { return v.grid; })),
                       join(labels(variants_, [](const Variant& v) { return v.dataset_label; })),
                       join(labels(variants_, [](const Variant& v) { return v.solver_label; })));
  }

  /// Refuses a statement about a metric that its cells do not measure: it could never be judged
  /// either.
  void check_measured(const JsonNode& node, const CellMatch& match,
                      const std::string& metric) const {
    for (const Variant& variant : variants_) {
      const bool is_measured =
          metric.empty() || std::find(variant.metrics.begin(), variant.metrics.end(), metric) !=
                                variant.metrics.end();
      if (!is_measured && match.is_about(variant)) {
        node.fail(fmt::format("a match of cells that measure {}; grid {} measures {}", metric,
                              variant.grid, join(variant.metrics)));
      }
    }
  }

  const std::vector<Variant>& of_other_profiles() {
    if (others_.empty()) {
      for (const SelectedDocument& other : all_profiles(text_)) {
        std::vector<Variant> variants = expand(other, {}).variants;
        std::move(variants.begin(), variants.end(), std::back_inserter(others_));
      }
    }
    return others_;
  }

  const std::shared_ptr<const JsonText>& text_;
  const std::vector<Variant>& variants_;
  std::vector<Variant> others_;
};

/// Refuses a second number for a cell and a metric. A number of the paper counts once: it must not
/// be compared with several cells, nor two numbers with one cell.
class OnceChecker {
 public:
  explicit OnceChecker(const std::vector<Variant>& variants) : variants_(variants) {}

  void check(const JsonNode& node, const PublishedCell& cell) {
    if (!cell.is_public || cell.is_of_curve) {
      return;
    }
    const bool counts_once = cell.origin == Origin::kPaper &&
                             (cell.method == Method::kOwn || cell.method == Method::kBaseline);
    if (!counts_once && cell.select == Selection::kBest) {
      return;
    }
    std::size_t count = 0;
    for (const Variant& variant : variants_) {
      if (!cell.match.is_about(variant)) {
        continue;
      }
      ++count;
      // Numbers that do not count are compared within their table: there a second one is a mistake.
      const std::string table = counts_once ? "" : fmt::format("{}", cell.table);
      const auto [first, is_new] =
          seen_.try_emplace({table, &variant, cell.metric}, node.pointer());
      if (!is_new) {
        node.source().fail(
            node.pointer(),
            fmt::format("found a second number for {} and {}, the first is {}; accepted: one{}",
                        cell_name(cell_identity(variant, 0)), cell.metric, first->second,
                        counts_once ? ", the others with \"method\": \"other\"" : ""));
      }
    }
    if (counts_once && cell.select == Selection::kEach && count > 1) {
      node.source().fail(
          node.pointer(),
          fmt::format("found {} cells for one number of \"method\": \"{}\"; accepted: "
                      "a match of one cell, \"select\": \"best\", or \"method\": "
                      "\"other\"",
                      count, method_name(cell.method)));
    }
  }

 private:
  const std::vector<Variant>& variants_;
  std::map<std::tuple<std::string, const Variant*, std::string>, std::string> seen_;
};

/// Refuses an exclusion that matches nothing, which is probably misspelt, unless another profile
/// has cells that it excludes.
void refuse_unused(const std::shared_ptr<const JsonText>& text,
                   const std::vector<JsonNode>& unused) {
  const auto unused_in = [](const std::vector<JsonNode>& nodes, const JsonNode& wanted) {
    return std::any_of(nodes.begin(), nodes.end(), [&](const JsonNode& node) {
      return node.pointer() == wanted.pointer() && node.json() == wanted.json();
    });
  };
  if (unused.empty()) {
    return;
  }
  const std::vector<SelectedDocument> profiles = all_profiles(text);
  std::vector<std::vector<JsonNode>> unused_of_profiles;
  unused_of_profiles.reserve(profiles.size());
  for (const SelectedDocument& profile : profiles) {
    unused_of_profiles.push_back(expand(profile, {}).unused);
  }
  for (const JsonNode& node : unused) {
    bool is_used_elsewhere = false;
    for (std::size_t i = 0; i < profiles.size(); ++i) {
      // A profile may replace the list: only an equal exclusion at the same place counts as this
      // exclusion.
      const Json::json_pointer place(node.pointer());
      is_used_elsewhere = is_used_elsewhere || (profiles[i].json.contains(place) &&
                                                profiles[i].json[place] == node.json() &&
                                                !unused_in(unused_of_profiles[i], node));
    }
    if (!is_used_elsewhere) {
      node.fail("a match of at least one combination");
    }
  }
}

std::vector<JsonNode> elements_of(const JsonNode& document, const std::string& key) {
  const std::optional<JsonNode> list = document.find(key);
  // An empty list in a profile removes all elements.
  return list && !(list->json().is_array() && list->json().empty()) ? list->elements()
                                                                    : std::vector<JsonNode>();
}

void read_published(const JsonNode& document, const std::filesystem::path& data_dir,
                    MatchChecker& checker, Experiment& experiment) {
  OnceChecker once(experiment.variants);
  std::set<std::string> table_names;
  for (const JsonNode& node : elements_of(document, "published")) {
    ReadTable read = read_published_table(node, data_dir);
    if (!table_names.insert(read.table.name).second) {
      node.source().fail(node.pointer() + "/name",
                         fmt::format("found the name \"{}\" twice; accepted: a name of its own for "
                                     "each table",
                                     read.table.name));
    }
    for (std::size_t i = 0; i < read.cells.size(); ++i) {
      PublishedCell& cell = read.cells[i];
      cell.table = experiment.published_tables.size();
      const bool is_first = i == 0 || read.nodes[i - 1].pointer() != read.nodes[i].pointer();
      // A curve may have points without a cell in any grid, but its match must select a cell of
      // some cardinality.
      if (!cell.is_of_curve) {
        checker.check(read.nodes[i], cell);
      } else if (is_first) {
        CellMatch anywhere = cell.match;
        anywhere.cardinalities.clear();
        checker.check(read.nodes[i], anywhere, cell.metric);
      }
      once.check(read.nodes[i], cell);
      if (!cell.is_of_curve || matches_any(cell.match, experiment.variants)) {
        experiment.published.push_back(std::move(cell));
      }
    }
    experiment.published_tables.push_back(std::move(read.table));
  }
}

/// Returns whether a published number of this metric is compared with a cell that the difference
/// matches.
bool is_about_published(const KnownDifference& difference, const Experiment& experiment) {
  return std::any_of(experiment.published.begin(), experiment.published.end(),
                     [&](const PublishedCell& cell) {
                       return cell.metric == difference.metric && cell.is_public &&
                              std::any_of(experiment.variants.begin(), experiment.variants.end(),
                                          [&](const Variant& variant) {
                                            return difference.match.is_about(variant) &&
                                                   cell.match.is_about(variant);
                                          });
                     });
}

/// Refuses an explanation that covers a whole grid: it could never fail. In a grid of one cell
/// nothing narrower is possible.
void refuse_whole_grid(const JsonNode& node, const KnownDifference& difference,
                       const std::vector<Variant>& variants) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> matched_of_grids;
  for (const Variant& variant : variants) {
    auto& [matched, all] = matched_of_grids[variant.grid];
    matched += difference.match.is_about(variant) ? 1 : 0;
    all += variant.joined ? 0 : 1;
  }
  for (const auto& [grid, counts] : matched_of_grids) {
    const auto& [matched, all] = counts;
    if (matched == all && all > 1) {
      node.fail(fmt::format("a match of a part of a grid; this is all of grid {}", grid));
    }
  }
}

void read_known_differences(const JsonNode& document, MatchChecker& checker,
                            Experiment& experiment) {
  for (const JsonNode& node : elements_of(document, "known_differences")) {
    experiment.known_differences.push_back(read_known_difference(node));
    const KnownDifference& difference = experiment.known_differences.back();
    const JsonNode match = node.at("match");
    checker.check(match, difference.match, difference.metric);
    // In a smaller profile, a part of a grid may be all that remains of the grid.
    if (experiment.profile == kFullProfile) {
      refuse_whole_grid(match, difference, experiment.variants);
      if (matches_any(difference.match, experiment.variants) &&
          !is_about_published(difference, experiment)) {
        match.fail(
            fmt::format("a match of a cell with a published number of {}", difference.metric));
      }
    }
  }
}

void read_statements(const JsonNode& document, const std::shared_ptr<const JsonText>& text,
                     const std::filesystem::path& data_dir, Experiment& experiment) {
  MatchChecker checker(text, experiment.variants);
  read_published(document, data_dir, checker, experiment);
  read_known_differences(document, checker, experiment);
  for (const JsonNode& node : elements_of(document, "claims")) {
    experiment.claims.push_back(read_claim(node));
    checker.check(node, experiment.claims.back());
  }
  for (const JsonNode& node : elements_of(document, "tables")) {
    if (is_bound_table(node)) {
      experiment.bound_tables.push_back(read_bound_table(node));
      checker.check(node, experiment.bound_tables.back().where, kBoundedMetric);
      continue;
    }
    experiment.tables.push_back(read_table(node));
    checker.check(node, experiment.tables.back().where, experiment.tables.back().metric);
  }
  std::set<std::string> figure_names;
  for (const JsonNode& node : elements_of(document, "figures")) {
    experiment.figures.push_back(read_figure(node));
    const FigureSpec& figure = experiment.figures.back();
    checker.check(node, figure.where, figure.options.value("metric", ""));
    if (!figure_names.insert(figure.name).second) {
      node.source().fail(node.pointer(), fmt::format("found the name \"{}\" twice; accepted: a "
                                                     "\"name\" of its own for each figure",
                                                     figure.name));
    }
  }
}

/// Keeps the variants that at least one pattern selects, and those that `stays` whatever the
/// patterns are. Each pattern must select something: a misspelt word must be an error, not an empty
/// run.
void select_variants(const std::string& kind, const std::vector<std::string>& globs,
                     const std::function<std::string(const Variant&)>& label,
                     const std::function<std::string(const Variant&)>& name,
                     const std::function<bool(const Variant&)>& stays,
                     std::vector<Variant>& variants) {
  const auto matches = [&](const std::string& glob, const Variant& variant) {
    return glob_matches(glob, label(variant)) || glob_matches(glob, name(variant));
  };
  for (const std::string& glob : globs) {
    if (std::none_of(variants.begin(), variants.end(),
                     [&](const Variant& variant) { return matches(glob, variant); })) {
      const std::vector<std::string> accepted = labels(variants, label);
      throw InputError(fmt::format("--only {}: found \"{}\", which selects no cell{}; accepted: {}",
                                   kind, glob, did_you_mean(glob, accepted), join(accepted)));
    }
  }
  if (!globs.empty()) {
    std::erase_if(variants, [&](const Variant& variant) {
      return !stays(variant) && std::none_of(globs.begin(), globs.end(), [&](const auto& glob) {
        return matches(glob, variant);
      });
    });
  }
}

void check_overrides(const ExperimentOverrides& overrides) {
  const auto check_positive = [](std::optional<double> value, const char* option) {
    if (value && !(*value > 0)) {
      throw InputError(fmt::format("{}: found {}; accepted: a number > 0", option, *value));
    }
  };
  check_positive(overrides.time_limit, "--time-limit");
  check_positive(overrides.memory_limit, "--memory-limit");
  check_positive(overrides.repeats, "--repeats");
}

/// Applies the overrides of the seed and the limits, and the filters. The others were applied
/// before: profile and settings by select_document(), the rest by the expansion of the grids.
void apply_overrides(const ExperimentOverrides& overrides, Experiment& experiment) {
  experiment.seed = overrides.seed.value_or(experiment.seed);
  if (overrides.time_limit) {
    experiment.time_limit = *overrides.time_limit;
    for (Variant& variant : experiment.variants) {
      variant.time_limit.reset();
    }
  }
  experiment.memory_limit = overrides.memory_limit.value_or(experiment.memory_limit);
  select_variants(
      "solver", overrides.only_solvers, [](const Variant& v) { return v.solver_label; },
      [](const Variant& v) { return v.solver->name; },
      [](const Variant& v) { return v.joined; },  // --also adds to what --only leaves
      experiment.variants);
  select_variants(
      "dataset", overrides.only_datasets, [](const Variant& v) { return v.dataset_label; },
      [](const Variant& v) { return v.dataset->name; }, [](const Variant&) { return false; },
      experiment.variants);
}

/// The file that `spca schema` writes. It lies among the experiments, where editors find it.
const std::string kSchemaFile = "schema.json";

std::vector<std::filesystem::path> experiment_folders() {
  return resource_folders("experiments", FromHere::kYes);
}

}  // namespace

std::vector<Cell> Experiment::cells() const {
  std::vector<Cell> cells;
  for (std::size_t variant = 0; variant < variants.size(); ++variant) {
    for (Index repeat = 0; repeat < variants[variant].repeats; ++repeat) {
      cells.push_back({.variant = variant, .repeat = repeat});
    }
  }
  return cells;
}

std::vector<std::string> experiment_names() {
  std::set<std::string> names;
  for (const std::filesystem::path& folder : experiment_folders()) {
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator file(folder, error), end;
         !error && file != end; file.increment(error)) {
      std::filesystem::path name = file->path().lexically_relative(folder);
      if (name.extension() == ".json" && name != kSchemaFile) {
        names.insert(name.replace_extension().generic_string());
      }
    }
  }
  return {names.begin(), names.end()};
}

std::filesystem::path find_experiment(const std::string& name_or_file) {
  if (std::filesystem::is_regular_file(name_or_file)) {
    return name_or_file;
  }
  for (const std::filesystem::path& folder : experiment_folders()) {
    std::filesystem::path file = folder / (name_or_file + ".json");
    if (is_plain_path(name_or_file) && name_or_file + ".json" != kSchemaFile &&
        std::filesystem::is_regular_file(file)) {
      return file;
    }
  }
  const std::vector<std::string> names = experiment_names();
  throw InputError(fmt::format("{}: found no such experiment or file{}; accepted: a file, {}",
                               name_or_file, did_you_mean(name_or_file, names), join(names)));
}

Experiment load_experiment(const std::filesystem::path& path, const ExperimentOverrides& overrides,
                           const std::filesystem::path& data_dir) {
  const auto text = std::make_shared<const JsonText>(read_json_file(path));
  const Json& written = text->json();
  const JsonSource as_written(text);
  check_profiles(JsonNode(as_written, written, ""));
  const std::vector<std::string> profiles = profile_names(written);
  if (std::find(profiles.begin(), profiles.end(), overrides.profile) == profiles.end()) {
    throw InputError(fmt::format("--profile: found \"{}\"{}; accepted in {}: {}", overrides.profile,
                                 did_you_mean(overrides.profile, profiles), path.string(),
                                 join(profiles)));
  }
  Experiment experiment;
  experiment.path = path;
  experiment.folder = std::filesystem::absolute(path).lexically_normal().parent_path();
  experiment.profile = overrides.profile;
  experiment.overrides = overrides;
  experiment.json = written;
  const SelectedDocument selected = select_document(text, overrides.profile, overrides.settings);
  const JsonNode document(selected.source, selected.json, "");
  document.accept_keys(document_keys());
  read_head(document, experiment);
  check_overrides(overrides);
  const Expansion expansion = expand_grids(document, {.maximum_cells = overrides.maximum_cells,
                                                      .repeats = overrides.repeats,
                                                      .also = overrides.also});
  refuse_unused(text, expansion.unused);
  experiment.variants = expansion.variants;
  read_statements(document, text, data_dir, experiment);
  apply_overrides(overrides, experiment);
  for (Variant& variant : experiment.variants) {
    variant.identity = identify(variant);
  }
  return experiment;
}

}  // namespace spca
