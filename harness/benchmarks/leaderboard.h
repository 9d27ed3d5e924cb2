#pragma once

/// Makes results/leaderboard.md from the cells of a benchmark, and reads it.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/benchmarks/benchmark_table.h"

namespace spca {

/// Returns a page in Markdown: for each class an item that names the solver to trust and the solver
/// that proves the most answers, if any does; then a table for each class and size. A size has the
/// instances that no smaller one has.
std::string leaderboard(const std::vector<BenchmarkCell>& cells, const BenchmarkCaption& caption);

/// The text of a page of leaderboard() before its tables, without the signs of Markdown.
struct LeaderboardAnswers {
  std::vector<std::string> sentences;  // the item of each class
  std::string caption;                 // edition, size and version
};
/// Reads a page of leaderboard(). Throws InputError if the file is not such a page.
LeaderboardAnswers read_leaderboard(const std::filesystem::path& file);

}  // namespace spca
