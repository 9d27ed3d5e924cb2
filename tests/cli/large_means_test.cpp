/// Tests the program on data whose means are large relative to their deviations.

#include <fmt/format.h>

#include "spca/base/random.h"
#include "tests/command_line.h"

namespace spca::large_means_test {
namespace {

class LargeMeans : public CommandLine {
 protected:
  /// Writes the matrix as a dense table and as coordinates, and converts each to a file that is
  /// mapped.
  void write_storages(const std::vector<std::vector<double>>& rows) {
    std::string table, entries;
    std::size_t count = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < rows[i].size(); ++j) {
        table += fmt::format("{}{}", j == 0 ? "" : ",", rows[i][j]);
        if (rows[i][j] != 0) {
          entries += fmt::format("{} {} {}\n", i + 1, j + 1, rows[i][j]);
          ++count;
        }
      }
      table += "\n";
    }
    write("x.csv", table);
    write("x.mtx", fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n{}",
                               rows.size(), rows.front().size(), count, entries));
    ASSERT_EQ(run("convert x.mtx x.spca").code, 0);
    ASSERT_EQ(run("convert x.csv y.spca").code, 0);
  }

  Json solve(const std::string& arguments) {
    const Finished finished = run("solve --json --kind data " + arguments);
    EXPECT_EQ(finished.code, 0) << arguments << "\n" << finished.err;
    return finished.code == 0 ? Json::parse(finished.out) : Json();
  }
};

constexpr const char* kFiles[] = {"x.csv", "x.mtx", "x.spca", "y.spca"};

TEST_F(LargeMeans, TwoEqualColumnsExplainAHalfByEverySolver) {
  write_storages({{1e8, 1e8}, {1e8 + 1, 1e8 + 1}, {1e8, 1e8}, {1e8 + 1, 1e8 + 1}});
  for (const char* file : kFiles) {
    for (const char* solver : {"exhaustive", "branch-bound", "tpower", "search", "em",
                               "branch-price", "fullpath", "pca"}) {
      const std::string cardinality = std::string(solver) == "pca" ? "" : " --cardinality 2";
      const Json result = solve(fmt::format("--data {} --solver {}{}", file, solver, cardinality));
      ASSERT_FALSE(result.is_null());
      EXPECT_NEAR(result["components"][0]["explained_variance"].get<double>(), 0.5, 1e-15)
          << file << " " << solver;
    }
  }
}

TEST_F(LargeMeans, NoBoundIsBelowTheOptimumOfTheDenseData) {
  Random random(3);
  for (const double mean : {1.0, 1e6, 1e8, 1e12}) {
    std::vector<std::vector<double>> rows(200, std::vector<double>(6));
    for (std::vector<double>& row : rows) {
      const double common = 2 * random.normal();
      for (double& entry : row) {
        entry = mean + common + random.normal();
      }
    }
    write_storages(rows);
    const double optimum = solve(
        "--data x.csv --solver exhaustive --cardinality 3")["components"][0]["explained_variance"];
    for (const char* file : kFiles) {
      for (const char* solver : {"branch-bound", "search", "spannogram-bound"}) {
        const Json result =
            solve(fmt::format("--data {} --solver {} --cardinality 3", file, solver));
        const double value = result["components"][0]["explained_variance"];
        EXPECT_NEAR(value, optimum, 1e-13 * optimum) << file << " " << solver << " " << mean;
        const Json& bound = result["upper_bound"];
        EXPECT_GE(bound.get<double>(), optimum * (1 - 1e-14)) << file << " " << solver;
      }
    }
  }
}

TEST_F(LargeMeans, ScoresAreThoseOfTheDenseData) {
  write_storages({{1e8, 1e8, 3}, {1e8 + 1, 1e8 + 1, 0}, {1e8, 0, 0}, {1e8 + 1, 1e8 + 1, 4}});
  const std::string solve = "solve --kind data --solver tpower --cardinality 3 -o r.json --data ";
  for (const char* solved : kFiles) {
    ASSERT_EQ(run(solve + solved).code, 0);
    const std::string expected = run("project r.json --data x.csv").out;
    EXPECT_EQ(line_count(expected), 5U);
    for (const char* file : kFiles) {
      EXPECT_EQ(run(fmt::format("project r.json --data {}", file)).out, expected) << file;
    }
  }
}

}  // namespace
}  // namespace spca::large_means_test
