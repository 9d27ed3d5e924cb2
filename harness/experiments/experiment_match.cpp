/// Reads what an experiment says about its cells: published numbers, known differences, tables.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "harness/experiments/experiment_reader.h"
#include "harness/experiments/option_grid.h"
#include "spca/algebra/deflation.h"
#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/data_folder.h"
#include "spca/data/readers/readers.h"

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

/// An object whose keys are options of some registered plugin. Empty if the key is not there.
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
  // Throws if it is empty, because an empty one would say nothing.
  node->members();
  return node->json();
}

/// A decimal number as a paper prints it, "2.51e3" or ".98".
struct Printed {
  double value = kNotMeasured;
  double half_unit = 0;  // of the last digit
};

bool parse_printed(std::string text, Printed& printed) {
  if (!text.empty() && text.front() == '+') {
    text.erase(0, 1);
  }
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, printed.value);
  if (error != std::errc() || rest != end || !std::isfinite(printed.value)) {
    return false;
  }
  const std::size_t exponent_at = text.find_first_of("eE");
  const std::string mantissa = text.substr(0, exponent_at);
  const std::size_t point = mantissa.find('.');
  const int decimals =
      point == std::string::npos ? 0 : static_cast<int>(mantissa.size() - point - 1);
  const int exponent =
      exponent_at == std::string::npos ? 0 : std::stoi(text.substr(exponent_at + 1));
  // ".98" is known to half a unit of its last digit: 0.005. An exponent scales that unit.
  printed.half_unit = 0.5 * std::pow(10.0, exponent - decimals);
  return true;
}

struct Tolerance {
  double absolute = kNotMeasured;
  double relative = kNotMeasured;
  std::string rule = "half a unit of the last printed digit";

  double of(const Printed& printed) const {
    return std::isfinite(absolute)   ? absolute
           : std::isfinite(relative) ? relative * std::abs(printed.value)
                                     : printed.half_unit;
  }
};

Tolerance read_tolerance(const JsonNode& published) {
  Tolerance tolerance;
  const std::optional<JsonNode> node = published.find("tolerance");
  if (!node) {
    return tolerance;
  }
  node->accept_keys({"absolute", "relative", "why"});
  const std::optional<JsonNode> absolute = node->find("absolute");
  const std::optional<JsonNode> relative = node->find("relative");
  if (absolute.has_value() == relative.has_value()) {
    node->fail("one of \"absolute\" and \"relative\", and \"why\"");
  }
  const std::string why = node->at("why").word();
  if (absolute) {
    tolerance.absolute = absolute->number(0);
    tolerance.rule = fmt::format("{:g} ({})", tolerance.absolute, why);
  } else {
    tolerance.relative = relative->number(0);
    tolerance.rule = fmt::format("{:g} of the published value ({})", tolerance.relative, why);
  }
  return tolerance;
}

void set_value(PublishedCell& cell, const Printed& printed, const std::string& text,
               const Tolerance& tolerance) {
  cell.value = printed.value;
  cell.printed = text;
  cell.tolerance = tolerance.of(printed);
}

std::size_t column_of(const JsonNode& node, const std::vector<std::string>& header,
                      const std::filesystem::path& path) {
  const std::string name = node.word();
  const auto position = std::find(header.begin(), header.end(), name);
  if (position == header.end()) {
    node.source().fail(node.pointer(),
                       fmt::format("found \"{}\", which is no column of {}{}; accepted: {}", name,
                                   path.string(), did_you_mean(name, header), join(header)));
  }
  return static_cast<std::size_t>(position - header.begin());
}

/// Returns one cell for each line of the curve that the match's cardinalities leave.
std::vector<PublishedCell> read_curve(const JsonNode& curve, const PublishedCell& common,
                                      const Tolerance& tolerance,
                                      const std::filesystem::path& path) {
  const std::vector<CsvRow> rows = read_csv_rows(path);
  const std::vector<std::string> header =
      rows.empty() ? std::vector<std::string>() : rows.front().fields;
  const std::size_t key = column_of(curve.at("key"), header, path);
  const std::size_t column = column_of(curve.at("column"), header, path);
  std::vector<PublishedCell> cells;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    Printed k;
    Printed value;
    const std::vector<std::string>& fields = rows[i].fields;
    if (fields.size() != header.size() || !parse_printed(fields[key], k) || k.value < 1 ||
        k.value != std::floor(k.value) || !parse_printed(fields[column], value)) {
      throw InputError(fmt::format("{}:{}: found {}; accepted: {} numbers, {} a whole one >= 1",
                                   path.string(), rows[i].line, join(fields), header.size(),
                                   header[key]));
    }
    const std::vector<Index> cardinality{static_cast<Index>(k.value)};
    const auto& wanted = common.match.cardinalities;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), cardinality) == wanted.end()) {
      continue;
    }
    cells.push_back(common);
    cells.back().match.cardinalities = {cardinality};
    set_value(cells.back(), value, fields[column], tolerance);
  }
  return cells;
}

