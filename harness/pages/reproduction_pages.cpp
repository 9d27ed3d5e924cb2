#include "harness/pages/reproduction_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/experiments/experiments_digest.h"
#include "harness/experiments/papers.h"
#include "harness/pages/figures.h"
#include "harness/pages/paper_answer.h"
#include "harness/pages/paper_statements.h"
#include "harness/pages/paper_table_text.h"
#include "harness/pages/paper_tables.h"
#include "harness/records/record.h"
#include "harness/records/run_seal.h"
#include "harness/runs/finished_run.h"
#include "harness/tables/number_text.h"
#include "harness/verdicts/bound_tables.h"
#include "harness/verdicts/comparison_tables.h"
#include "harness/verdicts/printed_cell.h"
#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/io/file_descriptor.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

/// The first line of a page.
constexpr char kDigestLine[] = "<!-- spca reproduce --pages; experiments {} -->\n";
constexpr char kSumLine[] = "<!-- {} -->\n";
constexpr const char* kIndexTitle = "# What was reproduced";

/// Returns the page that contains an experiment.
std::string page_of(const std::string& experiment) {
  const std::string paper = paper_of(experiment);
  return paper.empty() ? kWithoutPaper : paper;
}

/// Draws the experiment's figures into the folder. Returns Markdown with each figure, or with the
/// reason why it was not drawn; "" if the experiment has no figures.
std::string figures_text(const JudgedRun& judged, const fs::path& folder,
                         const fs::path& data_dir) {
  const FinishedRun& run = *judged.run;
  if (run.experiment.figures.empty()) {
    return "";
  }
  std::string text;
  const fs::path figures = folder / "figures" / run.experiment.name;
  for (const FigureFile& file : draw_figures({.experiment = &run.experiment,
                                .run = run.directory,
                                .directory = figures,
                                .format = "svg",
                                .small = true,
                                .data_dir = data_dir})) {
    if (file.path.empty()) {
      text += fmt::format(
          "{}\n\n", markdown_paragraph(fmt::format("{}: not drawn, {}", file.title, file.why_not)));
      continue;
    }
    text += fmt::format("![{}](figures/{}/{})\n\n", markdown_text(file.title), run.experiment.name,
                        file.path.filename().string());
    for (const std::string& note : file.notes) {
      text += markdown_paragraph(note) + "\n\n";
    }
  }
  return text;
}

/// Removes the path of the data folder from the text, because it differs on the reader's machine.
/// find_data_file (spca/data/data_folder.h) writes it into the reasons of skipped cells.
std::string without_data_folder(std::string text, const fs::path& data_dir) {
  const std::string said = "is not in the data folder";
  for (const std::string end : {";", ","}) {
    const std::string folder = fmt::format(" {}{}", markdown_text(data_dir.string()), end);
    for (std::size_t at = text.find(said + folder); at != std::string::npos;
         at = text.find(said + folder, at)) {
      text.replace(at + said.size(), folder.size(), end);
    }
  }
  return text;
}

/// Writes the experiment's tables of values and bounds. Reads the records again only if there is
/// such a table.
std::string bounds_text(const JudgedRun& judged) {
  const Experiment& experiment = judged.run->experiment;
  std::string text;
  if (!experiment.bound_tables.empty()) {
    const std::vector<Record> records = read_records(judged.run->directory / "cells.jsonl");
    for (const Table& table : bound_tables(experiment, records, judged.comparisons)) {
      text += render(table, TableFormat::kMarkdown) + "\n";
    }
  }
  return text;
}

