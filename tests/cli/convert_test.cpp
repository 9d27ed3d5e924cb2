/// Tests of `spca convert`: the .spca file gives the answers of its source, and a mistake gives one
/// line.

#include <regex>

#include "tests/command_line.h"

namespace spca::convert_test {
namespace {

using Convert = CommandLine;

constexpr const char* kDocword =
    "5\n4\n8\n1 1 2\n1 3 1\n2 2 4\n2 4 1\n3 1 1\n3 3 3\n5 2 1\n5 4 7\n";

TEST_F(Convert, TheFileGivesTheAnswersOfTheOneThatItWasMadeOf) {
  write("docword.t.txt", kDocword);
  write("vocab.t.txt", "w\nx\ny\nz\n");
  const Finished converted = run("convert docword.t.txt t.spca");
  EXPECT_EQ(converted.code, 0) << converted.err;
  EXPECT_EQ(converted.out, "t.spca\n");
  EXPECT_EQ(run("convert --check t.spca").out, "t.spca: ok\n");
  for (const char* words : {"solve --solver tpower --cardinality 2 --components 2",
                            "solve --solver spannogram --cardinality 2 --center --scale n-1",
                            "path --solver tpower --cardinality 1:3"}) {
    const Finished text = run(std::string(words) + " --data docword.t.txt");
    const Finished mapped = run(std::string(words) + " --data t.spca");
    EXPECT_EQ(mapped.code, 0) << mapped.err;
    const auto components = [](const std::string& out) {
      // Keeps the names and the loadings, but no line that names the file or a time.
      std::string kept;
      std::istringstream lines(out);
      for (std::string line; std::getline(lines, line);) {
        static const std::regex time("[0-9] m?s\\b");
        if (line.find(".spca") == std::string::npos && line.find(".txt") == std::string::npos &&
            !std::regex_search(line, time)) {
          kept += line + "\n";
        }
      }
      return kept;
    };
    EXPECT_EQ(components(text.out), components(mapped.out)) << words;
    EXPECT_NE(components(text.out), "") << words;
  }
}

TEST_F(Convert, ACorpusIsTheSameByEitherWay) {
  const std::string small = " --set documents=200 --set words=300 --set nonzeros=4000 --seed 3";
  EXPECT_EQ(run("corpus docword.c.txt" + small).code, 0);
  EXPECT_EQ(run("corpus direct.spca" + small).code, 0);
  EXPECT_EQ(run("convert docword.c.txt converted.spca").code, 0);
  EXPECT_EQ(content(folder_ / "direct.spca"), content(folder_ / "converted.spca"));
}

TEST_F(Convert, ADataSetTakesTheFileInPlaceOfItsOwn) {
  write("docword.t.txt", kDocword);
  fs::create_directories(folder_ / "data" / "kos");
  EXPECT_EQ(run("convert docword.t.txt data/kos/docword.kos.txt.spca").code, 0);
  const std::string solve = "--data-dir data solve --dataset kos --solver tpower --cardinality 2";
  const Finished finished = run(solve);
  EXPECT_EQ(finished.code, 0) << finished.err;
  expect_usage_error(solve + " --set dataset.weights=binary", {"docword.kos.txt.spca", "docword"});
}

TEST_F(Convert, ATableIsReadAsSolveReadsIt) {
  write("t.csv", "name;a;b\nr;1,5;2\ns;NA;4\nt;2,5;1\n");
  expect_usage_error("convert t.csv t.spca", {"t.csv:3: column 2 (a)", "--missing as mean"});
  const std::string options = " --missing mean --decimal comma";
  const Finished converted = run("convert t.csv t.spca" + options);
  EXPECT_EQ(converted.code, 0) << converted.err;
  EXPECT_NE(converted.err.find("t.csv: 1 missing value took the mean"), std::string::npos)
      << converted.err;
  EXPECT_NE(converted.err.find("t.csv: has names of rows"), std::string::npos) << converted.err;
  // Dense data become sparse, whose products are rounded differently.
  constexpr double kRounding = 1e-12;
  const std::string solve = " --solver pca --components 2 --json";
  const Json mapped = run_json("solve --data t.spca" + solve);
  const Json table = run_json("solve --data t.csv" + options + solve);
  for (const int j : {0, 1}) {
    EXPECT_EQ(mapped["components"][j]["names"], table["components"][j]["names"]);
    EXPECT_NEAR(mapped["components"][j]["explained_variance"].get<double>(),
                table["components"][j]["explained_variance"].get<double>(), kRounding);
  }
  // Numbers that count up may be names: the program does not guess.
  write("counted.csv", "1,4,7\n2,5,5\n3,1,2\n");
  expect_usage_error("convert counted.csv c.spca", {"--row-names"});
  EXPECT_EQ(run("convert counted.csv c.spca --row-names yes").code, 0);
  write("s.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 2\n2 2 1\n");
  EXPECT_NE(run("convert s.mtx s.spca").err.find("not a covariance matrix"), std::string::npos);
  expect_usage_error("convert s.mtx s.spca --header no", {"s.mtx"});
  expect_usage_error("convert t.csv t.spca --missing men", {"--missing", "did you mean \"mean\""});
}

/// The columns and rows that are written are those that `solve` would use.
TEST_F(Convert, PartOfATableIsTakenAsSolveTakesIt) {
  write("x.csv", "a,b,c,d\n1,2,4,9\n3,5,5,0\n2,2,7,1\n");
  write("docword.t.txt", kDocword);
  write("vocab.t.txt", "w\nx\ny\nz\n");
  constexpr double kRounding = 1e-12;  // as above
  for (const auto& [file, options] :
       std::vector<std::pair<std::string, std::string>>{{"x.csv", " --columns a,3-4"},
                                                        {"x.csv", " --drop b"},
                                                        {"x.csv", " --transpose"},
                                                        {"docword.t.txt", " --drop x"}}) {
    ASSERT_EQ(run("convert " + file + " part.spca" + options).code, 0) << options;
    const std::string solve = " --solver pca --components 1";
    const Json mapped = run_json("solve --data part.spca" + solve);
    const Json table = run_json("solve --data " + file + options + solve);
    EXPECT_EQ(mapped["p"], table["p"]) << options;
    EXPECT_EQ(mapped["components"][0]["names"], table["components"][0]["names"]) << options;
    EXPECT_NEAR(mapped["components"][0]["explained_variance"].get<double>(),
                table["components"][0]["explained_variance"].get<double>(), kRounding)
        << options;
  }
  write("gaps.csv", "a,b,c\n1,,3\n2,4,1\n4,5,2\n0,1,1\n");
  EXPECT_EQ(run("convert gaps.csv g.spca --missing low-rank --missing-rank 1").code, 0);
  expect_usage_error("convert gaps.csv g.spca --missing mean --missing-rank 1", {"--missing-rank"});
  expect_usage_error("convert x.csv part.spca --drop e", {"x.csv: no column is called \"e\""});
  expect_usage_error("convert part.spca again.spca --drop 1", {"part.spca", "--drop"});
}

TEST_F(Convert, MistakesAreOneLine) {
  write("t.csv", "1,2\n3,4\n");
  expect_usage_error("convert t.csv", {"OUT", ".spca"});
  expect_usage_error("convert t.csv t.bin", {"OUT", "t.bin", ".spca"});
  expect_usage_error("convert none.csv t.spca", {"none.csv"});
  expect_usage_error("convert t.csv none/t.spca", {"none/t.spca", "cannot be written"});
  expect_usage_error("convert --check t.csv", {"t.csv", "does not begin with the header"});
  expect_usage_error("convert --check t.csv t.spca", {"--check"});
  EXPECT_FALSE(fs::exists(folder_ / "t.spca"));
}

}  // namespace
}  // namespace spca::convert_test
