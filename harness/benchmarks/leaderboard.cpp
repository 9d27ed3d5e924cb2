#include "harness/benchmarks/leaderboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "harness/tables/number_text.h"
#include "spca/base/error.h"

namespace spca {
namespace {

/// Returns the title of the section of a size.
std::string title_of(InstanceExtent extent) {
  const std::vector<std::string> titles = {
      fmt::format("Built-in data of at most {} variables", kSmallInstance),
      fmt::format("Data from files, at most {} variables", kSmallInstance),
      fmt::format("More than {} variables", kSmallInstance),
      fmt::format("More than {} variables", kLargeInstance)};
  return titles.at(static_cast<std::size_t>(extent));
}

std::string answer_words(const SolverScore& score) {
  std::string worst;
  if (score.worst_shortfall > 0) {
    constexpr double kLeastPercent = 1e-4;
    worst = fmt::format(", and is {} from the best known value",
                        score.worst_shortfall < kLeastPercent
                            ? "less than " + percent_text(kLeastPercent)
                            : "at most " + percent_text(score.worst_shortfall));
  } else if (score.worst_shortfall == 0) {
    worst = score.proved > 0 ? ", and always the best known value"
                             : ", and always reached the best known value";
  }
  if (score.failures > 0) {
    worst += fmt::format(", but failed on {}", score.failures);
  }
  if (score.not_applicable > 0) {
    worst += fmt::format(", but takes only {} of {} instances", score.asked - score.not_applicable,
                         score.asked);
  }
  const std::string reached =
      score.proved > 0 ? fmt::format("reached {} of {} proved optima", score.optima, score.proved)
                       : "came nearest, where no optimum is proved";
  return fmt::format("`{}` {}{}", score.solver, reached, worst);
}

/// Returns the score with the most proofs of its own; null if no solver proved an answer.
const SolverScore* best_prover(const std::vector<SolverScore>& scores, const InstanceClass& of) {
  const SolverScore* best = nullptr;
  for (const SolverScore& score : scores) {
    if (score.of == &of && score.proofs > (best == nullptr ? 0 : best->proofs)) {
      best = &score;
    }
  }
  return best;
}

/// Returns the item that says which solver to trust for the class; `which` restricts its instances,
/// in words.
std::string sentence(const std::vector<SolverScore>& scores, const InstanceClass& of,
                     const std::string& which) {
  const std::string begin = fmt::format("- **{}{}** ({})", of.name, which, of.summary);
  const auto first = std::find_if(scores.begin(), scores.end(), [&](const SolverScore& score) {
    return score.of == &of && score.is_applicable();
  });
  if (first == scores.end()) {
    return begin + ": no solver answered.\n";
  }
  std::string text = fmt::format("{}: {}.", begin, answer_words(*first));
  if (const SolverScore* const prover = best_prover(scores, of)) {
    text += fmt::format(" With a proof: `{}` proved {} of its {} answers.", prover->solver,
                        prover->proofs, prover->asked - prover->not_applicable - prover->failures);
  } else {
    text += " No proof of a solver was counted; the library has bounds.";
  }
  return text + "\n";
}

std::vector<const InstanceClass*> classes_of(const std::vector<SolverScore>& scores) {
  std::vector<const InstanceClass*> classes;
  for (const SolverScore& score : scores) {
    if (std::find(classes.begin(), classes.end(), score.of) == classes.end()) {
      classes.push_back(score.of);
    }
  }
  return classes;
}

std::size_t count_instances(const std::vector<BenchmarkCell>& cells, bool only_proved) {
  std::map<std::string, bool> is_proved;
  for (const BenchmarkCell& cell : cells) {
    is_proved[cell.known.instance->id] = cell.known.is_proved();
  }
  return static_cast<std::size_t>(
      std::count_if(is_proved.begin(), is_proved.end(),
                    [&](const auto& one) { return one.second || !only_proved; }));
}

std::vector<BenchmarkCell> cells_of(const std::vector<BenchmarkCell>& cells,
                                    InstanceExtent extent) {
  std::vector<BenchmarkCell> some;
  std::copy_if(cells.begin(), cells.end(), std::back_inserter(some),
               [&](const BenchmarkCell& cell) { return extent_of(*cell.known.data) == extent; });
  return some;
}

/// Returns the tables of the cells of one size, without the notes that the page has above them.
std::string section(const std::vector<BenchmarkCell>& cells, InstanceExtent extent,
                    const BenchmarkCaption& caption, const std::vector<std::string>& above) {
  std::map<const InstanceClass*, std::vector<BenchmarkCell>> of_class;
  const std::vector<BenchmarkCell> of_size = cells_of(cells, extent);
  for (const BenchmarkCell& cell : of_size) {
    of_class[cell.known.of].push_back(cell);
  }
  std::vector<std::pair<const InstanceClass*, std::vector<BenchmarkCell>>> sorted(of_class.begin(),
                                                                                  of_class.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.first->generality < b.first->generality; });
  std::string text;
  for (const auto& [of, some] : sorted) {
    Table table = benchmark_table(solver_scores(some), caption);
    table.title.clear();
    std::erase_if(table.notes, [&](const std::string& note) {
      return std::find(above.begin(), above.end(), note) != above.end();
    });
    text += fmt::format("\n### {}: {} instances, {} proved\n\n{}", of->name,
                        count_instances(some, false), count_instances(some, true),
                        render(table, TableFormat::kMarkdown));
  }
  return text.empty()
             ? ""
             : fmt::format("\n## {}\n\nTime limit of a solve: {:g} s.\n{}", title_of(extent),
                           fmt::join(time_limits_of(of_size), " or "), text);
}

}  // namespace

std::string leaderboard(const std::vector<BenchmarkCell>& cells, const BenchmarkCaption& caption) {
  const std::vector<SolverScore> scores = solver_scores(cells);
  std::string text = "# Which solver should I trust?\n\n";
  for (const InstanceClass* of : classes_of(scores)) {
    text += sentence(scores, *of, "");
  }
  const std::vector<SolverScore> of_huge = solver_scores(cells_of(cells, InstanceExtent::kHuge));
  for (const InstanceClass* of : classes_of(of_huge)) {
    text += sentence(of_huge, *of, fmt::format(", more than {} variables", kLargeInstance));
  }
  text += fmt::format("\n{}.\n", markdown_paragraph("Solvers on " + caption.text()));
  const std::vector<std::string> notes = benchmark_table(scores, caption).notes;
  for (const std::string& note : notes) {
    text += fmt::format("\n{}\n", markdown_paragraph(note));
  }
  for (const InstanceExtent extent : instance_extents()) {
    text += section(cells, extent, caption, notes);
  }
  return text;
}

LeaderboardAnswers read_leaderboard(const std::filesystem::path& file) {
  LeaderboardAnswers answers;
  const std::string item = "- ";
  std::ifstream lines(file);
  for (std::string line; answers.caption.empty() && std::getline(lines, line);) {
    line.erase(
        std::remove_if(line.begin(), line.end(), [](char c) { return c == '*' || c == '`'; }),
        line.end());
    if (line.starts_with(item)) {
      answers.sentences.push_back(line.substr(item.size()));
    } else if (!answers.sentences.empty()) {
      answers.caption = line;
    }
  }
  if (answers.caption.empty()) {
    throw InputError(
        fmt::format("{}: is not a page of `spca benchmark --leaderboard`; accepted: such a page",
                    file.string()));
  }
  return answers;
}

}  // namespace spca