/// Writes the curves of a table that has too many numbers for a page to a CSV file. Returns a
/// sentence with the file and the counts.
std::string curve_text(const JudgedRun& judged, const std::vector<PublishedComparison>& comparisons,
                       const fs::path& folder) {
  const Experiment& experiment = judged.run->experiment;
  const PublishedTable& printed =
      experiment.published_tables.at(comparisons.front().published->table);
  Table table{.title = "",
              .header = {"curve", "solver", "k", "published", "ours", "verdict"},
              .rows = {},
              .notes = {}};
  std::map<NumberVerdict, std::size_t> counts;
  for (const PublishedComparison& one : comparisons) {
    ++counts[one.verdict];
    table.rows.push_back({one.published->row, one.solver, cardinality_text(one.cardinality),
                          one.published->printed, significant_text(one.ours, 7),
                          verdict_name(one.verdict)});
  }
  const fs::path file = fs::path("figures") / experiment.name / fmt::format("{}.csv", printed.name);
  fs::create_directories((folder / file).parent_path());
  write_file_atomically(folder / file, render(table, TableFormat::kCsv));
  std::vector<std::string> parts;
  for (const auto& [verdict, count] : counts) {
    parts.push_back(fmt::format("{} {}", count, verdict_name(verdict)));
  }
  return fmt::format("{}: {} numbers of curves, {} ([CSV]({})).\n\n", markdown_text(printed.title),
                     comparisons.size(), join(parts), file.generic_string());
}

/// Writes the numbers of a run that are in no table of the paper.
std::string other_numbers_text(const JudgedRun& judged,
                               const std::set<const PublishedComparison*>& shown,
                               const fs::path& folder) {
  constexpr std::size_t kLongestCurve = 100;
  std::map<std::size_t, std::vector<PublishedComparison>> by_table;
  for (const PublishedComparison& comparison : judged.comparisons) {
    if (!shown.contains(&comparison)) {
      by_table[comparison.published->table].push_back(comparison);
    }
  }
  std::string text;
  for (const auto& [index, comparisons] : by_table) {
    if (comparisons.front().published->is_of_curve && comparisons.size() > kLongestCurve) {
      text += curve_text(judged, comparisons, folder);
      continue;
    }
    for (const Table& table : printed_tables(judged.run->experiment, comparisons)) {
      text += render(table, TableFormat::kMarkdown) + "\n";
    }
  }
  return text;
}

/// Writes how the numbers of an experiment were obtained, as a list.
std::string remarks_text(const Experiment& experiment) {
  std::string text;
  for (const std::string& remark : experiment.remarks) {
    text += fmt::format("- {}\n", markdown_text(remark));
  }
  return text.empty() ? "" : text + "\n";
}

/// Writes how the numbers of one experiment were obtained, and the numbers, bounds and statements
/// that this project added; "" if there are none.
std::string added_section(const JudgedRun& judged,
                          const std::set<const PublishedComparison*>& shown,
                          const fs::path& folder) {
  const Experiment& experiment = judged.run->experiment;
  const std::string text = other_numbers_text(judged, shown, folder) + bounds_text(judged) +
                           statements_text({verdicts_of(judged)}, false);
  return text.empty() && experiment.remarks.empty()
             ? ""
             : fmt::format("### {}: {}\n\n{}\n\n{}{}", experiment.name,
                           markdown_text(experiment.title),
                           markdown_paragraph(experiment.json.value("claim", "")),
                           remarks_text(experiment), text);
}

std::string member_text(const Json& json, const char* name) {
  const auto member = json.find(name);
  return member == json.end()  ? ""
         : member->is_string() ? member->get<std::string>()
                               : member->dump();
}

/// Returns a text such as "Xeon, 2 cores, Linux 6.18, GNU 12.2.0 Release": processor, operating
/// system, compiler and build type of a run.
std::string machine_text(const fs::path& run) {
  const Json manifest = read_manifest(run);
  const Json machine = manifest.value("machine", Json::object());
  const Json build = manifest.value("build", Json::object());
  return fmt::format("{}, {} cores, {}, {} {}", member_text(machine, "processor"),
                     member_text(machine, "cores"), member_text(machine, "operating_system"),
                     member_text(build, "compiler"), member_text(build, "build_type"));
}

