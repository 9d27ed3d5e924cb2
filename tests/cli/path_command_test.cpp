/// Tests of `spca path`.

#include <gtest/gtest.h>

#include <cstdint>
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
  // The certified optima of the experiment quickstart, to three decimals.
  EXPECT_NEAR(points[4]["value"].get<double>(), 3.406, 5e-4);
  EXPECT_NEAR(points[12]["value"].get<double>(), 4.219, 5e-4);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(points[i]["cardinality"], i + 1);
    EXPECT_LE(points[i]["value"].get<double>(), answer["bounds"][i]["upper_bound"].get<double>());
  }
  EXPECT_EQ(answer["solvers"][0]["suggested"]["cross_validation"], nullptr);
  EXPECT_NE(answer["without_cross_validation"], "") << "S has no samples to leave out";
}

TEST_F(CommandLine, ADrawIsOfGeneratedDataAlone) {
  const std::string drawn = "path --dataset gaussian --cardinality 2 --resamples 0 --folds 0 ";
  const std::string first = run(drawn + "--draw 7 --seed 1").out;
  EXPECT_EQ(run(drawn + "--draw 7 --seed 1").out, first);
  EXPECT_NE(run(drawn + "--draw 8 --seed 1").out, first);
  expect_usage_error("path --dataset pitprops --draw 7",
                     {"--draw: found 7, and pitprops is not generated", "gaussian"});
  expect_usage_error(drawn + "--draw x", {"--draw: found \"x\""});
}

TEST_F(CommandLine, PathTakesAListThatAscends) {
  const Json points = run_json(kPath + "2,6,13")["solvers"][0]["points"];
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[1]["cardinality"], 6);
  expect_usage_error(kPath + "6,2", {"--cardinality: found \"6,2\"", "ascend"});
  expect_usage_error(kPath + "2,2", {"--cardinality: found \"2,2\"", "ascend"});
  expect_usage_error(kPath + "2,14", {"--cardinality: found 14", "1 to p = 13"});
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

/// Returns a table with three factors of four variables each, and eight variables of noise.
std::string factor_table() {
  std::string text;
  std::uint64_t state = 7;
  const auto noise = [&state] {
    double sum = 0;
    for (int i = 0; i < 12; ++i) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      sum += static_cast<double>(state >> 11) * 0x1.0p-53;
    }
    return sum - 6;
  };
  for (int i = 0; i < 300; ++i) {
    const double factors[] = {2.5 * noise(), 2 * noise(), 1.5 * noise()};
    for (int j = 0; j < 20; ++j) {
      text += std::to_string(noise() + (j < 12 ? factors[j / 4] : 0)) + (j < 19 ? "," : "\n");
    }
  }
  return text;
}

TEST_F(CommandLine, PathEndsAtTheLastCardinalityHoweverLongTheStep) {
  write("x.csv", factor_table());
  const Json answer =
      run_json("path --data x.csv --cardinality 5:10:9223372036854775807 --resamples 0 --folds 0");
  EXPECT_EQ(answer["solvers"][0]["points"].size(), 1U);
}

TEST_F(CommandLine, PathSuggestsTheNumberOfComponentsAndTheirCardinalities) {
  write("x.csv", factor_table());
  const std::string command = "path --data x.csv --components --cardinality 1:8";
  const Json answer = run_json(command);
  EXPECT_EQ(answer["components"], 3);
  EXPECT_EQ(answer["rule"], "parallel_analysis");
  EXPECT_EQ(answer["cross_validation"]["suggested"], 3);
  EXPECT_EQ(answer["cardinality"], Json({4, 4, 4}));
  EXPECT_EQ(answer["paths"].size(), 3U);
  EXPECT_EQ(answer["parallel_analysis"]["limits"].size(), 10U);
  const std::string text = run(command).out;
  EXPECT_NE(text.find("suggested: --components 3 --cardinality 4,4,4\n"), std::string::npos)
      << text;
  EXPECT_EQ(run(command).out, text);
  const std::string more = "the largest r that was tried";
  EXPECT_EQ(text.find(more), std::string::npos);
  EXPECT_NE(run("path --data x.csv --components=3 --cardinality 4").out.find(more),
            std::string::npos);
}

TEST_F(CommandLine, PathSaysThatNoComponentStandsOut) {
  std::string text;
  const std::string table = factor_table();
  // Keeps only the eight columns of noise.
  for (std::size_t begin = 0; begin < table.size();) {
    const std::size_t end = table.find('\n', begin);
    std::size_t field = begin;
    for (int j = 0; j < 12; ++j) {
      field = table.find(',', field) + 1;
    }
    text += table.substr(field, end + 1 - field);
    begin = end + 1;
  }
  write("noise.csv", text);
  const Finished finished = run("path --data noise.csv --components");
  EXPECT_EQ(finished.code, 0);
  EXPECT_NE(finished.out.find("r = 0: no component stands out from chance"), std::string::npos)
      << finished.out;
}

