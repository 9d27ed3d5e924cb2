#include "harness/verdicts/result_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/records/record_index.h"
#include "harness/tables/number_text.h"
#include "harness/verdicts/published.h"
#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/measure/metrics.h"

namespace spca {
namespace {

const std::vector<std::string> kDimensions = {"grid", "dataset", "solver", "deflation",
                                              "cardinality"};
constexpr const char* kUnboundMark = "@";
/// At most this number of reasons below a table; further ones are only counted.
constexpr std::size_t kLongestList = 12;

std::string along(const std::string& dimension, const Variant& variant) {
  if (dimension == "grid") {
    return variant.grid;
  }
  if (dimension == "dataset") {
    return variant.dataset_label;
  }
  if (dimension == "solver") {
    return variant.solver_label;
  }
  if (dimension == "cardinality") {
    return cardinality_text(variant.cardinality);
  }
  return variant.deflation == nullptr ? "none" : deflation_name(variant);
}

std::string heading(const std::string& dimension) {
  return dimension == "cardinality" ? "k" : dimension;
}

/// Returns true if the values of the dimension are methods, which compete, and false if they are
/// part of the problem (grid, data set, cardinality).
bool is_method(const std::string& dimension) {
  return dimension == "solver" || dimension == "deflation";
}

/// Returns the text of an entry without a number: the status at the beginning of the reason, or
/// "not measured" if the reason begins with none.
std::string status_of_reason(const std::string& reason) {
  const std::string status = reason.substr(0, reason.find(": "));
  return status.size() < reason.size() ? status : "not measured";
}

/// Returns the mean of each component's number over the repeats. If a repeat has fewer components
/// than another one, its missing components count as zero.
std::string component_text(const std::vector<const Record*>& records, const std::string& metric,
                           bool is_time) {
  std::vector<double> sums;
  double count = 0;
  for (const Record* record : records) {
    const auto position = record->metrics.find(metric);
    if (!is_usable(record->status) || is_partial(*record) || position == record->metrics.end()) {
      continue;
    }
    sums.resize(std::max(sums.size(), position->second.size()));
    for (std::size_t j = 0; j < position->second.size(); ++j) {
      sums[j] += position->second[j];
    }
    ++count;
  }
  std::vector<std::string> means;
  means.reserve(sums.size());
  for (const double sum : sums) {
    means.push_back(number_text(sum / count, is_time));
  }
  return join(means, " ");
}

/// Collects the entries of one table, and the facts for its notes.
class TableBuilder {
 public:
  TableBuilder(const TableSpec& spec, const RecordIndex& index, Reasons reasons)
      : spec_(spec), index_(index), shown_reasons_(reasons) {
    const MetricTraits& traits = MetricRegistry::instance().get(spec.metric, "").traits;
    is_time_ = traits.timing;
    per_component_ = traits.per_component;
    unit_ = traits.unit;
    direction_ = traits.direction;
  }

  void add(const Variant& variant) {
    const std::string row = along(spec_.rows, variant);
    const std::string column = along(spec_.columns, variant);
    add_once(rows_, row);
    add_once(columns_, column);
    entries_[{row, column}] = entry(variant);
  }

  Table build(const std::string& title) {
    mark_the_best();
    Table table;
    table.title = unit_.empty() ? title : fmt::format("{} [{}]", title, unit_);
    table.metric = spec_.metric;
    table.header = columns_;
    table.header.insert(table.header.begin(),
                        fmt::format("{} \\ {}", heading(spec_.rows), heading(spec_.columns)));
    for (const std::string& row : rows_) {
      table.rows.push_back({row});
      table.marks.push_back({""});
      table.numbers.emplace_back();
      for (const std::string& column : columns_) {
        const auto position = entries_.find({row, column});
        const bool asked = position != entries_.end();
        const std::string mark = asked ? position->second.mark : "";
        table.rows.back().push_back(asked ? position->second.text + mark : "not asked");
        table.marks.back().push_back(mark);
        table.numbers.back().push_back(asked ? position->second.number : TableNumber{});
      }
    }
    table.notes = notes();
    return table;
  }

 private:
  struct Entry {
    std::string text = {};
    std::string mark = {};  // follows the text
    TableNumber number = {};
    bool competes = false;  // takes part in the choice of the best number
  };

