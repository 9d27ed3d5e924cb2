#include "harness/records/record.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>
#include <unordered_map>

#include "harness/records/record_line.h"
#include "spca/base/json_text.h"
#include "spca/base/text.h"
#include "spca/measure/contradiction.h"
#include "spca/measure/metrics.h"

namespace spca {
namespace {

// Records are formatted by hand rather than through a Json value, because an experiment writes up
// to 285,000 of them. fmt finds the shortest digits that read back as the same double.
using Buffer = fmt::memory_buffer;

void append(Buffer& out, std::string_view text) {
  out.append(text.data(), text.data() + text.size());
}

void append_string(Buffer& out, const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char character) {
    return character >= ' ' && character <= '~' && character != '"' && character != '\\';
  });
  if (plain) {
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("\"{}\""), text);
  } else {
    // A message may quote bytes of the user's file that are not UTF-8.
    append(out, json_line(Json(text)));
  }
}

void append_number(Buffer& out, double value) {
  if (std::isfinite(value)) {
    // Adding zero turns -0 into 0, which a JSON reader would do anyway.
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), value + 0.0);
  } else {
    append(out, "null");
  }
}

void append_bool(Buffer& out, bool value) { append(out, value ? "true" : "false"); }

template <class Range, class AppendItem>
void append_list(Buffer& out, const Range& items, AppendItem append_item) {
  out.push_back('[');
  bool first = true;
  for (const auto& item : items) {
    if (!first) {
      out.push_back(',');
    }
    first = false;
    append_item(item);
  }
  out.push_back(']');
}

void append_indices(Buffer& out, const std::vector<Index>& values) {
  append_list(out, values, [&out](Index value) {
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), value);
  });
}

void append_metrics(Buffer& out, const std::map<std::string, std::vector<double>>& metrics) {
  const auto append_one = [&out](double value) { append_number(out, value); };
  out.push_back('{');
  bool first = true;
  for (const auto& [name, values] : metrics) {
    if (!first) {
      out.push_back(',');
    }
    first = false;
    append_string(out, name);
    out.push_back(':');
    const MetricEntry* entry = MetricRegistry::instance().find(name);
    const bool is_list = values.size() != 1 || (entry != nullptr && entry->traits.per_component);
    if (is_list) {
      append_list(out, values, append_one);
    } else {
      append_number(out, values.front());
    }
  }
  out.push_back('}');
}

void append_loadings(Buffer& out, const std::vector<Component>& loadings) {
  append_list(out, loadings, [&out](const Component& component) {
    append(out, "{\"indices\":");
    append_indices(out, component.support);
    append(out, ",\"values\":");
    append_list(out, component.values, [&out](double value) { append_number(out, value); });
    out.push_back('}');
  });
}

using CostMember = double SolveCost::*;
constexpr std::pair<const char*, CostMember> kCostMembers[] = {
    {"solve_seconds", &SolveCost::solve_seconds},     {"cpu_seconds", &SolveCost::cpu_seconds},
    {"peak_bytes", &SolveCost::peak_bytes},           {"instructions", &SolveCost::instructions},
    {"iterations", &SolveCost::iterations},           {"products", &SolveCost::products},
    {"reading_seconds", &SolveCost::reading_seconds}, {"check_seconds", &SolveCost::check_seconds}};

/// Writes the costs that were measured.
void append_cost(Buffer& out, const SolveCost& cost) {
  out.push_back('{');
  bool first = true;
  const auto name_next = [&](const std::string& name) {
    append(out, first ? "" : ",");
    first = false;
    append_string(out, name);
    out.push_back(':');
  };
  for (const auto& [name, member] : kCostMembers) {
    if (std::isfinite(cost.*member)) {
      name_next(name);
      append_number(out, cost.*member);
    }
  }
  if (!cost.phases.empty()) {
    name_next("phases");
    out.push_back('{');
    first = true;
    for (const auto& [phase, seconds] : cost.phases) {
      name_next(phase);
      append_number(out, seconds);
    }
    out.push_back('}');
  }
  out.push_back('}');
}

void append_trace(Buffer& out, const std::vector<TracePoint>& trace) {
  append(out, "{\"iterations\":");
  append_list(out, trace, [&out](const TracePoint& point) {
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), point.iteration);
  });
  append(out, ",\"products\":");
  append_list(out, trace, [&out](const TracePoint& point) {
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), point.products);
  });
  append(out, ",\"objective\":");
  append_list(out, trace, [&out](const TracePoint& point) { append_number(out, point.objective); });
  // Few solvers report bounds. Records without bounds have the format of older versions.
  const auto has_bound = [](const TracePoint& point) { return std::isfinite(point.bound); };
  if (std::any_of(trace.begin(), trace.end(), has_bound)) {
    append(out, ",\"bound\":");
    append_list(out, trace, [&out](const TracePoint& point) { append_number(out, point.bound); });
  }
  out.push_back('}');
}