/// A column of large numbers hides that eigenvalues are above chance, because no component then
/// helps with entries left out. The text has the reason of the JSON.
TEST_F(CommandLine, PathSaysWhyNoComponentIsSuggested) {
  const std::string table = factor_table();
  std::string text;
  std::size_t begin = 0;
  for (int row = 1; row <= 40; ++row) {
    const std::size_t end = table.find('\n', begin);
    text += table.substr(begin, end - begin) + "," + std::to_string(row) + "\n";
    begin = end + 1;
  }
  write("id.csv", text);
  const std::string command = "path --data id.csv --components --permutations 19 --cardinality 1:3";
  const Json answer = run_json(command);
  ASSERT_EQ(answer["components"], 0);
  EXPECT_EQ(answer["why"].get<std::string>().find("no component lowers the error"), 0U);
  ASSERT_GT(answer["parallel_analysis"]["suggested"], 0);
  EXPECT_NE(run(command).out.find("\nr = 0: " + answer["why"].get<std::string>() + "; `spca"),
            std::string::npos);
}

TEST_F(CommandLine, PathSaysHowManyFoldsFewSamplesAllow) {
  write("x.csv", "a,b,c\n1,2,4\n3,1,1\n2,5,3\n5,5,1\n4,1,2\n9,4,7\n");
  expect_usage_error("path --data x.csv --components", {"for each of 5 folds, or --folds 3"});
  EXPECT_EQ(run("path --data x.csv --components --folds 3").code, 0);
}

TEST_F(CommandLine, PathSaysHowComponentsTakeAValue) {
  write("x.csv", factor_table());
  expect_usage_error("path --data x.csv --components 3",
                     {"unexpected argument \"3\"; accepted: --components=3"});
  expect_usage_error("path --data x.csv --components=", {"spca: error: --components: found \"\""});
  expect_usage_error("path --data x.csv --cardinality ''",
                     {"spca: error: --cardinality: found \"\"; accepted: a value"});
}

TEST_F(CommandLine, PathRefusesOptionsThatDoNotGoWithComponents) {
  write("x.csv", factor_table());
  const std::string data = "path --data x.csv ";
  for (const std::string& words :
       {data + "--components=0", data + "--components=x", data + "--components --resamples 4",
        data + "--components --folds 0", data + "--components --permutations 5",
        data + "--cardinality 2 --permutations 19", data + "--cardinality 2 --deflation schur",
        data + "--components --deflation hotelling", data + "--components --deflation none",
        data + "--components --solver 't*'", data + "--components --cardinality 1:21",
        std::string("path --dataset pitprops --components")}) {
    const Finished finished = run(words);
    EXPECT_EQ(finished.code, 2) << words;
    EXPECT_EQ(line_count(finished.err), 1U) << words << "\n" << finished.err;
    EXPECT_EQ(finished.out, "") << words;
  }
}

/// Runs `spca path` of the program that has the test-only solvers.
class MisbehavingPath : public CommandLine {
 protected:
  Finished path(const std::string& arguments) const {
    return shell("'" SPCA_MISBEHAVING_PROGRAM "' path --dataset pitprops --solver " + arguments);
  }
  /// Expects exit code 3, and `reason` in the last line on stderr and in the table.
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
  // On one variable there is only one encoder, so that answer is lawful. The path still fails.
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

/// The solver never checks its budget, so the path prints the answers that it has, and ends, one
/// second after the signal.
TEST_F(MisbehavingPath, InterruptedPrintsItsResultsEvenIfTheSolverIgnoresIt) {
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

/// Without a cardinality, the path is the one from which `spca solve` chooses its k.
TEST_F(CommandLine, PathTriesTheSameCardinalitiesAsSolve) {
  const Json path = run_json("path --dataset pitprops");
  std::vector<int> tried;
  for (const Json& bound : path["bounds"]) {
    tried.push_back(bound["cardinality"].get<int>());
  }
  EXPECT_EQ(tried, (std::vector<int>{1, 2, 3, 4, 5, 6, 8, 10, 12, 13}));
  const Json solved = run_json("solve --dataset pitprops");
  EXPECT_EQ(path["solvers"][0]["suggested"]["knee"], solved["cardinality_asked"][0]);
}

TEST_F(CommandLine, PathRefusesInvalidArguments) {
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
