#include "harness/experiments/experiment_published.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "harness/experiments/experiment_document.h"
#include "harness/experiments/experiment_match.h"
#include "harness/experiments/printed_number.h"
#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/data_folder.h"
#include "spca/data/readers/csv.h"

namespace spca {
namespace {

const std::vector<std::string> kOrigins = {"paper", "by hand", "certified", "another program"};
const std::vector<std::string> kMethods = {"own", "baseline", "other", "check"};
constexpr const char* kEmptyCell = "-";
constexpr char kNotPublicMark = '*';
// A larger cardinality is not a whole number as a double.
constexpr double kLargestCardinality = 1LL << 53;
constexpr const char* kNotPublic = "its data are not public";

/// A decimal number as a paper prints it: "2.51e3" or ".98".
struct Printed {
  double value = kNotMeasured;
  double half_unit = 0;  // half a unit of the last digit
};

bool parse_printed(std::string text, Printed& printed) {
  if (text.starts_with('+') && !text.starts_with("+-")) {
    text.erase(0, 1);
  }
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, printed.value);
  if (error != std::errc() || rest != end || !std::isfinite(printed.value)) {
    return false;
  }
  // ".98" is known to half a unit of its last digit: 0.005. An exponent scales that unit.
  const PrintedNumber parts = printed_number(text);
  printed.half_unit = 0.5 * std::pow(10.0, parts.power - parts.decimals);
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

Tolerance read_tolerance(const std::optional<JsonNode>& node) {
  Tolerance tolerance;
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
  cell.half_unit = printed.half_unit;
  cell.tolerance = tolerance.of(printed);
}

std::size_t column_of(const JsonNode& node, const std::vector<std::string>& header,
                      const std::filesystem::path& path) {
  const std::string name = node.word();
  const auto position = std::find(header.begin(), header.end(), name);
  if (position == header.end()) {
    node.source().fail(node.pointer(),
                       fmt::format("found \"{}\", which is not a column of {}{}; accepted: {}",
                                   name, path.string(), did_you_mean(name, header), join(header)));
  }
  return static_cast<std::size_t>(position - header.begin());
}

/// Returns one cell for each line of the curve whose cardinality the match accepts.
std::vector<PublishedCell> read_curve_file(const JsonNode& curve, const PublishedCell& common,
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
        k.value > kLargestCardinality || k.value != std::floor(k.value) ||
        !parse_printed(fields[column], value)) {
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
  if (cells.empty()) {
    curve.fail("a curve with at least one line that the match accepts");
  }
  return cells;
}

std::vector<PublishedCell> read_curve(const JsonNode& curve, PublishedCell common,
                                      const Tolerance& tolerance,
                                      const std::filesystem::path& data_dir) {
  curve.accept_keys({"file", "key", "column"});
  common.is_of_curve = true;
  const JsonNode file = curve.at("file");
  if (!is_plain_path(file.word())) {
    file.fail("a path below the data folder, such as bipart/fig5.csv");
  }
  try {
    const auto path = find_data_file(data_dir, file.word());
    return read_curve_file(curve, common, tolerance, path);
  } catch (const MissingData& missing) {
    common.unavailable = missing.what();
    return {common};
  }
}

/// Finds the properties of one number. A property of its row or column overrides the table's.
class Place {
 public:
  Place(const JsonNode& table, const std::optional<JsonNode>& column, const JsonNode& row)
      : table_(table), column_(column), row_(row) {}

  std::optional<JsonNode> find(const std::string& key) const {
    const std::optional<JsonNode> in_row = row_.find(key);
    const std::optional<JsonNode> in_column = of_column(key);
    if (in_row && in_column) {
      refuse_both(key, in_row->pointer());
    }
    return in_row ? in_row : in_column ? in_column : table_.find(key);
  }

  CellMatch match() const {
    const std::optional<JsonNode> in_row = row_.find("match");
    const std::optional<JsonNode> in_column = of_column("match");
    if (in_row && in_column && in_row->json().is_object()) {
      for (const auto& [key, value] : in_row->json().items()) {
        if (in_column->json().contains(key)) {
          refuse_both(key, in_row->pointer() + "/" + pointer_step(key));
        }
      }
    }
    CellMatch match = match_or_all(table_);
    match = in_column ? narrowed(match, *in_column) : match;
    return in_row ? narrowed(match, *in_row) : match;
  }

 private:
  std::optional<JsonNode> of_column(const std::string& key) const {
    return column_ ? column_->find(key) : std::nullopt;
  }

  [[noreturn]] void refuse_both(const std::string& key, const std::string& pointer) const {
    row_.source().fail(pointer,
                       fmt::format("found \"{}\" here and in {}; accepted: in a row or in its "
                                   "columns",
                                   key, column_->pointer()));
  }

