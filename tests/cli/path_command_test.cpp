/// `spca path` as its user meets it.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/command_line.h"

namespace spca::path_command_test {
namespace {

const std::string kPath = "path --dataset pitprops --solver tpower --cardinality ";

TEST_F(CommandLine, PathFindsTheOptimaOfPitpropsBelowTheirBounds) {
  const Json answer = run_json(kPath + "1:13");
  const Json& points = answer["solvers"][0]["points"];
  ASSERT_EQ(points.size(), 13U);
  // The certified optima that the quickstart compares with, to their printed digits.
  EXPECT_NEAR(points[4]["value"].get<double>(), 3.406, 5e-4);
  EXPECT_NEAR(points[12]["value"].get<double>(), 4.219, 5e-4);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(points[i]["cardinality"], i + 1);
    EXPECT_LE(points[i]["value"].get<double>(), answer["bounds"][i]["upper_bound"].get<double>());
  }
  EXPECT_EQ(answer["solvers"][0]["suggested"]["cross_validation"], nullptr);
  EXPECT_NE(answer["without_cross_validation"], "") << "S has no samples to leave out";
}

TEST_F(CommandLine, PathSaysWhereTheBestKIsOnlyTheLargestThatWasTried) {
  const std::string spiked = "path --dataset spiked --solver tpower --cardinality ";
  const std::string more = "the largest k that was tried";
  EXPECT_NE(run(spiked + "2:6").out.find(more), std::string::npos);
  EXPECT_EQ(run(kPath + "1:13").out.find(more), std::string::npos) << "there is none beyond p";
}

TEST_F(CommandLine, PathGivesTheSameBytesForTheSameSeed) {
  const std::string command =
      "path --dataset spiked --solver tpower --cardinality 8:12:2 --resamples 4 --folds 3 --seed 7";
  const std::string first = run(command).out;
  EXPECT_NE(first, "");
  EXPECT_EQ(run(command).out, first);
}

/// Runs `spca path` of the program that has the test-only solvers.
class MisbehavingPath : public CommandLine {
 protected:
  Finished path(const std::string& arguments) const {
    return shell("'" SPCA_MISBEHAVING_PROGRAM "' path --dataset pitprops --solver " + arguments);
  }
  /// Exit code 3. The last line on stderr and the table both give `reason`.
  static void expect_invalid(const Finished& finished, const std::string& reason) {
    EXPECT_EQ(finished.code, 3) << finished.out;
    const std::size_t line = finished.err.find("spca: misbehave-");
    ASSERT_NE(line, std::string::npos) << finished.err;
    EXPECT_EQ(line_count(finished.err.substr(line)), 1U) << finished.err;
    EXPECT_NE(finished.err.find(": " + reason, line), std::string::npos) << finished.err;
    EXPECT_NE(finished.out.find("\n  " + reason), std::string::npos) << finished.out;
  }
};

TEST_F(MisbehavingPath, ShowsAnInfeasibleAnswerAsInvalid) {
  expect_invalid(path("misbehave-infeasible --cardinality 2:3"),
                 "k = 2: invalid: component 1: 3 nonzeros, 2 allowed");
  const Json answer = Json::parse(path("misbehave-infeasible --cardinality 2:3 --json").out);
  for (const Json& point : answer["solvers"][0]["points"]) {
    EXPECT_EQ(point["status"], "invalid");
    EXPECT_EQ(point["value"], nullptr);
    EXPECT_EQ(point["indices"].size(), 0U);
  }
}

TEST_F(MisbehavingPath, ShowsAnAnswerThatBreaksALawAsInvalid) {
  const std::string broken = "invalid: breaks its law theorem5_slack >= 0: found -";
  expect_invalid(path("misbehave-unlawful --cardinality 2:3"), "k = 2: " + broken);
  // On one variable there is only one encoder: that answer is lawful, and the path fails still.
  const Finished mixed = path("misbehave-unlawful --cardinality 1:2");
  expect_invalid(mixed, "k = 2: " + broken);
  EXPECT_EQ(mixed.out.find("k = 1: "), std::string::npos) << mixed.out;
}

TEST_F(MisbehavingPath, ShowsAnAnswerAboveABoundAsInvalid) {
  const std::string words = "'misbehave-certificate*' --cardinality 1:3";
  expect_invalid(path(words), "k = 2: invalid: contradiction: ");
  const Json answer = Json::parse(path(words + " --json").out);
  const Json& points = answer["solvers"][0]["points"];
  EXPECT_EQ(points[0]["status"], "converged");  // at k = 1 both are right
  for (std::size_t i : {1U, 2U}) {
    EXPECT_EQ(points[i]["status"], "invalid");
    EXPECT_EQ(points[i]["value"], nullptr);
    EXPECT_EQ(points[i]["gap"], nullptr);
    const std::string message = points[i]["message"];
    EXPECT_NE(message.find("misbehave-certificate-exact"), std::string::npos) << message;
  }
}

TEST_F(MisbehavingPath, AnExceptionOfASolverIsAFailureAndSoIsItsExit) {
  for (const std::string solver : {"misbehave-throw", "misbehave-exit", "misbehave-quit"}) {
    const Finished finished = path(solver + " --cardinality 2:3");
    EXPECT_EQ(finished.code, 3) << finished.err;
    EXPECT_NE(finished.err.find("failed: "), std::string::npos) << finished.err;
    EXPECT_EQ(finished.err.find("internal error"), std::string::npos) << finished.err;
  }
}

/// The solver never asks its budget: the answers found before are printed when its time is over.
TEST_F(MisbehavingPath, InterruptedPrintsWhatItHasWhateverTheSolverDoes) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const fs::path deaf = folder_ / ("deaf" + std::to_string(signal));
    const pid_t process = fork();
    if (process == 0) {
      setenv("SPCA_TEST_DEAF", deaf.c_str(), 1);
      if (chdir(folder_.c_str()) == 0 && freopen("out.txt", "w", stdout) != nullptr &&
          freopen("err.txt", "w", stderr) != nullptr) {
        execl(SPCA_MISBEHAVING_PROGRAM, "spca", "path", "--dataset", "pitprops", "--solver",
              "misbehave-deaf", "--cardinality", "1:3", "--json", nullptr);
      }
      _exit(1);
    }
    while (!fs::exists(deaf) && waitpid(process, nullptr, WNOHANG) == 0) {
      usleep(1000);
    }
    kill(process, signal);
    int state = 0;
    ASSERT_EQ(waitpid(process, &state, 0), process) << content(folder_ / "err.txt");
    ASSERT_TRUE(WIFEXITED(state));
    EXPECT_EQ(WEXITSTATUS(state), 130);
    EXPECT_EQ(content(folder_ / "err.txt"),
              "spca: interrupted; the answers found before are printed\n");
    const Json answer = Json::parse(content(folder_ / "out.txt"))["solvers"][0];
    EXPECT_EQ(answer["complete"], false);
    EXPECT_EQ(answer["suggested"]["knee"], nullptr);
    EXPECT_EQ(answer["points"][0]["status"], "converged");
    EXPECT_EQ(answer["points"][0]["nonzeros"], 1);
    for (const std::size_t i : {1, 2}) {
      EXPECT_EQ(answer["points"][i]["status"], "skipped");
      EXPECT_EQ(answer["points"][i]["message"], "not reached");
      EXPECT_EQ(answer["points"][i]["value"], nullptr);
    }
  }
}

TEST_F(CommandLine, PathRefusesWhatMakesNoSense) {
  for (const std::string range : {"0:3", "5:3", "1:3:0", "a"}) {
    expect_usage_error(kPath + "'" + range + "'", {"--cardinality", "1 <= A <= B"});
  }
  expect_usage_error(kPath + "1:99", {"--cardinality: found 99", "1 to p = 13"});
  expect_usage_error("path --dataset pitprops --solver tpwer --cardinality 1:3",
                     {"tpwer", "did you mean \"tpower\""});
  expect_usage_error("path --dataset pitprops --solver pca --cardinality 1:3",
                     {"pca is not sparse"});
}

}  // namespace
}  // namespace spca::path_command_test
