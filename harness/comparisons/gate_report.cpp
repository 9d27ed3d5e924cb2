#include "harness/comparisons/gate_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "harness/tables/number_text.h"
#include "harness/tables/table.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

/// The verdicts that a gate gives, the gravest first.
constexpr std::array kVerdicts = {Verdict::kFailed,  Verdict::kWorse,  Verdict::kNotComparable,
                                  Verdict::kSlower,  Verdict::kBetter, Verdict::kMatch,
                                  Verdict::kNotGated};

/// Returns `value` with nine digits, which show any difference beyond a relative tolerance of 1e-6.
std::string number(double value) { return std::isfinite(value) ? significant_text(value, 9) : "-"; }
std::string short_number(double value) {
  return std::isfinite(value) ? significant_text(value, 3) : "-";
}

/// Describes the pairs of repeats behind a difference: their number and the result of the test.
std::string repeats_text(const PairedComparison& pairs) {
  if (pairs.pairs < 2) {
    return "";
  }
  if (pairs.ratio) {
    return fmt::format("{} repeats, ratio {:.3g} to {:.3g}", pairs.pairs, pairs.ratio->low,
                       pairs.ratio->high);
  }
  const std::string signs =
      fmt::format("{} repeats, {} better, {} worse", pairs.pairs, pairs.better, pairs.worse);
  return std::isfinite(pairs.p_value) ? fmt::format("{}, p = {:.2g}", signs, pairs.p_value) : signs;
}

std::string why(const MetricCheck& check) {
  const std::string repeats = repeats_text(check.pairs);
  return fmt::format("{}{}{}", check.reason, check.reason.empty() || repeats.empty() ? "" : "; ",
                     repeats);
}

std::vector<std::string> row(const CellCheck& cell, const MetricCheck& check) {
  return {cell.reference->label(),
          verdict_name(check.verdict),
          check.metric,
          number(check.pairs.ours),
          number(check.pairs.reference),
          short_number(check.pairs.difference),
          short_number(check.pairs.tolerance),
          why(check)};
}

/// Adds a row for each problem and each metric with this verdict, of the cells inside the gate.
void add_rows(const GateReport& report, Verdict verdict, Table& table) {
  for (const CellCheck& cell : report.cells) {
    if (cell.verdict == Verdict::kNotGated) {
      continue;  // outside the gate, even if it fails
    }
    for (const CellProblem& problem : cell.problems) {
      if (problem.verdict == verdict) {
        table.rows.push_back(
            {cell.reference->label(), verdict_name(verdict), "", "", "", "", "", problem.reason});
      }
    }
    for (const MetricCheck& check : cell.metrics) {
      if (check.verdict == verdict) {
        table.rows.push_back(row(cell, check));
      }
    }
  }
}

Table difference_table(const GateReport& report) {
  Table table;
  table.header = {"cell",      "verdict",    "metric",    "ours",
                  "reference", "difference", "tolerance", "why"};
  for (const Verdict verdict : {Verdict::kFailed, Verdict::kWorse, Verdict::kNotComparable,
                                Verdict::kSlower, Verdict::kBetter}) {
    add_rows(report, verdict, table);
  }
  return table;
}