/// Writes the command, the size, the time and the tolerances of each experiment, and the machines.
std::string how_text(const std::vector<const JudgedRun*>& runs) {
  Table table{.title = "",
              .header = {"command", "profile", "cells", "solvers' processor time", "tolerance"},
              .rows = {},
              .notes = {}};
  std::vector<std::string> machines;
  for (const JudgedRun* run : runs) {
    std::vector<std::string> rules;
    for (const PublishedComparison& comparison : run->comparisons) {
      add_once(rules, comparison.published->tolerance_rule);
    }
    table.rows.push_back({"spca reproduce " + run->run->experiment.name,
                          run->run->experiment.profile, fmt::format("{}", run->run->summary.cells),
                          format_duration(run->cpu_seconds), join(rules, "; ")});
    add_once(machines, machine_text(run->run->directory));
  }
  table.notes.push_back(fmt::format("Machine: {}.", join(machines, "; ")));
  table.notes.push_back(fmt::format(
      "A number that the paper prints as a mean over repeats: {}, where that is more than the "
      "tolerance.",
      kHalfWidthRule));
  return render(table, TableFormat::kMarkdown);
}

std::string folded(const std::string& summary, const std::string& text) {
  return text.empty()
             ? ""
             : fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n\n", summary, text);
}

/// Returns the counts of a page other than those of the paper's method and its competitors.
std::string added_counts(const Tally& tally) {
  std::string text;
  for (const Count count :
       {Count::kOther, Count::kCheck, Count::kByHand, Count::kProgram, Count::kCertified}) {
    const std::string sentence = count_sentence(tally, count);
    text += sentence.empty() ? "" : sentence + " ";
  }
  return text.empty() ? "" : text.substr(0, text.size() - 1) + "\n\n";
}

/// Returns the command that makes these runs of a paper, and whether they are all of it.
std::string command_sentence(const std::string& paper, const std::vector<std::string>& names,
                             double cpu_seconds) {
  const std::vector<std::string> all = experiments_of("");
  const auto count = static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [&](const std::string& name) { return page_of(name) == paper; }));
  const bool is_whole = names.size() >= count;
  return fmt::format("Run it: `spca reproduce {}`; its solvers take {} of processor time.{}",
                     is_whole ? "--paper " + paper : join(names, " "), format_duration(cpu_seconds),
                     is_whole ? ""
                              : fmt::format(" The paper has {} experiments; this page is of {}.",
                                            count, names.size()));
}

/// Returns the page of a paper without the two lines at its head: the answer, the paper's tables,
/// its statements, its figures, and, folded, the rest.
std::string page_text(const std::string& paper, const std::vector<std::string>& names,
                      const std::vector<const JudgedRun*>& runs, const Tally& tally,
                      const BestKnown& best, const fs::path& folder, const fs::path& data_dir) {
  std::vector<JudgedExperiment> verdicts;
  double cpu_seconds = 0;
  for (const JudgedRun* run : runs) {
    verdicts.push_back(verdicts_of(*run));
    cpu_seconds += run->cpu_seconds;
  }
  const std::vector<PaperTable> tables = paper_tables(verdicts, best);
  const std::string statements = statements_text(verdicts, true);
  const bool has_paper = !tables.empty() || !statements.empty();
  const std::string source = has_paper ? shared_source(verdicts) : "";
  std::string text = fmt::format("# {}\n\n", markdown_text(source.empty() ? paper : source));
  text += has_paper ? answer(tally, tables) + "\n\n" : added_counts(tally);
  text += command_sentence(paper, names, cpu_seconds) + "\n\n";
  if (!tables.empty()) {
    text += markdown_paragraph(std::string(kCellsNote) + kSignsNote) + "\n\n";
  }
  for (const PaperTable& table : tables) {
    text += markdown_of(table);
  }
  if (!statements.empty()) {
    text += fmt::format("## What the paper says in words: {}\n\n{}",
                        claim_counts(tally.claims_of_papers), statements);
  }
  const std::set<const PublishedComparison*> shown = numbers_in(tables);
  std::string figures;
  std::string added;
  std::string stale;
  for (const JudgedRun* run : runs) {
    const std::string drawn = figures_text(*run, folder, data_dir);
    figures += drawn.empty() ? ""
                             : fmt::format("### {}: {}\n\n{}", run->run->experiment.name,
                                           markdown_text(run->run->experiment.title), drawn);
    added += added_section(*run, shown, folder);
    for (const std::string& line : stale_lines(run->run->experiment, run->comparisons)) {
      stale += fmt::format("- {}: {}\n", run->run->experiment.name, markdown_text(line));
    }
  }
  figures = figures.empty() ? "" : "## Figures\n\n" + figures;
  text +=
      has_paper ? figures + folded("What we added", added_counts(tally) + added) : added + figures;
  text += folded("How this was run", how_text(runs) + (stale.empty() ? "" : "\n" + stale));
  return text;
}