void append_trace_seconds(Buffer& out, const std::vector<TracePoint>& trace) {
  append_list(out, trace, [&out](const TracePoint& point) { append_number(out, point.seconds); });
}

/// Returns false for a fraction where a whole number is expected: nlohmann/json would convert 5e23
/// to an integer, which is undefined behaviour. Other types are left to their own checks.
template <class Value>
bool holds_whole_numbers(const Json& json) {
  if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
    return json.is_number_integer();
  } else if constexpr (std::is_same_v<Value, std::vector<Index>>) {
    return std::all_of(json.begin(), json.end(),
                       [](const Json& item) { return item.is_number_integer(); });
  } else {
    return true;
  }
}

/// Reads the fields of a parsed line; every error names the field.
class RecordReader {
 public:
  explicit RecordReader(const Json& json) : json_(json) {}

  const Json& field(const char* name) const {
    const auto position = json_.find(name);
    if (position == json_.end()) {
      throw InputError(fmt::format("a record without \"{}\"", name));
    }
    return *position;
  }

  template <class Value>
  void read(const char* name, Value& value) const {
    const Json& json = field(name);
    if (!holds_whole_numbers<Value>(json)) {
      throw wrong(name, json);
    }
    try {
      json.get_to(value);
    } catch (const Json::exception&) {
      throw wrong(name, json);
    }
  }

  void read_object(const char* name, Json& value) const {
    value = field(name);
    if (!value.is_object()) {
      throw wrong(name, value);
    }
  }

  void read_metrics(const char* name, std::map<std::string, std::vector<double>>& metrics) const {
    const Json& json = field(name);
    if (!json.is_object()) {
      throw wrong(name, json);
    }
    for (const auto& [metric, value] : json.items()) {
      if (value.is_array()) {
        for (const Json& item : value) {
          metrics[metric].push_back(number(name, item));
        }
        metrics[metric];  // an empty list is a metric of zero components
      } else {
        metrics[metric] = {number(name, value)};
      }
    }
  }

  void read_loadings(const char* name, std::vector<Component>& loadings) const {
    for (const Json& item : field(name)) {
      const RecordReader component(item);
      std::vector<double> values;
      Support support;
      component.read("indices", support);
      component.read("values", values);
      if (support.size() != values.size()) {
        throw wrong(name, item);
      }
      loadings.push_back(
          {.support = std::move(support),
           .values = Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()))});
    }
  }

  void read_cost(SolveCost& cost) const {
    const Json& json = field("cost");
    if (!json.is_object()) {
      throw wrong("cost", json);
    }
    for (const auto& [name, member] : kCostMembers) {
      if (json.contains(name)) {
        cost.*member = number("cost", json[name]);
      }
    }
    if (json.contains("phases")) {
      for (const auto& [phase, seconds] : json["phases"].items()) {
        cost.phases[phase] = number("cost", seconds);
      }
    }
  }

  /// Reads the trace, which most records lack.
  void read_trace(std::vector<TracePoint>& trace) const {
    if (!json_.contains("trace")) {
      return;
    }
    const RecordReader columns(field("trace"));
    std::vector<Index> iterations;
    std::vector<std::uint64_t> products;
    columns.read("iterations", iterations);
    columns.read("products", products);
    const Json& objective = columns.field("objective");
    const Json& seconds = field("trace_seconds");
    const bool has_bounds = field("trace").contains("bound");
    const Json& bound = has_bounds ? columns.field("bound") : objective;
    if (!objective.is_array() || !seconds.is_array() || products.size() != iterations.size() ||
        objective.size() != iterations.size() || !bound.is_array() ||
        bound.size() != iterations.size() || seconds.size() != iterations.size()) {
      throw wrong("trace", field("trace"));
    }
    for (std::size_t i = 0; i < iterations.size(); ++i) {
      trace.push_back({.iteration = iterations[i],
                       .seconds = number("trace_seconds", seconds[i]),
                       .products = products[i],
                       .objective = number("trace", objective[i]),
                       .bound = has_bounds ? number("trace", bound[i]) : kNotMeasured});
    }
  }

 private:
  static InputError wrong(const char* name, const Json& json) {
    return InputError(
        fmt::format("a record whose \"{}\" is of a wrong kind: {:.60}", name, json_line(json)));
  }

  static double number(const char* name, const Json& json) {
    if (json.is_null()) {
      return kNotMeasured;
    }
    if (!json.is_number()) {
      throw wrong(name, json);
    }
    return json.get<double>();
  }

  const Json& json_;
};

}  // namespace

