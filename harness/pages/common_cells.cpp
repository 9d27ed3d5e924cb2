#include "harness/pages/common_cells.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/records/record_index.h"
#include "harness/tables/number_text.h"
#include "harness/verdicts/published.h"
#include "spca/base/json_text.h"
#include "spca/base/text.h"
#include "spca/io/json_file.h"
#include "spca/measure/metrics.h"

namespace spca {
namespace {

constexpr std::size_t kMostRows = 500;

struct CommonCell {
  const Variant* variant = nullptr;
  std::string metric;
  std::vector<Aggregate> values;  // one for each run; no repeats if the run lacks the cell
};

/// Returns a text that is equal for cells that are the same (common_cells.h). Labels and grids may
/// differ between runs.
std::string identity_of(const Variant& variant, const std::string& metric) {
  return json_line(Json{variant.dataset->name, variant.dataset_options, variant.solver->name,
                        variant.solver_options, variant.cardinality, variant.tune,
                        deflation_name(variant), metric, number_to_json(variant.penalty)});
}

std::vector<CommonCell> cells_of(const std::vector<ReportedRun>& runs) {
  std::map<std::string, std::size_t> positions;
  std::vector<CommonCell> cells;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RecordIndex index(runs[i].records);
    for (const Variant& variant : runs[i].experiment.variants) {
      for (const std::string& metric : variant.metrics) {
        if (MetricRegistry::instance().get(metric, "").traits.timing) {
          continue;
        }
        const Aggregate total = aggregate(index.of(variant), metric);
        const auto [position, is_new] =
            positions.try_emplace(identity_of(variant, metric), cells.size());
        if (is_new) {
          cells.push_back({.variant = &variant,
                           .metric = metric,
                           .values = std::vector<Aggregate>(runs.size())});
        }
        cells[position->second].values[i] = total;
      }
    }
  }
  std::erase_if(cells, [](const CommonCell& cell) {
    return std::count_if(cell.values.begin(), cell.values.end(),
                         [](const Aggregate& value) { return value.count > 0; }) < 2;
  });
  return cells;
}

bool agrees(const CommonCell& cell) {
  std::vector<std::string> texts;
  for (const Aggregate& value : cell.values) {
    if (value.count > 0) {
      add_once(texts, number_text(value.mean, false));
    }
  }
  return texts.size() == 1;
}

/// Returns the largest difference of two runs, relative to the largest absolute value.
double spread(const CommonCell& cell) {
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const Aggregate& value : cell.values) {
    if (value.count > 0) {
      least = std::min(least, value.mean);
      most = std::max(most, value.mean);
    }
  }
  return (most - least) / std::max(std::abs(most), std::abs(least));
}

Json row_json(const CommonCell& cell) {
  Json values = Json::array();
  for (const Aggregate& value : cell.values) {
    values.push_back(
        {number_to_json(value.mean), number_to_json(value.standard_error), value.count});
  }
  return {{"dataset", cell.variant->dataset_label},
          {"solver", cell.variant->solver_label},
          {"deflation", deflation_name(*cell.variant)},
          {"k", cardinality_text(cell.variant->cardinality)},
          {"metric", cell.metric},
          {"spread", spread(cell)},
          {"values", values}};
}

}  // namespace

Json common_cells(const std::vector<ReportedRun>& runs) {
  std::vector<CommonCell> cells = cells_of(runs);
  const std::size_t common = cells.size();
  std::erase_if(cells, agrees);
  const std::size_t differing = cells.size();
  std::stable_sort(cells.begin(), cells.end(),
                   [](const CommonCell& a, const CommonCell& b) { return spread(a) > spread(b); });
  cells.resize(std::min(cells.size(), kMostRows));
  Json rows = Json::array();
  std::transform(cells.begin(), cells.end(), std::back_inserter(rows), row_json);
  return {{"common", common},
          {"agreeing", common - differing},
          {"left_out", differing - cells.size()},
          {"rows", rows}};
}

}  // namespace spca