std::vector<std::string> lines_of(const fs::path& file, std::size_t count) {
  std::ifstream stream(file);
  std::vector<std::string> lines;
  for (std::string line; lines.size() < count && std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// Returns the second line of a page without the signs of a comment: its counts as JSON, or text
/// in pages of older versions.
std::string sums_of_page(const fs::path& page) {
  const std::vector<std::string> lines = lines_of(page, 2);
  const std::string begin = "<!-- ";
  const std::string end = " -->";
  if (lines.size() < 2 || !lines[1].starts_with(begin) || !lines[1].ends_with(end)) {
    throw InputError(
        fmt::format("--pages: {}: line 2 is not that of a page of `spca reproduce --pages`; "
                    "accepted: such pages alone",
                    page.string()));
  }
  return lines[1].substr(begin.size(), lines[1].size() - begin.size() - end.size());
}

/// The contents of a page that the index shows.
struct IndexedPage {
  std::string name, title, answer;  // the answer is "" on a page of no paper
  Json sums;                        // Tally::json; discarded on a page of an older version
};

IndexedPage indexed(const fs::path& page) {
  IndexedPage indexed{.name = page.stem().string(),
                      .title = "",
                      .answer = "",
                      .sums = Json::parse(sums_of_page(page), nullptr, false)};
  const std::string begin = kAnswerBegin;
  constexpr std::size_t kLinesOfHead = 6;
  for (const std::string& line : lines_of(page, kLinesOfHead)) {
    if (indexed.title.empty() && line.starts_with("# ")) {
      indexed.title = line.substr(2);
    }
    if (line.starts_with(begin)) {
      indexed.answer = line.substr(begin.size(), line.find("**", begin.size()) - begin.size());
    }
  }
  return indexed;
}

std::string link_to(const IndexedPage& page) {
  const std::string title = page.title == page.name ? "" : ": " + page.title;
  return fmt::format("[{0}]({0}.md){1}", page.name, title);
}

std::size_t count_in(const Json& sums, const char* count, const std::string& verdict) {
  const auto found = sums.find(count);
  return found == sums.end() || !found->is_object() ? 0 : found->value(verdict, std::size_t{0});
}

/// Returns the number of printed numbers of the paper's method and its competitors that have this
/// verdict.
std::size_t printed_count(const Json& sums, NumberVerdict verdict) {
  return count_in(sums, json_name(Count::kOwn), verdict_name(verdict)) +
         count_in(sums, json_name(Count::kBaseline), verdict_name(verdict));
}

/// Returns a text such as "23 hold, 3 fail" of "claims" or "our_claims"; "" if there are none.
std::string claims_in(const Json& sums, const char* member) {
  std::map<ClaimVerdict, std::size_t> counts;
  for (const ClaimVerdict verdict : {ClaimVerdict::kHolds, ClaimVerdict::kUndecided,
                                     ClaimVerdict::kFails, ClaimVerdict::kNotRun}) {
    if (const std::size_t count = count_in(sums, member, claim_verdict_name(verdict))) {
      counts[verdict] = count;
    }
  }
  return claim_counts(counts);
}

/// Returns the index's table of the papers: of their printed numbers, how many have each verdict.
std::string papers_text(const std::vector<IndexedPage>& pages) {
  std::vector<NumberVerdict> verdicts;  // those of some page
  for (const NumberVerdict verdict : number_verdicts()) {
    if (std::any_of(pages.begin(), pages.end(), [&](const IndexedPage& page) {
          return printed_count(page.sums, verdict) > 0;
        })) {
      verdicts.push_back(verdict);
    }
  }
  std::string header = "| paper | does it come out? | printed numbers |";
  std::string rule = "|:--|:--|--:|";
  for (const NumberVerdict verdict : verdicts) {
    header += fmt::format(" {} |", verdict_name(verdict));
    rule += "--:|";
  }
  std::string text = header + " its statements | ours |\n" + rule + ":--|:--|\n";
  for (const IndexedPage& page : pages) {
    std::size_t printed = 0;
    std::string counts;
    for (const NumberVerdict verdict : verdicts) {
      const std::size_t count = printed_count(page.sums, verdict);
      printed += count;
      counts += count == 0 ? "  |" : fmt::format(" {} |", count);
    }
    text += fmt::format("| {} | {} | {} |{} {} | {} |\n", link_to(page), page.answer, printed,
                        counts, claims_in(page.sums, "claims"), claims_in(page.sums, "our_claims"));
  }
  return text;
}

/// Returns the index's list of the pages that belong to no paper, or are of an older version.
std::string other_pages_text(const std::vector<IndexedPage>& pages) {
  std::string text;
  for (const IndexedPage& page : pages) {
    std::vector<std::string> parts;
    for (const Count count : all_counts()) {
      std::vector<std::string> counts;
      for (const NumberVerdict verdict : number_verdicts()) {
        if (const std::size_t times =
                count_in(page.sums, json_name(count), verdict_name(verdict))) {
          counts.push_back(fmt::format("{} {}", times, verdict_name(verdict)));
        }
      }
      if (!counts.empty()) {
        parts.push_back(fmt::format("{}: {}", count_name(count), join(counts)));
      }
    }
    if (const std::string claims = claims_in(page.sums, "our_claims"); !claims.empty()) {
      parts.push_back("claims of ours: " + claims);
    }
    text += fmt::format("- {}. {}\n", link_to(page),
                        page.sums.is_discarded()
                            ? fmt::format("Of an older version; `spca reproduce --paper {} --pages "
                                          "results/reproduction` makes it anew.",
                                          page.name)
                        : parts.empty() ? "No number and no claim."
                                        : join(parts, "; ") + ".");
  }
  return text;
}

/// Returns the pages in the folder, without the index, sorted by name.
std::vector<fs::path> pages_in(const fs::path& folder) {
  std::vector<fs::path> pages;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".md" && entry.path().filename() != "README.md") {
      pages.push_back(entry.path());
    }
  }
  std::sort(pages.begin(), pages.end());
  return pages;
}

