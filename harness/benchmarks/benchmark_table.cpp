#include "harness/benchmarks/benchmark_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/tables/csv_text.h"
#include "harness/tables/number_text.h"
#include "spca/base/error.h"
#include "spca/base/megabyte.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

std::string share_text(double share) {
  return std::isnan(share) ? "-"
         : share == 0      ? "0"
                           : significant_text(100 * share, kScoreDigits) + " %";
}

std::string number_or_dash(double number) {
  return std::isnan(number) ? "-" : significant_text(number, kScoreDigits);
}

std::string optima_text(const SolverScore& score) {
  return fmt::format("{} of {}", score.optima, score.proved);
}

std::string failures_text(const SolverScore& score) { return std::to_string(score.failures); }

std::string not_applicable_text(const SolverScore& score) {
  return std::to_string(score.not_applicable);
}

/// A column of the table.
struct Column {
  const char* name;
  std::string (*text)(const SolverScore& score);
  /// Returns the number that is least for the best solver; NaN if this one cannot be the best. A
  /// column without a best solver has null.
  double (*cost)(const SolverScore& score);
};

/// Returns the number as it is printed unless the solver has failures: then it is of its easier
/// instances alone.
double without_failures(const SolverScore& score, double number) {
  return score.failures == 0 ? as_printed(number) : kNotMeasured;
}

const std::vector<Column>& columns() {
  using Score = const SolverScore&;
  static const std::vector<Column> all = {
      {"optima", optima_text, [](Score score) { return -static_cast<double>(score.optima); }},
      {"median", [](Score score) { return share_text(score.median_shortfall); },
       [](Score score) { return without_failures(score, score.median_shortfall); }},
      {"worst", [](Score score) { return share_text(score.worst_shortfall); },
       [](Score score) { return without_failures(score, score.worst_shortfall); }},
      {"failures", failures_text, [](Score score) { return static_cast<double>(score.failures); }},
      {"n/a", not_applicable_text, nullptr},
      // No best: a solver may do its work on columns and submatrices, which are not counted.
      {"products", [](Score score) { return number_or_dash(score.products); }, nullptr},
      {"time (s)",
       [](Score score) {
         return number_or_dash(score.seconds) + (score.unoptimised ? kUnoptimisedMark : "");
       },
       [](Score score) {
         return score.unoptimised ? kNotMeasured : without_failures(score, score.seconds);
       }},
      // No best: most of it are the program and the data.
      {"memory (MB)",
       [](Score score) { return number_or_dash(score.peak_bytes / kBytesOfAMegabyte); }, nullptr}};
  return all;
}

/// Returns the least cost of the class in each column; NaN if no cost is less than another.
std::vector<double> best_costs(const std::vector<const SolverScore*>& rows,
                               const InstanceClass& of) {
  std::vector<double> best;
  for (const Column& column : columns()) {
    double least = kNotMeasured;
    double most = kNotMeasured;
    for (const SolverScore* row : rows) {
      if (row->of == &of && column.cost != nullptr) {
        least = std::fmin(least, column.cost(*row));
        most = std::fmax(most, column.cost(*row));
      }
    }
    best.push_back(least < most ? least : kNotMeasured);
  }
  return best;
}