  const JsonNode& table_;
  const std::optional<JsonNode>& column_;
  const JsonNode& row_;
};

Origin read_origin(const JsonNode& table) {
  const std::optional<JsonNode> node = table.find("origin");
  const std::string name = node ? node->choice(kOrigins) : kOrigins.front();
  return static_cast<Origin>(std::find(kOrigins.begin(), kOrigins.end(), name) - kOrigins.begin());
}

/// Reads the method. A number that a paper prints must have one, because reports count the numbers
/// of each method separately.
Method read_method(const Place& place, Origin origin, const JsonNode& row) {
  const std::optional<JsonNode> node = place.find("method");
  if (origin != Origin::kPaper) {
    if (node) {
      node->source().fail(node->pointer(),
                          fmt::format("found \"method\" beside \"origin\": \"{}\"; accepted: only "
                                      "if the paper prints the numbers",
                                      origin_name(origin)));
    }
    return Method::kOther;
  }
  if (!node) {
    row.source().fail(
        row.pointer(),
        "found no \"method\" in the row, its columns or the table; accepted: own (the "
        "paper's method, run as the paper says), baseline (another that the paper "
        "runs), other (any other solver), check (a number that the set-up fixes)");
  }
  const std::string name = node->choice(kMethods);
  return static_cast<Method>(std::find(kMethods.begin(), kMethods.end(), name) - kMethods.begin());
}

/// Reads the properties that do not depend on the printed value. add() sets the labels and `where`.
PublishedCell read_common(const Place& place, const JsonNode& row, const PublishedTable& table) {
  PublishedCell cell;
  cell.origin = table.origin;
  cell.method = read_method(place, table.origin, row);
  cell.match = place.match();
  if (const std::optional<JsonNode> select = place.find("select")) {
    cell.select = select->choice({"each", "best"}) == "best" ? Selection::kBest : Selection::kEach;
  }
  const std::optional<JsonNode> metric = place.find("metric");
  if (!metric) {
    row.source().fail(
        row.pointer(),
        "found no \"metric\" in the row, its columns or the table; accepted: a metric "
        "in one of them");
  }
  cell.metric = read_metric(*metric);
  if (const std::optional<JsonNode> repeats = place.find("repeats")) {
    cell.published_repeats = static_cast<double>(repeats->whole(1));
  }
  if (const std::optional<JsonNode> why = place.find("not_comparable")) {
    cell.not_comparable = why->word();
  }
  const Tolerance tolerance = read_tolerance(place.find("tolerance"));
  cell.tolerance_rule = tolerance.rule;
  return cell;
}

/// Reads the content of one cell of the table; returns nothing if the paper leaves the cell empty.
std::optional<PublishedCell> read_printed_cell(const JsonNode& node, PublishedCell cell,
                                               const Tolerance& tolerance) {
  constexpr const char* kAccepted =
      "a number as it is printed, in quotes: its digits set the tolerance; followed by * if its "
      "data are not public; - for an empty cell";
  std::string text = node.json().is_string() ? node.word() : "";
  if (text == kEmptyCell) {
    return std::nullopt;
  }
  if (text.ends_with(kNotPublicMark)) {
    text.pop_back();
    cell.is_public = false;
    cell.not_comparable = cell.not_comparable.empty() ? kNotPublic : cell.not_comparable;
  }
  Printed printed;
  if (!parse_printed(text, printed)) {
    node.fail(kAccepted);
  }
  set_value(cell, printed, text, tolerance);
  return cell;
}

/// Reads the printed strings of a row: a list with one string for each column, or a single string
/// if there is at most one column.
std::vector<JsonNode> printed_nodes(const JsonNode& row, std::size_t columns) {
  const JsonNode node = row.at("printed");
  std::vector<JsonNode> nodes =
      node.json().is_array() ? node.elements() : std::vector<JsonNode>{node};
  const std::size_t expected = std::max<std::size_t>(columns, 1);
  if (nodes.size() != expected) {
    node.source().fail(node.pointer(),
                       fmt::format("found {} printed string{}; accepted: {}, one for each column",
                                   nodes.size(), nodes.size() == 1 ? "" : "s", expected));
  }
  return nodes;
}

std::vector<JsonNode> read_columns(const JsonNode& table) {
  const std::optional<JsonNode> node = table.find("columns");
  return node ? node->elements() : std::vector<JsonNode>();
}

/// Reads a label and adds it to `labels`. Refuses a label that is there already.
std::string read_label(const JsonNode& node, std::set<std::string>& labels) {
  const JsonNode label = node.at("label");
  if (!labels.insert(label.word()).second) {
    label.source().fail(
        label.pointer(),
        fmt::format("found the label \"{}\" twice; accepted: each once", label.word()));
  }
  return label.word();
}

class TableReader {
 public:
  TableReader(const JsonNode& node, const std::filesystem::path& data_dir)
      : node_(node), data_dir_(data_dir), columns_(read_columns(node)) {
    read_.table.name = read_name();
    read_.table.where = node.at("where").word();
    read_.table.title = node.word_or("title", read_.table.where);
    read_.table.origin = read_origin(node);
    std::set<std::string> labels;
    for (const JsonNode& column : columns_) {
      column.accept_keys(published_column_keys());
      column_labels_.push_back(read_label(column, labels));
    }
    read_.table.columns = column_labels_;
  }