bool is_partial(const Record& record) {
  return !record.loadings.empty() && std::ssize(record.loadings) < record.components;
}

bool has_comparable_timing(const Record& record) { return !record.contended && !record.elsewhere; }

std::string answer_text(const Record& record) {
  Buffer out;
  const auto text = [&out](std::string_view opening, const std::string& value) {
    append(out, opening);
    append_string(out, value);
  };
  const auto object = [&out](std::string_view opening, const Json& value) {
    append(out, opening);
    // A value may quote bytes that are not UTF-8.
    append(out, value.is_null() ? "{}" : json_line(value));
  };
  const auto number = [&out](std::string_view opening, auto value) {
    append(out, opening);
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), value);
  };
  const auto flag = [&out](std::string_view opening, bool value) {
    append(out, opening);
    append_bool(out, value);
  };
  text("{\"deflation\":", record.deflation);
  text(",\"solver_name\":", record.solver_name);
  text(",\"dataset_name\":", record.dataset_name);
  object(",\"dataset_options\":", record.dataset_options);
  object(",\"options\":", record.options);
  number(",\"components\":", record.components);
  append(out, ",\"cardinality\":");
  append_indices(out, record.cardinality);
  number(",\"repeat\":", record.repeat);
  number(",\"seed\":", record.seed);
  number(",\"n\":", record.n);
  number(",\"p\":", record.p);
  text(",\"status\":", status_name(record.status));
  text(",\"message\":", record.message);
  flag(",\"tuned\":", record.tuned);
  flag(",\"cardinality_missed\":", record.cardinality_missed);
  if (record.truncated) {
    flag(",\"truncated\":", true);
  }
  flag(",\"unconstrained\":", record.unconstrained);
  text(",\"measured_by\":", record.measured_by);
  append(out, ",\"metrics\":");
  append_metrics(out, record.metrics);
  if (std::isfinite(record.bound)) {
    append(out, ",\"bound\":");
    append_number(out, record.bound);
  }
  append(out, ",\"loadings\":");
  append_loadings(out, record.loadings);
  if (!record.facts.empty()) {
    append(out, ",\"facts\":");
    append_metrics(out, record.facts);
  }
  if (!record.trace.empty()) {
    append(out, ",\"trace\":");
    append_trace(out, record.trace);
  }
  // Last, so that the members that may differ between two solves of a cell are at the end
  // (stable_part).
  append(out, ",\"timing\":");
  append_metrics(out, record.timing);
  append(out, ",\"cost\":");
  append_cost(out, record.cost);
  if (record.unoptimised) {
    flag(",\"unoptimised\":", true);
  }
  if (!record.trace.empty()) {
    append(out, ",\"trace_seconds\":");
    append_trace_seconds(out, record.trace);
  }
  out.push_back('}');
  return fmt::to_string(out);
}

std::string record_to_line(const Record& record) {
  return compose_line({.key = record.key,
                       .grid = record.grid,
                       .dataset = record.dataset,
                       .solver = record.solver,
                       .origin = record.origin,
                       .elsewhere = record.elsewhere,
                       .contended = record.contended},
                      answer_text(record));
}