std::string plural(std::size_t count, const std::string& word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string counts_text(const GateReport& report) {
  std::vector<std::string> counts;
  for (const Verdict verdict : kVerdicts) {
    if (report.count(verdict) > 0) {
      counts.push_back(fmt::format("{} {}", report.count(verdict), verdict_name(verdict)));
    }
  }
  return join(counts);
}

std::string verdict_line(const GateReport& report, const GateReference& reference) {
  return fmt::format("{}: {} against {}: {}{}{} (exit code {})", verdict_name(report.verdict),
                     report.experiment, reference.name, plural(report.cells.size(), "cell"),
                     report.cells.empty() ? "" : "; ", counts_text(report),
                     exit_code(report.verdict));
}

/// Returns the hint that says how to take better or new results into the reference.
std::string keeping_hint(ReferenceKind kind) {
  return kind == ReferenceKind::kHistory
             ? "hint: `spca history add RUN` adds this run to the history; what half of its last "
               "runs have is in their median"
             : "hint: `spca baseline RUN -o FILE` takes what is better or new into the baseline";
}

/// Returns each reason with the number of cells to which it applies. The reason for one metric of a
/// cell is "metric: reason".
std::map<std::string, std::size_t> not_gated_reasons(const GateReport& report) {
  std::map<std::string, std::size_t> reasons;
  for (const CellCheck& cell : report.cells) {
    if (cell.verdict == Verdict::kNotGated) {
      ++reasons[why_not_gated(cell)];
      continue;
    }
    for (const MetricCheck& check : cell.metrics) {
      if (check.verdict == Verdict::kNotGated) {
        ++reasons[fmt::format("{}: {}", check.metric, check.reason)];
      }
    }
  }
  return reasons;
}

/// Returns the metrics that the reference lacks, with their number of cells.
std::map<std::string, std::size_t> new_metrics(const GateReport& report) {
  std::map<std::string, std::size_t> counts;
  for (const CellCheck& cell : report.cells) {
    for (const std::string& metric : cell.new_metrics) {
      ++counts[metric];
    }
  }
  return counts;
}

/// Returns the text after the table: notes, metrics that are not gated, new cells, a hint. Equal
/// remarks are merged and counted, because a baseline has hundreds of cells.
std::vector<std::string> remarks(const GateReport& report, ReferenceKind kind) {
  std::vector<std::string> lines;
  std::map<std::string, std::size_t> notes;
  for (const CellCheck& cell : report.cells) {
    for (const std::string& note : cell.notes) {
      ++notes[note];
    }
  }
  lines.reserve(lines.size() + notes.size());
  for (const auto& [note, count] : notes) {
    lines.push_back(fmt::format("note: {} ({})", note, plural(count, "cell")));
  }
  for (const auto& [reason, count] : not_gated_reasons(report)) {
    lines.push_back(fmt::format("not gated: {} ({})", reason, plural(count, "cell")));
  }
  for (const std::string& label : report.new_cells) {
    lines.push_back(fmt::format("new, not in the {}: {}",
                                kind == ReferenceKind::kHistory ? "history" : "baseline", label));
  }
  const bool has_better =
      std::any_of(report.cells.begin(), report.cells.end(), [](const auto& cell) {
        const auto is_better = [](const auto& one) { return one.verdict == Verdict::kBetter; };
        return std::any_of(cell.metrics.begin(), cell.metrics.end(), is_better) ||
               std::any_of(cell.problems.begin(), cell.problems.end(), is_better);
      });
  for (const auto& [metric, count] : new_metrics(report)) {
    lines.push_back(fmt::format("new, not in the {}: the metric {} ({})",
                                kind == ReferenceKind::kHistory ? "history" : "baseline", metric,
                                plural(count, "cell")));
  }
  // A baseline of this run takes all of its numbers, worse ones too, and loses the cells that it
  // lacks. A history keeps them.
  const bool loses = report.verdict == Verdict::kFailed || report.verdict == Verdict::kWorse ||
                     report.verdict == Verdict::kSlower ||
                     (report.verdict == Verdict::kNotComparable && kind != ReferenceKind::kHistory);
  if (!loses && (has_better || !report.new_cells.empty())) {
    lines.push_back(keeping_hint(kind));
  }
  return lines;
}

Json metric_json(const MetricCheck& check) {
  const PairedComparison& pairs = check.pairs;
  Json json = {{"metric", check.metric},
               {"verdict", verdict_name(check.verdict)},
               {"reason", check.reason},
               {"ours", number_to_json(pairs.ours)},
               {"reference", number_to_json(pairs.reference)},
               {"difference", number_to_json(pairs.difference)},
               {"tolerance", number_to_json(pairs.tolerance)},
               {"direction", direction_name(check.rule.direction)},
               {"absolute", check.rule.absolute},
               {"relative", check.rule.relative},
               {"gate", gate_name(check.rule.gate)},
               {"repeats", pairs.pairs},
               {"better", pairs.better},
               {"worse", pairs.worse},
               {"p_value", number_to_json(pairs.p_value)},
               {"ratio_interval", nullptr}};
  if (pairs.ratio) {
    json["ratio_interval"] = {pairs.ratio->low, pairs.ratio->high};
  }
  return json;
}

Json cell_json(const CellCheck& cell) {
  Json problems = Json::array();
  for (const CellProblem& problem : cell.problems) {
    problems.push_back({{"verdict", verdict_name(problem.verdict)}, {"reason", problem.reason}});
  }
  Json metrics = Json::array();
  for (const MetricCheck& check : cell.metrics) {
    metrics.push_back(metric_json(check));
  }
  return {{"grid", cell.reference->grid},
          {"dataset", cell.reference->dataset},
          {"solver", cell.reference->solver},
          {"deflation", cell.reference->deflation},
          {"cardinality", cell.reference->cardinality},
          {"verdict", verdict_name(cell.verdict)},
          {"problems", problems},
          {"notes", cell.notes},
          {"metrics", metrics}};
}

}  // namespace

