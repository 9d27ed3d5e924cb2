/// Data through pipes, as a shell connects programs.

#include "tests/command_line.h"

namespace spca {
namespace {

class PipedData : public CommandLine {
 protected:
  Finished pipe(const std::string& writer, const std::string& arguments) const {
    return shell("( " + writer + " ) | " + program() + " " + arguments);
  }
};

const char* const kNumbers = "echo x; seq 100000 109999";

TEST_F(PipedData, EveryByteIsRead) {
  for (const std::string file : {"-", "/dev/stdin", "/dev/fd/0"}) {
    const Finished finished =
        pipe(kNumbers, "solve --solver exhaustive --cardinality 1 --data " + file);
    EXPECT_EQ(finished.code, 0) << finished.err;
    EXPECT_NE(finished.out.find("n = 10000, p = 1"), std::string::npos) << finished.out;
    EXPECT_NE(finished.out.find("explained variance 8.33333e+06"), std::string::npos);
  }
  const Finished named =
      pipe(kNumbers, "solve --dataset file --set dataset.path=- --solver tpower --cardinality 1");
  EXPECT_NE(named.out.find("explained variance 8.33333e+06"), std::string::npos) << named.err;
}

TEST_F(PipedData, ScoresReadTheSamePipeAgainAndProjectReadsOne) {
  ASSERT_EQ(pipe(kNumbers,
                 "solve --data - --solver tpower --cardinality 1 -o r.json "
                 "--scores scores.csv -q")
                .code,
            0);
  const std::string scores = content(folder_ / "scores.csv");
  EXPECT_EQ(line_count(scores), 10001U);
  EXPECT_EQ(pipe(kNumbers, "project r.json --data -").out, scores);
}

TEST_F(PipedData, OptionsOfTablesHoldAndFormatsAreFoundByContent) {
  write("x.csv", "1,5;2\n2,5;7\n4;1\n");
  const std::string solve = "solve --solver tpower --cardinality 1 --json --data ";
  const Json expected = Json::parse(run(solve + "x.csv --separator semicolon").out);
  const auto components = [&](const std::string& writer, const std::string& more) {
    const Finished finished = pipe(writer, solve + "- " + more);
    EXPECT_EQ(finished.code, 0) << finished.err;
    return finished.code == 0 ? Json::parse(finished.out)["components"] : Json();
  };
  EXPECT_EQ(components("cat x.csv", "--separator semicolon"), expected["components"]);
  EXPECT_EQ(components("gzip < x.csv", "--decimal comma"), expected["components"]);
  ASSERT_EQ(pipe("cat x.csv", "convert - x.spca").code, 0);
  EXPECT_EQ(components("cat x.spca", "")[0]["indices"], expected["components"][0]["indices"]);
  EXPECT_EQ(pipe("cat x.spca", "convert --check -").code, 0);
}

TEST_F(PipedData, ComparedSolversShareOnePipe) {
  const Finished finished =
      pipe("echo a,b; paste -d, x y",
           "compare-solvers --data - --cardinality 1 --solvers tpower,exhaustive --json");
  EXPECT_EQ(finished.code, 2);  // x and y are missing
  write("x", "1\n4\n2\n9\n");
  write("y", "3\n1\n4\n1\n");
  const Finished both =
      pipe("echo a,b; paste -d, x y",
           "compare-solvers --data - --cardinality 1 --solvers tpower,exhaustive --json -q");
  ASSERT_EQ(both.code, 0) << both.err;
  for (const Json& solver : Json::parse(both.out)["solvers"]) {
    EXPECT_NEAR(solver["value"].get<double>(), 9.5, 1e-12);
  }
  const Finished saved = pipe("cat x", "compare-solvers --data - --cardinality 1 --save mine.json");
  EXPECT_EQ(saved.code, 2);
  EXPECT_NE(saved.err.find("--save: /dev/stdin is not a regular file"), std::string::npos);
}

TEST_F(PipedData, AFileIsReadFromWhereStandardInputStands) {
  write("x.csv", "a comment\nx\n1\n2\n3\n");
  const Finished finished = shell("( read -r line; " + program() +
                                  " solve --data - --solver tpower --cardinality 1 ) < x.csv");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_NE(finished.out.find("n = 3, p = 1"), std::string::npos) << finished.out;
}

TEST_F(PipedData, NothingIsRefused) {
  expect_usage_error("solve --data - --cardinality 1", {"/dev/stdin", "is empty"});
}

}  // namespace
}  // namespace spca