std::vector<std::string> notes_of(const std::vector<SolverScore>& scores,
                                  const BenchmarkCaption& caption) {
  std::vector<std::string> notes = {
      "optima: reached, of the instances with a proved optimum that the solver takes. median, "
      "worst: "
      "shortfall from the best known values, over its complete answers; failures are left out, and "
      "a row that has some has no best shortfall or time. failures: no complete answer, or a wrong "
      "one. n/a: instances that the solver does not take, or whose question it does not answer.",
      fmt::format(
          "products: with S, over its complete answers; columns and submatrices are not "
          "counted. products -: they are not counted, as of peers, or there is no answer. "
          "products, time: geometric means shifted by {} and by {} s. A failure counts as the time "
          "limit of {:g} s.",
          kShiftProducts, kShiftSeconds, fmt::join(caption.time_limits, " or ")),
      "memory: the most resident memory that a solve with a complete answer adds to the program "
      "and "
      "the data; of a peer, all of its program."};
  if (caption.missing > 0) {
    notes.insert(notes.begin(), fmt::format("Not finished: {} of {} cells are missing.",
                                            caption.missing, caption.cells));
  }
  if (caption.left_out > 0) {
    notes.push_back(fmt::format("{} of {} instances are left out: no data.", caption.left_out,
                                caption.instances));
  }
  std::map<std::string, std::vector<std::string>> classes_without;  // by solver
  std::set<std::string> classes;
  bool has_no_time = false;
  bool has_unoptimised = false;
  bool has_peer = false;
  std::map<std::string, std::set<std::string>> skipped;  // solvers by reason
  for (const SolverScore& score : scores) {
    has_unoptimised = has_unoptimised || score.unoptimised;
    has_peer = has_peer || (score.is_peer && score.is_applicable());
    has_no_time = has_no_time || (score.is_applicable() && std::isnan(score.seconds));
    classes.insert(score.of->name);
    if (!score.is_applicable()) {
      classes_without[score.solver].push_back(score.of->name);
    }
    if (!score.skipped.empty()) {
      skipped[score.skipped].insert(score.solver);
    }
  }
  if (has_unoptimised) {
    notes.push_back(fmt::format("{} {}", kUnoptimisedMark, kUnoptimisedNote));
  }
  if (has_peer) {
    notes.emplace_back(
        "time and memory of a peer: with its program, such as an interpreter, and its files.");
  }
  if (has_no_time) {
    notes.emplace_back(
        "time -: some cells ran beside others or on another machine; with -j 1 --no-cache in "
        "another folder times are measured.");
  }
  std::map<std::vector<std::string>, std::vector<std::string>> solvers_without;
  for (const auto& [solver, without] : classes_without) {
    solvers_without[without].push_back(solver);
  }
  for (const auto& [without, solvers] : solvers_without) {
    const bool is_all = without.size() == classes.size() && classes.size() > 1;
    notes.push_back(fmt::format("No answer to any instance{}: {}.",
                                is_all ? "" : " of " + join(without), join(solvers)));
  }
  for (const auto& [reason, solvers] : skipped) {
    notes.push_back(fmt::format("{}: skipped: {}.", fmt::join(solvers, ", "), reason));
  }
  return notes;
}

/// Returns the numbers of each solver on each class, under the same names for JSON and CSV.
Json scores_json(const std::vector<SolverScore>& scores) {
  Json list = Json::array();
  for (const SolverScore& score : scores) {
    list.push_back({{"class", score.of->name},
                    {"solver", score.solver},
                    {"instances", score.asked},
                    {"not_applicable", score.not_applicable},
                    {"failures", score.failures},
                    {"proved", score.proved},
                    {"optima", score.optima},
                    {"best_known", score.best},
                    {"improvements", score.improvements},
                    {"own_proofs", score.proofs},
                    {"median_shortfall", number_to_json(score.median_shortfall)},
                    {"worst_shortfall", number_to_json(score.worst_shortfall)},
                    {"products", number_to_json(score.products)},
                    {"seconds", number_to_json(score.seconds)},
                    {"peak_bytes", number_to_json(score.peak_bytes)}});
  }
  return list;
}

const char* outcome_name(const BenchmarkCell& cell) {
  switch (cell.outcome) {
    case CellOutcome::kFailed:
      return cell.is_wrong ? "wrong" : "failed";
    case CellOutcome::kNotApplicable:
      return "not applicable";
    case CellOutcome::kAnswered:
      break;
  }
  return cell.is_improvement() ? "better" : cell.standing.is_reached() ? "reached" : "worse";
}

}  // namespace

std::string BenchmarkCaption::text() const {
  return fmt::format("the library of instances, {}, size {}; spca {}", edition.text(), size,
                     version);
}