std::string why_not_gated(const CellCheck& cell) {
  // Another verdict than this one means that the baseline takes the cell out of the gate.
  return cell.problems.empty() || cell.problems.front().verdict != Verdict::kNotGated
             ? "its gates are none"
             : cell.problems.front().reason;
}

std::string metric_line(const MetricCheck& check) {
  const std::string reason = why(check);
  return fmt::format("{} {}: ours {}, reference {}, difference {}, tolerance {}{}{}", check.metric,
                     verdict_name(check.verdict), number(check.pairs.ours),
                     number(check.pairs.reference), short_number(check.pairs.difference),
                     short_number(check.pairs.tolerance), reason.empty() ? "" : "; ", reason);
}

std::string gate_text(const GateReport& report, const GateReference& reference) {
  std::string text = verdict_line(report, reference) + "\n";
  const Table table = difference_table(report);
  if (!table.rows.empty()) {
    text += "\n";
    text += render(table, TableFormat::kText);
  }
  const std::vector<std::string> lines = remarks(report, reference.kind);
  if (!lines.empty()) {
    text += fmt::format("\n{}\n", join(lines, "\n"));
  }
  return text;
}

std::string gate_markdown(const GateReport& report, const GateReference& reference) {
  Table table = difference_table(report);
  table.title = verdict_line(report, reference);
  table.notes = remarks(report, reference.kind);
  if (!table.rows.empty()) {
    return render(table, TableFormat::kMarkdown);
  }
  std::string text = fmt::format("**{}**\n", markdown_text(table.title));
  for (const std::string& note : table.notes) {
    text += fmt::format("\n{}\n", markdown_paragraph(note));
  }
  return text;
}

Json gate_json(const GateReport& report, const GateReference& reference) {
  Json counts = Json::object();
  for (const Verdict verdict : kVerdicts) {
    counts[verdict_name(verdict)] = report.count(verdict);
  }
  Json cells = Json::array();
  for (const Verdict verdict : kVerdicts) {
    for (const CellCheck& cell : report.cells) {
      if (cell.verdict == verdict) {
        cells.push_back(cell_json(cell));
      }
    }
  }
  return {{"verdict", verdict_name(report.verdict)},
          {"exit_code", exit_code(report.verdict)},
          {"experiment", report.experiment},
          {"baseline", reference.name},
          {"counts", counts},
          {"cells", cells},
          {"new_cells", report.new_cells},
          {"remarks", remarks(report, reference.kind)}};
}

}  // namespace spca