std::vector<PublishedCell> read_values(const JsonNode& node, PublishedCell common,
                                       const std::filesystem::path& data_dir) {
  const Tolerance tolerance = read_tolerance(node);
  common.tolerance_rule = tolerance.rule;
  const std::optional<JsonNode> printed_node = node.find("printed");
  const std::optional<JsonNode> curve = node.find("curve");
  if (printed_node.has_value() == curve.has_value()) {
    node.source().fail(node.pointer(),
                       fmt::format("found {} of \"printed\" and \"curve\"; accepted: one of them",
                                   curve ? "both" : "none"));
  }
  if (curve) {
    curve->accept_keys({"file", "key", "column"});
    const JsonNode file = curve->at("file");
    if (!is_plain_path(file.word())) {
      file.fail("a path below the data folder, as bipart/fig5.csv");
    }
    try {
      const auto path = find_data_file(data_dir, file.word());
      return read_curve(*curve, common, tolerance, path);
    } catch (const MissingData& missing) {
      common.unavailable = missing.what();
      return {common};
    }
  }
  Printed printed;
  if (!printed_node->json().is_string() || !parse_printed(printed_node->word(), printed)) {
    printed_node->fail("a number as it is printed, in quotes: its digits set the tolerance");
  }
  set_value(common, printed, printed_node->word(), tolerance);
  return {common};
}

std::string read_metric(const JsonNode& node) {
  return node.source().located(node.pointer(), [&] {
    return MetricRegistry::instance().get(node.word(), node.pointer()).name;
  });
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // the last "*" met
  std::size_t star_end = 0;                   // the end of the text that it stands for
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
  return matches(labels_of(variant)) && options_match(dataset_options, variant.dataset_options) &&
         options_match(solver_options, variant.solver_options);
}

bool CellMatch::matches(const VariantLabels& labels) const {
  const bool cardinality_matches =
      cardinalities.empty() ||
      std::any_of(cardinalities.begin(), cardinalities.end(), [&](const std::vector<Index>& k) {
        return same_cardinality(k, labels.cardinality);
      });
  return cardinality_matches && any_matches(grids, labels.grid) &&
         any_matches(datasets, labels.dataset) && any_matches(solvers, labels.solver) &&
         any_matches(deflations, labels.deflation.empty() ? kNoDeflation : labels.deflation);
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

std::vector<PublishedCell> read_published(const JsonNode& node,
                                          const std::filesystem::path& data_dir) {
  node.accept_keys(published_keys());
  PublishedCell cell;
  cell.match = read_match(node.at("match"));
  if (const std::optional<JsonNode> select = node.find("select")) {
    cell.select = select->choice({"each", "best"}) == "best" ? Selection::kBest : Selection::kEach;
  }
  cell.metric = read_metric(node.at("metric"));
  if (const std::optional<JsonNode> repeats = node.find("published_repeats")) {
    cell.published_repeats = static_cast<double>(repeats->whole(1));
  }
  cell.where = node.at("where").word();
  return read_values(node, std::move(cell), data_dir);
}

KnownDifference read_known_difference(const JsonNode& node) {
  node.accept_keys(known_difference_keys());
  KnownDifference difference{
      .match = read_match(node.at("match")), .metric = "", .why = node.at("why").word()};
  if (const std::optional<JsonNode> metric = node.find("metric")) {
    difference.metric = read_metric(*metric);
  }
  return difference;
}

TableSpec read_table(const JsonNode& node) {
  node.accept_keys(table_keys());
  const std::vector<std::string> dimensions = {"solver", "dataset", "cardinality", "deflation",
                                               "grid"};
  TableSpec table;
  table.title = node.at("title").word();
  table.metric = read_metric(node.at("metric"));
  if (const std::optional<JsonNode> rows = node.find("rows")) {
    table.rows = rows->choice(dimensions);
  }
  if (const std::optional<JsonNode> columns = node.find("columns")) {
    table.columns = columns->choice(dimensions);
  }
  if (table.rows == table.columns) {
    node.source().fail(node.pointer(),
                       fmt::format("found \"{}\" for rows and columns; accepted: two different "
                                   "ones of {}",
                                   table.rows, join(dimensions)));
  }
  if (const std::optional<JsonNode> where = node.find("where")) {
    table.where = read_match(*where);
  }
  return table;
}

}  // namespace spca