  Entry entry(const Variant& variant) {
    const std::vector<const Record*>& records = index_.of(variant);
    const Aggregate total = aggregate(records, spec_.metric);
    if (is_time_) {
      for (const Record* record : records) {
        timed_ += has_comparable_timing(*record) ? 1 : 0;
        timed_before_ += has_comparable_timing(*record) && !record->origin.empty() ? 1 : 0;
      }
    }
    const auto expected = static_cast<std::size_t>(variant.repeats);
    if (total.not_usable > 0) {
      add_once(reasons_, fmt::format("{}: {}", variant.solver_label, total.reason));
    }
    if (total.count == 0) {
      return {.text = records.empty() ? "no record" : status_of_reason(total.reason)};
    }
    const std::string text = per_component_ ? component_text(records, spec_.metric, is_time_)
                                            : number_text(total.mean, is_time_);
    std::string mark =
        answer_marks({.missed = total.cardinality_missed, .truncated = total.truncated});
    mark += total.unconstrained ? kUnboundMark : "";
    const bool is_unoptimised = is_time_ && total.unoptimised;
    mark += is_unoptimised ? kUnoptimisedMark : "";
    if (total.count < expected) {
      mark += fmt::format(" ({}/{})", total.count, expected);
    }
    if (total.count < kFewDraws) {
      if (const std::optional<Interval> interval = total.interval()) {
        mark += " " + interval_text(interval->low, interval->high);
        has_interval_ = true;
      }
    }
    missed_ = missed_ || total.cardinality_missed;
    truncated_ = truncated_ || total.truncated;
    unbound_ = unbound_ || total.unconstrained;
    unoptimised_ = unoptimised_ || is_unoptimised;
    repeats_ = std::max(repeats_, total.count);
    // The error of one repeat is NaN, which std::max ignores as its second argument.
    largest_error_ = std::max(largest_error_, total.standard_error);
    return {.text = text,
            .mark = mark,
            .number = {.mean = total.mean,
                       .standard_error = total.standard_error,
                       .repeats = total.count},
            .competes = total.count == expected && !total.unconstrained && !is_unoptimised};
  }

  using Place = std::pair<std::string, std::string>;  // row, column

  /// Returns the place without the method. Entries that differ only in the method share this
  /// result, and compete.
  Place contest_of(const Place& place) const {
    return {is_method(spec_.rows) ? "" : place.first, is_method(spec_.columns) ? "" : place.second};
  }

  void mark_the_best() {
    if (direction_ == Direction::kNone || (!is_method(spec_.rows) && !is_method(spec_.columns))) {
      return;
    }
    const double sign = direction_ == Direction::kHigherIsBetter ? 1 : -1;
    std::map<Place, std::pair<double, double>> extremes;  // worst and best, times sign
    for (const auto& [place, entry] : entries_) {
      if (entry.competes) {
        const double value = sign * entry.number.mean;
        auto& [worst, best] = extremes.try_emplace(contest_of(place), value, value).first->second;
        worst = std::min(worst, value);
        best = std::max(best, value);
      }
    }
    const auto shown = [&](double value) { return number_text(sign * value, is_time_); };
    for (auto& [place, entry] : entries_) {
      if (entry.competes) {
        const auto& [worst, best] = extremes.at(contest_of(place));
        entry.number.is_best =
            shown(sign * entry.number.mean) == shown(best) && shown(best) != shown(worst);
      }
    }
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    if (repeats_ > 1) {
      notes.push_back(fmt::format("Means over {} repeats; standard errors of at most {:.2g}.",
                                  repeats_, largest_error_));
    }
    if (has_interval_) {
      notes.emplace_back(kIntervalNote);
    }
    if (timed_before_ > 0) {
      notes.push_back(fmt::format(
          "{} of {} times were measured on this machine by earlier runs and taken from the cache.",
          timed_before_, timed_));
    }
    if (missed_) {
      notes.push_back(fmt::format("{} {}", kMissedMark, kMissedNote));
    }
    if (truncated_) {
      notes.push_back(fmt::format("{} {}", kTruncatedMark, kTruncatedNote));
    }
    if (unbound_) {
      notes.push_back(
          fmt::format("{} The cardinality is not bound: a dense solver, or a penalty "
                      "that the experiment gives.",
                      kUnboundMark));
    }
    if (unoptimised_) {
      notes.push_back(fmt::format("{} {}", kUnoptimisedMark, kUnoptimisedNote));
    }
    const std::size_t shown =
        shown_reasons_ == Reasons::kAll ? reasons_.size() : std::min(reasons_.size(), kLongestList);
    notes.insert(notes.end(), reasons_.begin(), reasons_.begin() + static_cast<Index>(shown));
    if (reasons_.size() > shown) {
      notes.push_back(fmt::format("... and {} more reasons", reasons_.size() - shown));
    }
    return notes;
  }