/// How many cells of a page are done (is_final), and how many are not: skipped or failed. Members
/// of the page's counts.
struct PageCells {
  std::size_t finished = 0, missing = 0;
};
constexpr const char* kFinishedCells = "finished_cells";
constexpr const char* kMissingCells = "missing_cells";

PageCells cells_of(const std::vector<const JudgedRun*>& runs) {
  PageCells cells;
  for (const JudgedRun* run : runs) {
    for (const auto& [status, count] : run->run->summary.by_status) {
      (is_final(status) ? cells.finished : cells.missing) += count;
    }
  }
  return cells;
}

/// Returns none if there is no page, or one of an older version.
PageCells cells_on(const fs::path& page) {
  if (!fs::exists(page)) {
    return {};
  }
  const Json sums = Json::parse(sums_of_page(page), nullptr, false);
  return sums.is_object() ? PageCells{.finished = sums.value(kFinishedCells, std::size_t{0}),
                                      .missing = sums.value(kMissingCells, std::size_t{0})}
                          : PageCells{};
}

void write_index(const fs::path& folder) {
  std::vector<IndexedPage> papers;
  std::vector<IndexedPage> others;
  for (const fs::path& page : pages_in(folder)) {
    const IndexedPage one = indexed(page);
    (one.answer.empty() || one.sums.is_discarded() ? others : papers).push_back(one);
  }
  std::string text = std::string(kIndexTitle) +
                     "\n\n"
                     "Made by `spca reproduce --all --pages results/reproduction`. A page answers "
                     "whether its paper\n"
                     "comes out: the paper's tables with our numbers in their cells, its "
                     "statements, its figures,\n"
                     "and, folded, what we added and how it was run. Printed numbers are those of "
                     "the paper's method\n"
                     "and of its competitors.\n\n";
  text += papers.empty() ? "" : papers_text(papers) + "\n";
  text += others.empty() ? "" : "Pages of no paper's own numbers:\n\n" + other_pages_text(others);
  write_file_atomically(folder / "README.md", text);
}

}  // namespace