Table benchmark_table(const std::vector<SolverScore>& scores, const BenchmarkCaption& caption) {
  std::vector<const SolverScore*> rows;
  std::set<const InstanceClass*> classes;
  for (const SolverScore& score : scores) {
    classes.insert(score.of);
    if (score.is_applicable()) {
      rows.push_back(&score);
    }
  }
  const bool has_classes = classes.size() > 1;
  Table table{.title = "Solvers on " + caption.text(),
              .header = {},
              .rows = {},
              .notes = notes_of(scores, caption),
              .left_columns = has_classes ? 2U : 1U,
              .is_compact = true};
  table.header = has_classes ? std::vector<std::string>{"class", "solver"}
                             : std::vector<std::string>{"solver"};
  for (const Column& column : columns()) {
    table.header.emplace_back(column.name);
  }
  std::map<const InstanceClass*, std::vector<double>> best;
  for (const InstanceClass* of : classes) {
    best[of] = best_costs(rows, *of);
  }
  for (const SolverScore* score : rows) {
    std::vector<std::string>& row = table.rows.emplace_back();
    std::vector<bool>& bold = table.bold.emplace_back(table.left_columns, false);
    if (has_classes) {
      row.push_back(score->of->name);
    }
    row.push_back(score->solver);
    for (std::size_t j = 0; j < columns().size(); ++j) {
      const Column& column = columns()[j];
      row.push_back(column.text(*score));
      bold.push_back(column.cost != nullptr && column.cost(*score) == best[score->of][j]);
    }
  }
  return table;
}

Json benchmark_cells_json(const std::vector<BenchmarkCell>& cells) {
  Json list = Json::array();
  for (const BenchmarkCell& cell : cells) {
    const Record& record = *cell.record;
    const SolveCost& cost = record.cost;
    list.push_back(
        {{"id", cell.known.instance->id},
         {"class", cell.known.of->name},
         {"grid", record.grid},
         {"dataset", record.dataset},
         {"cardinality", record.cardinality},
         {"solver", record.solver},
         {"outcome", outcome_name(cell)},
         {"message", cell.message},
         {"value", number_to_json(cell.standing.value)},
         {"best", number_to_json(cell.known.instance->best.value)},
         {"bound", number_to_json(cell.known.instance->bound.value)},
         {"shortfall", number_to_json(cell.shortfall())},
         {"proof", cell.is_proof},
         {"products", number_to_json(cost.products)},
         {"peak_bytes", number_to_json(cost.peak_bytes)},
         {"solve_seconds",
          number_to_json(has_comparable_timing(record) ? cost.solve_seconds : kNotMeasured)}});
  }
  return list;
}

Json benchmark_json(const std::vector<SolverScore>& scores, const std::vector<BenchmarkCell>& cells,
                    const BenchmarkCaption& caption) {
  return {{"edition", caption.edition.year},    {"digest", caption.edition.digest},
          {"version", caption.version},         {"size", caption.size},
          {"time_limits", caption.time_limits}, {"instances", caption.instances},
          {"left_out", caption.left_out},       {"cells_missing", caption.missing},
          {"shift_seconds", kShiftSeconds},     {"shift_products", kShiftProducts},
          {"solvers", scores_json(scores)},     {"cells", benchmark_cells_json(cells)}};
}

std::string benchmark_csv(const std::vector<SolverScore>& scores) {
  std::string out;
  for (const Json& score : scores_json(scores)) {
    std::vector<std::string> names;
    std::vector<std::string> fields;
    for (const auto& [name, value] : score.items()) {
      names.push_back(name);
      fields.push_back(value.is_string() ? csv_name(value.get<std::string>())
                       : value.is_null() ? ""
                                         : value.dump());
    }
    if (out.empty()) {
      out = fmt::format("{}\n", fmt::join(names, ","));
    }
    out += fmt::format("{}\n", fmt::join(fields, ","));
  }
  return out;
}

}  // namespace spca