Record record_from_line(const std::string& line) {
  const Json json = parse_json(line);
  if (!json.is_object()) {
    throw InputError("a line that is not a JSON object");
  }
  const RecordReader reader(json);
  Record record;
  reader.read("key", record.key);
  reader.read("grid", record.grid);
  reader.read("dataset", record.dataset);
  reader.read("solver", record.solver);
  reader.read("deflation", record.deflation);
  reader.read("solver_name", record.solver_name);
  reader.read("dataset_name", record.dataset_name);
  reader.read_object("dataset_options", record.dataset_options);
  reader.read_object("options", record.options);
  reader.read("components", record.components);
  reader.read("cardinality", record.cardinality);
  reader.read("repeat", record.repeat);
  reader.read("seed", record.seed);
  reader.read("n", record.n);
  reader.read("p", record.p);
  std::string status;
  reader.read("status", status);
  record.status = status_from_name(status);
  reader.read("message", record.message);
  record.message = kept_message(record.message);  // messages of older versions may have any form
  reader.read("tuned", record.tuned);
  reader.read("cardinality_missed", record.cardinality_missed);
  reader.read("unconstrained", record.unconstrained);
  reader.read_metrics("metrics", record.metrics);
  reader.read_loadings("loadings", record.loadings);
  if (json.contains("facts")) {
    reader.read_metrics("facts", record.facts);
  }
  reader.read_trace(record.trace);
  // Missing in records of older versions.
  if (json.contains("measured_by")) {
    reader.read("measured_by", record.measured_by);
    reader.read_cost(record.cost);
  }
  if (json.contains("truncated")) {
    reader.read("truncated", record.truncated);
  }
  if (json.contains("unoptimised")) {
    reader.read("unoptimised", record.unoptimised);
  }
  if (json.contains("bound")) {
    reader.read("bound", record.bound);
  }
  reader.read("contended", record.contended);
  reader.read_metrics("timing", record.timing);
  if (json.contains("reused")) {
    const RecordReader reused(json["reused"]);
    reused.read("origin", record.origin);
    reused.read("elsewhere", record.elsewhere);
  }
  return record;
}

void refuse_contradiction(Record& record) {
  if (!is_usable(record.status)) {
    return;
  }
  const auto metric = [&](const char* name) {
    const auto found = record.metrics.find(name);
    return found == record.metrics.end() || found->second.empty() ? kNotMeasured
                                                                  : found->second.front();
  };
  const double bound = std::isfinite(record.bound) ? record.bound : metric("upper_bound");
  const double value = metric("projected_variance");
  std::string found =
      find_contradiction({std::isfinite(value) ? value : bound * (1 - metric("gap")),
                          fmt::format("what the answer of {} explains", record.solver_name)},
                         {bound, "its bound in the run"});
  if (!found.empty()) {
    record.status = Status::kInvalid;
    record.message = std::move(found);
    record.metrics.clear();
    record.bound = kNotMeasured;
  }
}

namespace {

/// Collects the damaged lines of a reader that tolerates damage.
class ToleratedLines {
 public:
  void add(std::size_t number, const std::string& why, bool is_readable) {
    if (lines_++ == 0) {
      first_ = fmt::format("{}: {}", number, why);
    }
    unreadable_ += is_readable ? 0 : 1;
  }

  void print(const std::filesystem::path& file) const {
    if (lines_ > 0) {
      fmt::print(stderr, "spca: {}:{}; {} such lines, of which {} cannot be read\n", file.string(),
                 first_, lines_, unreadable_);
    }
  }

 private:
  std::size_t lines_ = 0;
  std::size_t unreadable_ = 0;
  std::string first_;
};

/// The record in a line, if it can be read, and the fault of the line.
struct ReadLine {
  std::optional<Record> record;
  std::string wrong;
};

ReadLine read_checked_line(const std::string& line) {
  ReadLine read;
  try {
    require_check(line);
  } catch (const InputError& error) {
    read.wrong = error.what();
  }
  try {
    read.record = record_from_line(line);
  } catch (const InputError& error) {
    read.wrong = read.wrong.empty() ? error.what() : read.wrong;
  }
  return read;
}

}  // namespace

std::vector<Record> read_records(const std::filesystem::path& cells_file, Damage damage) {
  std::ifstream file(cells_file, std::ios::binary);
  if (!file) {
    throw InputError(fmt::format("{}: cannot be read", cells_file.string()));
  }
  std::vector<Record> records;
  std::unordered_map<CellIdentity, std::size_t, CellIdentityHash> positions;
  ToleratedLines tolerated;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    const bool torn = file.eof();  // no line feed: writing was interrupted
    if (torn) {
      break;
    }
    ReadLine read = read_checked_line(line);
    if (!read.wrong.empty()) {
      if (damage == Damage::kRefused) {
        throw damaged_file(fmt::format("{}:{}", cells_file.string(), number), read.wrong);
      }
      tolerated.add(number, read.wrong, read.record.has_value());
    }
    if (!read.record) {
      continue;
    }
    refuse_contradiction(*read.record);
    // A cell that was run again (because it failed, or the sources changed) has two lines until the
    // run is complete.
    const auto [position, is_new] = positions.emplace(*read.record, records.size());
    if (is_new) {
      records.push_back(std::move(*read.record));
    } else {
      records[position->second] = std::move(*read.record);
    }
  }
  tolerated.print(cells_file);
  return records;
}

}  // namespace spca
