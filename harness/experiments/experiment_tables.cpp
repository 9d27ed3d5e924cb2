#include "harness/experiments/experiment_tables.h"

#include <fmt/format.h>

#include <optional>

#include "harness/experiments/experiment_document.h"
#include "harness/experiments/experiment_match.h"
#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/io/json_node.h"

namespace spca {

bool is_bound_table(const JsonNode& node) {
  const std::optional<JsonNode> kind = node.find("kind");
  return kind && kind->choice(kTableKinds) == kTableKinds.back();
}

BoundTableSpec read_bound_table(const JsonNode& node) {
  node.accept_keys(bound_table_keys());
  const std::optional<JsonNode> where = node.find("where");
  return {.title = node.at("title").word(), .where = where ? read_match(*where) : CellMatch()};
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