  const TableSpec& spec_;
  const RecordIndex& index_;
  Reasons shown_reasons_;
  bool is_time_ = false;
  bool per_component_ = false;
  std::string unit_;
  Direction direction_ = Direction::kNone;
  std::vector<std::string> rows_;
  std::vector<std::string> columns_;
  std::map<Place, Entry> entries_;
  std::vector<std::string> reasons_;
  bool has_interval_ = false;
  bool missed_ = false;
  bool truncated_ = false;
  bool unbound_ = false;
  bool unoptimised_ = false;
  std::size_t repeats_ = 0;
  std::size_t timed_ = 0;  // number of records whose times are used
  std::size_t timed_before_ = 0;
  double largest_error_ = 0;
};

bool measures(const Variant& variant, const std::string& metric) {
  return std::find(variant.metrics.begin(), variant.metrics.end(), metric) != variant.metrics.end();
}

/// Returns one table for each combination of values of the dimensions that are neither rows nor
/// columns: numbers of, for example, different data sets must not share an entry. If there are
/// several combinations, the title of each table names its own.
std::vector<Table> tables_of(const TableSpec& spec, const Experiment& experiment,
                             const RecordIndex& index, Reasons reasons) {
  std::vector<const Variant*> variants;
  std::map<std::string, std::vector<std::string>> values;
  for (const Variant& variant : experiment.variants) {
    if (spec.where.matches(variant) && measures(variant, spec.metric)) {
      variants.push_back(&variant);
      for (const std::string& dimension : kDimensions) {
        add_once(values[dimension], along(dimension, variant));
      }
    }
  }
  std::vector<std::string> titles;
  std::vector<TableBuilder> builders;
  for (const Variant* variant : variants) {
    std::string title = spec.title;
    for (const std::string& dimension : kDimensions) {
      if (dimension != spec.rows && dimension != spec.columns && values[dimension].size() > 1) {
        title += fmt::format(", {} {}", heading(dimension), along(dimension, *variant));
      }
    }
    add_once(titles, title);
    if (titles.size() > builders.size()) {
      builders.emplace_back(spec, index, reasons);
    }
    const auto at = std::find(titles.begin(), titles.end(), title) - titles.begin();
    builders[static_cast<std::size_t>(at)].add(*variant);
  }
  std::vector<Table> tables;
  for (std::size_t i = 0; i < builders.size(); ++i) {
    tables.push_back(builders[i].build(titles[i]));
  }
  return tables;
}

/// Returns the tables of an experiment that declares none: one for each grid and metric.
std::vector<TableSpec> default_tables(const Experiment& experiment) {
  std::vector<TableSpec> specs;
  std::vector<std::string> titles;
  for (const Variant& variant : experiment.variants) {
    for (const std::string& metric : variant.metrics) {
      const std::string title = fmt::format("{}: {}", variant.grid, metric);
      if (std::find(titles.begin(), titles.end(), title) == titles.end()) {
        titles.push_back(title);
        TableSpec spec;
        spec.title = title;
        spec.metric = metric;
        spec.where.grids = {variant.grid};
        specs.push_back(std::move(spec));
      }
    }
  }
  return specs;
}

}  // namespace

std::vector<Table> result_tables(const Experiment& experiment, const std::vector<Record>& records,
                                 Reasons reasons) {
  const RecordIndex index(records);
  const std::vector<TableSpec> specs =
      experiment.tables.empty() ? default_tables(experiment) : experiment.tables;
  std::vector<Table> tables;
  for (const TableSpec& spec : specs) {
    std::vector<Table> some = tables_of(spec, experiment, index, reasons);
    std::move(some.begin(), some.end(), std::back_inserter(tables));
  }
  return tables;
}

}  // namespace spca
