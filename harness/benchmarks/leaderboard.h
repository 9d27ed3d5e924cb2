#pragma once

/// Makes results/leaderboard.md of the cells of a benchmark.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/benchmarks/benchmark_table.h"

namespace spca {

/// Returns a page in Markdown: for each class a sentence that names the solver to trust, and the
/// one that proves its answers; then a table for each class and size. A size has the instances that
/// no smaller one has.
std::string leaderboard(const std::vector<BenchmarkCell>& cells, const BenchmarkCaption& caption);

/// The text of a page of leaderboard() before its tables, without the signs of Markdown.
struct LeaderboardAnswers {
  std::vector<std::string> sentences;  // one for each class
  std::string caption;                 // solvers, size, time limit, version and edition
};
/// Throws InputError if the file is no such page.
LeaderboardAnswers read_leaderboard(const std::filesystem::path& file);

}  // namespace spca