void require_pages_folder(const fs::path& folder) {
  if (!fs::exists(folder)) {
    return;
  }
  if (!fs::is_directory(folder)) {
    throw InputError(
        fmt::format("--pages: found the file \"{}\"; accepted: a folder", folder.string()));
  }
  for (const fs::path& page : pages_in(folder)) {
    sums_of_page(page);
  }
  const fs::path index = folder / "README.md";
  if (fs::exists(index) && lines_of(index, 1) != std::vector<std::string>{kIndexTitle}) {
    throw InputError(
        fmt::format("--pages: {}: line 1 is not \"{}\"; accepted: a folder of such pages",
                    index.string(), kIndexTitle));
  }
}

std::vector<std::string> write_reproduction_pages(const fs::path& folder,
                                                  const std::vector<JudgedRun>& runs,
                                                  const BestKnown& best, const fs::path& data_dir) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw InputError(
        fmt::format("--pages: {}: cannot be made: {}", folder.string(), error.message()));
  }
  // Sorted by name, whatever the order of the runs.
  std::map<std::string, std::map<std::string, const JudgedRun*>> pages;
  for (const JudgedRun& run : runs) {
    const std::string& name = run.run->experiment.name;
    pages[page_of(name)][name] = &run;
  }
  std::vector<std::string> left;
  for (const auto& [paper, experiments] : pages) {
    Tally tally;
    std::vector<std::string> names;
    std::vector<const JudgedRun*> of_paper;
    for (const auto& [name, run] : experiments) {
      names.push_back(name);
      of_paper.push_back(run);
      tally.add(run->tally);
    }
    const fs::path page = folder / (paper + ".md");
    const PageCells before = cells_on(page);
    const PageCells now = cells_of(of_paper);
    Json sums = tally.json();
    sums[kFinishedCells] = now.finished;
    sums[kMissingCells] = now.missing;
    // An experiment that has become smaller has fewer cells, but misses none.
    if (now.finished < before.finished && now.missing > before.missing) {
      left.push_back(
          fmt::format("--pages: {}: left as it is: {} of its cells are finished, {} of this run, "
                      "which misses {} (data, a peer or a solve); delete the page to have it so",
                      page.string(), before.finished, now.finished, now.missing));
      continue;
    }
    write_file_atomically(
        page, fmt::format(kDigestLine, experiments_digest(names)) +
                  fmt::format(kSumLine, sums.dump()) +
                  without_data_folder(
                      page_text(paper, names, of_paper, tally, best, folder, data_dir), data_dir));
  }
  write_index(folder);
  return left;
}

}  // namespace spca
