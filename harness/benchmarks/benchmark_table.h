#pragma once

/// Prints the scores of a benchmark.

#include <string>
#include <vector>

#include "harness/benchmarks/solver_scores.h"
#include "harness/instances/library_edition.h"
#include "harness/tables/table.h"

namespace spca {

/// The circumstances of a benchmark, for captions.
struct BenchmarkCaption {
  LibraryEdition edition;
  std::string version;              // of this program
  std::string size;                 // "built-in"
  std::vector<double> time_limits;  // time_limits_of the cells
  std::size_t instances = 0;        // of this size and class in the library
  std::size_t left_out = 0;         // of these, because their data are missing or have other bytes
  std::size_t cells = 0;            // of the benchmark
  std::size_t missing = 0;          // of these, because it was interrupted

  /// Returns "the library of instances, edition 2026 (sha256 ...), size built-in; spca 0.1.0".
  std::string text() const;
};

/// Returns one table: a row for each class and solver, best first, with the best numbers of a class
/// in bold. Shortfalls and times of a row with failures take no part in that. A solver to which no
/// instance of a class applies (SolverScore::is_applicable) is named below the table instead. With
/// one class there is no column of classes.
Table benchmark_table(const std::vector<SolverScore>& scores, const BenchmarkCaption& caption);

/// Returns the scores with all digits, and every cell.
Json benchmark_json(const std::vector<SolverScore>& scores, const std::vector<BenchmarkCell>& cells,
                    const BenchmarkCaption& caption);

/// Returns the scores with all digits as comma-separated values: a line of names, which are those
/// of JSON, and a line for each class and solver. A field that was not measured is empty.
std::string benchmark_csv(const std::vector<SolverScore>& scores);

/// Returns the cells: instance, solver, outcome, value, shortfall and costs.
Json benchmark_cells_json(const std::vector<BenchmarkCell>& cells);

}  // namespace spca
