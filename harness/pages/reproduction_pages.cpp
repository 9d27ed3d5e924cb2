#include "harness/pages/reproduction_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/experiments/experiments_digest.h"
#include "harness/experiments/papers.h"
#include "harness/pages/figures.h"
#include "harness/records/record.h"
#include "harness/runs/finished_run.h"
#include "harness/verdicts/bound_tables.h"
#include "harness/verdicts/comparison_tables.h"
#include "spca/base/error.h"
#include "spca/io/file_descriptor.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

/// The first line of a page.
constexpr char kDigestLine[] = "<!-- spca reproduce --pages; experiments {} -->\n";
constexpr char kSumLine[] = "<!-- {} -->\n";
/// The page of experiments that are in no folder.
constexpr const char* kWithoutPaper = "others";
constexpr const char* kIndexTitle = "# What was reproduced";

/// Returns the page that contains an experiment.
std::string page_of(const std::string& experiment) {
  const std::string paper = paper_of(experiment);
  return paper.empty() ? kWithoutPaper : paper;
}

/// Draws the experiment's figures into the folder. Returns them as Markdown, or the reason why
/// there are none.
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

/// Writes each known difference with the experiment that measures it.
std::string differences_text(const Experiment& experiment) {
  std::string text;
  for (const KnownDifference& difference : experiment.known_differences) {
    text += fmt::format("- {}\n", markdown_text(explanation_text(difference)));
  }
  return text.empty() ? "" : "Known differences:\n\n" + text + "\n";
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

std::string section(const JudgedRun& judged, const fs::path& folder, const fs::path& data_dir) {
  const Experiment& experiment = judged.run->experiment;
  std::string text = fmt::format(
      "## {}: {}\n\n{}\n\nProfile {}, {} cells. {}.\n\n", experiment.name,
      markdown_text(experiment.title), markdown_paragraph(experiment.json.value("claim", "")),
      experiment.profile, judged.run->summary.cells, markdown_text(judged.tally.text()));
  for (const Table& table : printed_tables(experiment, judged.comparisons)) {
    text += render(table, TableFormat::kMarkdown) + "\n";
  }
  text += bounds_text(judged);
  for (const Table& table : claim_tables(judged.claims)) {
    text += render(table, TableFormat::kMarkdown) + "\n";
  }
  return text + differences_text(experiment) + figures_text(judged, folder, data_dir);
}

std::vector<std::string> lines_of(const fs::path& file, std::size_t count) {
  std::ifstream stream(file);
  std::vector<std::string> lines;
  for (std::string line; lines.size() < count && std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// Returns the counts in the second line of a page.
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

/// Returns the pages of papers in the folder, sorted by name.
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

void write_index(const fs::path& folder) {
  std::string text =
      std::string(kIndexTitle) +
      "\n\n"
      "Made by `spca reproduce --all --pages results/reproduction`. A page has the tables of one\n"
      "paper with ours beside them, its claims, and what is known of differences.\n\n"
      "| paper | counts |\n|:--|:--|\n";
  for (const fs::path& page : pages_in(folder)) {
    text += fmt::format("| [{0}]({0}.md) | {1} |\n", page.stem().string(),
                        markdown_text(sums_of_page(page)));
  }
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

void write_reproduction_pages(const fs::path& folder, const std::vector<JudgedRun>& runs,
                              const fs::path& data_dir) {
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
  for (const auto& [paper, experiments] : pages) {
    Tally tally;
    std::vector<std::string> names;
    std::string sections;
    for (const auto& [name, run] : experiments) {
      names.push_back(name);
      tally.add(run->tally);
      sections += without_data_folder(section(*run, folder, data_dir), data_dir);
    }
    write_file_atomically(
        folder / (paper + ".md"),
        fmt::format(kDigestLine, experiments_digest(names)) + fmt::format(kSumLine, tally.text()) +
            fmt::format("# {}\n\n{}.\n\n{}", paper, markdown_text(tally.text()), sections));
  }
  write_index(folder);
}

}  // namespace spca