  ReadTable read() {
    std::set<std::string> labels;
    for (const JsonNode& row : node_.at("rows").elements()) {
      row.accept_keys(published_row_keys());
      const std::string label = read_label(row, labels);
      const std::optional<JsonNode> curve = row.find("curve");
      if (curve.has_value() == row.find("printed").has_value()) {
        row.source().fail(
            row.pointer(),
            fmt::format("found {} of \"printed\" and \"curve\"; accepted: one of them",
                        curve ? "both" : "none"));
      }
      if (curve) {
        read_curve_row(row, label, *curve);
      } else {
        read_printed_row(row, label);
      }
    }
    return std::move(read_);
  }

 private:
  std::string read_name() const {
    const JsonNode name = node_.at("name");
    if (name.word().find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") !=
        std::string::npos) {
      name.fail("lower-case letters, digits, -, _ and .");
    }
    return name.word();
  }

  void add(const JsonNode& node, const Place& place, const std::string& row,
           const std::string& column, PublishedCell cell) {
    cell.row = row;
    cell.column = column;
    const std::optional<JsonNode> where = place.find("where");
    cell.where = where->word() + (column.empty() ? "" : ", " + column) + ", " + row;
    read_.cells.push_back(std::move(cell));
    read_.nodes.push_back(node);
  }

  void read_printed_row(const JsonNode& row, const std::string& label) {
    const std::vector<JsonNode> printed = printed_nodes(row, columns_.size());
    for (std::size_t j = 0; j < printed.size(); ++j) {
      const std::optional<JsonNode> column =
          columns_.empty() ? std::nullopt : std::optional<JsonNode>(columns_[j]);
      const Place place(node_, column, row);
      const std::optional<PublishedCell> cell =
          read_printed_cell(printed[j], read_common(place, row, read_.table),
                            read_tolerance(place.find("tolerance")));
      if (cell) {
        add(printed[j], place, label, columns_.empty() ? "" : column_labels_[j], *cell);
      }
    }
  }

  void read_curve_row(const JsonNode& row, const std::string& label, const JsonNode& curve) {
    if (!columns_.empty()) {
      curve.source().fail(
          curve.pointer(),
          "found a curve in a table with columns; accepted: a curve in a table without "
          "columns, because the cardinalities of the file are its columns");
    }
    const std::optional<JsonNode> no_column;
    const Place place(node_, no_column, row);
    for (PublishedCell& cell : read_curve(curve, read_common(place, row, read_.table),
                                          read_tolerance(place.find("tolerance")), data_dir_)) {
      add(curve, place, label, "", std::move(cell));
    }
  }

  const JsonNode& node_;
  const std::filesystem::path& data_dir_;
  std::vector<JsonNode> columns_;
  std::vector<std::string> column_labels_;
  ReadTable read_;
};

/// Refuses a number outside a table: experiments had this format before tables were introduced.
void refuse_old_form(const JsonNode& node) {
  if (!node.json().is_object() || node.json().contains("rows")) {
    return;
  }
  for (const char* key : {"printed", "curve", "published_repeats"}) {
    if (node.json().contains(key)) {
      node.source().fail(
          node.pointer(),
          fmt::format("found \"{}\" outside a row, the form before tables; accepted: a table, "
                      "{{\"name\", \"where\", \"metric\", \"method\", \"columns\": [{{\"label\", "
                      "\"match\"}}], \"rows\": [{{\"label\", \"match\", \"printed\": [one for each "
                      "column]}}]}}, as in docs/EXPERIMENTS.md",
                      key));
    }
  }
}

}  // namespace

const char* origin_name(Origin origin) {
  return kOrigins[static_cast<std::size_t>(origin)].c_str();
}

const char* method_name(Method method) {
  return kMethods[static_cast<std::size_t>(method)].c_str();
}

ReadTable read_published_table(const JsonNode& node, const std::filesystem::path& data_dir) {
  refuse_old_form(node);
  node.accept_keys(published_table_keys());
  return TableReader(node, data_dir).read();
}

}  // namespace spca
