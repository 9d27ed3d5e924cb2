#include "harness/cells/measured_metrics.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "harness/experiments/experiment_identity.h"
#include "harness/records/record_line.h"
#include "spca/base/json_text.h"
#include "spca/measure/judge.h"
#include "spca/measure/metrics.h"

namespace spca {
namespace {

using Metrics = std::map<std::string, std::vector<double>>;

/// Returns metrics_source() of the variant as if these metrics were requested; "" without metrics.
std::string source_of(const Variant& variant, std::vector<std::string> names) {
  Variant asking = variant;
  std::sort(names.begin(), names.end());
  asking.metrics = std::move(names);
  asking.identity = nullptr;
  return asking.metrics.empty() ? "" : metrics_source(asking);
}

std::vector<std::string> names_of(const Record& record) {
  std::vector<std::string> names;
  for (const Metrics* metrics : {&record.metrics, &record.timing}) {
    for (const auto& [name, values] : *metrics) {
      names.push_back(name);
    }
  }
  return names;
}

bool is_equal_where_both_are(const std::vector<double>& one, const std::vector<double>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](double a, double b) { return a == b || std::isnan(a) || std::isnan(b); });
}

bool is_measured(const std::vector<double>& values) {
  return std::none_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

/// Returns the record without the parts that may differ between two measurements of one answer.
std::string answer_alone(Record record) {
  record.metrics.clear();
  record.measured_by.clear();
  record.bound = kNotMeasured;
  return std::string(stable_part(answer_text(record)));
}

void add_missing(const Metrics& other, Metrics& metrics) {
  for (const auto& [name, values] : other) {
    const auto [there, is_new] = metrics.emplace(name, values);
    if (!is_new && !is_measured(there->second) && is_measured(values)) {
      there->second = values;
    }
  }
}

}  // namespace

bool has_more_metrics(const RunContext& context, std::size_t cell, std::string_view line,
                      const std::string& measured_by) {
  std::set<std::string> names;
  for (const char* member : {"metrics", "timing"}) {
    const Json metrics = parse_json(raw_field(line, member));
    for (const auto& [name, values] : metrics.items()) {
      names.insert(name);
    }
  }
  const Variant& variant = context.variant(cell);
  std::size_t asked_for = 0;
  for (const auto& [name, metric] : MetricRegistry::instance().entries()) {
    if (wants_metric(variant.metrics, name)) {
      ++asked_for;
      if (!names.contains(name)) {
        return false;
      }
    }
  }
  // The digest of sources is the costly part, and most stale records have no additional metrics.
  return names.size() > asked_for && !measured_by.empty() &&
         source_of(variant, {names.begin(), names.end()}) == measured_by;
}

std::string with_metrics_asked_for(const RunContext& context, std::size_t cell,
                                   const std::string& line) {
  Record record = record_from_line(line);
  const Variant& variant = context.variant(cell);
  const auto is_further = [&](const auto& metric) {
    return !wants_metric(variant.metrics, metric.first);
  };
  std::erase_if(record.metrics, is_further);
  std::erase_if(record.timing, is_further);
  record.measured_by = context.metrics.at(context.cells[cell].variant);
  return compose_line(read_envelope(line), answer_text(record));
}

bool is_same_answer(const Record& one, const Record& other) {
  for (const auto& [name, values] : one.metrics) {
    const auto there = other.metrics.find(name);
    if (there != other.metrics.end() && !is_equal_where_both_are(values, there->second)) {
      return false;
    }
  }
  return is_equal_where_both_are({one.bound}, {other.bound}) &&
         answer_alone(one) == answer_alone(other);
}

bool is_same_solve(std::string_view one, std::string_view other) {
  return raw_field(one, "loadings") == raw_field(other, "loadings") &&
         raw_field(one, "cost") == raw_field(other, "cost");
}

void add_metrics(const Record& other, const Variant& variant, Record& record) {
  const bool is_current = record.measured_by == source_of(variant, names_of(record)) &&
                          other.measured_by == source_of(variant, names_of(other));
  const bool is_one_solve = is_same_solve(record_to_line(record), record_to_line(other));
  add_missing(other.metrics, record.metrics);
  if (is_one_solve) {
    add_missing(other.timing, record.timing);
  }
  if (!std::isfinite(record.bound)) {
    record.bound = other.bound;
  }
  // If they are not current, the next run finds the metrics stale and measures them again.
  if (is_current) {
    record.measured_by = source_of(variant, names_of(record));
  }
}

}  // namespace spca
