/// Tests of failures around the program: one line, the documented exit code, and nothing lost.

#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <sstream>
#include <thread>

#include "harness/records/record.h"
#include "harness/runs/runner_worker.h"
#include "spca/base/text.h"
#include "tests/command_line.h"

namespace spca::robust_command_test {
namespace {

class Robust : public CommandLine {
 protected:
  Finished misbehaving(const std::string& arguments) const {
    return shell("SPCA_CACHE_DIR= '" SPCA_MISBEHAVING_PROGRAM "' " + arguments);
  }
  /// Expects this exit code, and one line on stderr that contains every word.
  static void expect_line(const Finished& finished, int code,
                          const std::vector<std::string>& words) {
    EXPECT_EQ(finished.code, code) << finished.err;
    EXPECT_EQ(line_count(finished.err), 1U) << finished.err;
    for (const std::string& word : words) {
      EXPECT_NE(finished.err.find(word), std::string::npos) << finished.err << "lacks: " << word;
    }
  }
  void write_experiments() const {
    const std::string rest =
        R"(", "title": "T", "grids": {"g": {"datasets": ["pitprops"], "solvers": ["threshold",
           "diagonal"], "cardinality": [2, 3]}}})";
    write("one.json", R"({"name": "one)" + rest);
    write("two.json", R"({"name": "two)" + rest);
  }
};

TEST_F(Robust, SolveEndsASolverThatHangsOrCrashes) {
  const std::string solve = "solve --dataset pitprops --cardinality 2 --solver ";
  expect_line(misbehaving(solve + "misbehave-hang --time-limit 0.2"), 3,
              {"misbehave-hang", "time limit of 0.2 s"});
  expect_line(misbehaving(solve + "misbehave-abort"), 3, {"misbehave-abort", "crashed"});
}

TEST_F(Robust, SolveEndsASolverThatThrowsOrEndsTheProgram) {
  const std::string solve = "solve --dataset pitprops --cardinality 2 --solver ";
  expect_line(misbehaving(solve + "misbehave-throw"), 3,
              {"misbehave-throw: failed: thrown on purpose"});
  expect_line(misbehaving(solve + "misbehave-throw --set kind=empty"), 3,
              {"misbehave-throw: failed: an exception without a message"});
  expect_line(misbehaving(solve + "misbehave-throw --set kind=input"), 2,
              {"spca: error: solver misbehave-throw: found -1; accepted: a rank >= 1"});
  expect_line(misbehaving(solve + "misbehave-quit"), 3, {"misbehave-quit: failed: it ended"});
  expect_line(misbehaving(solve + "misbehave-exit"), 3, {"misbehave-exit: failed: it ended"});
}

TEST_F(Robust, AnAnswerWithoutAComponentIsANumericalFailure) {
  const std::string solve = "solve --dataset pitprops --cardinality 2 --solver misbehave-empty";
  const std::string none = "numerical_failure: no component";
  expect_line(misbehaving(solve), 3, {"misbehave-empty: " + none});
  expect_line(misbehaving(solve + " --components 2"), 3, {"failure: component 1: no component"});
  EXPECT_EQ(Json::parse(misbehaving(solve + " --json").out)["status"], "numerical_failure");
  EXPECT_NE(misbehaving("path --dataset pitprops --cardinality 2 --solver misbehave-empty")
                .err.find("k = 2: " + none),
            std::string::npos);
}

TEST_F(Robust, AMessageIsCutAndHasNoControlCharacters) {
  const auto is_kept = [](const std::string& message) {
    EXPECT_TRUE(message.starts_with("\\u001b[31mred\\u001b[0m\\nsecond line \\u009b xxx"))
        << message.substr(0, 80);
    EXPECT_TRUE(message.ends_with("xxx..."));
    EXPECT_EQ(message.size(), 2000U);
  };
  const std::string solve = "solve --dataset pitprops --cardinality 2 --solver misbehave-loudly";
  const Finished finished = misbehaving(solve);
  expect_line(finished, 3, {"misbehave-loudly: failed: \\u001b[31mred"});
  for (const std::string& text : {finished.out, finished.err}) {
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos);
    EXPECT_NE(text.find("xxx..."), std::string::npos);
    EXPECT_LT(text.size(), 600U);
  }
  is_kept(Json::parse(misbehaving(solve + " --json").out)["message"]);
  write("r.json", R"({"name": "r", "title": "T", "grids": {"g": {"datasets": ["pitprops"],
    "solvers": ["misbehave-loudly"], "cardinality": [2]}}})");
  ASSERT_EQ(misbehaving("run r.json -o out").code, 3);
  is_kept(read_records(folder_ / "out/cells.jsonl").front().message);
}

TEST_F(Robust, WhatASolverPrintsIsNotAmongTheData) {
  for (const char* command : {"solve", "path"}) {
    const Finished finished =
        misbehaving(std::string(command) +
                    " --dataset pitprops --cardinality 2 --solver misbehave-aloud --json");
    EXPECT_TRUE(Json::parse(finished.out).is_object());
    EXPECT_NE(finished.err.find("aloud by C++\naloud by C\n"), std::string::npos) << finished.err;
  }
}

TEST_F(Robust, ADaemonOfASolverEndsWithItsCell) {
  write("r.json", R"({"name": "r", "title": "T", "grids": {"g": {"datasets": ["pitprops"],
    "solvers": ["misbehave-daemon"], "cardinality": [2]}}})");
  // Not misbehaving(), which sets no timeout: without the fix the run would never end.
  const Finished finished =
      shell("SPCA_TEST_DAEMON=daemon.txt SPCA_CACHE_DIR= timeout 60 '" SPCA_MISBEHAVING_PROGRAM
            "' run r.json -o out");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(read_records(folder_ / "out/cells.jsonl").front().status, Status::kConverged);
  const pid_t daemon = std::stoi(content(folder_ / "daemon.txt"));
  ASSERT_GT(daemon, 1);
  // A killed process keeps its number until its parent, now the first process, has noticed.
  for (int i = 0; i < 600 && kill(daemon, 0) == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_NE(kill(daemon, 0), 0) << "it still runs";
}

TEST_F(Robust, StandardErrorMayBeFullOrClosed) {
  EXPECT_EQ(shell(program() + " nosuch 2> /dev/full").code, 2);
  write_experiments();
  const std::string run_one = "SPCA_CACHE_DIR= " + program() + " run one.json -o ";
  EXPECT_EQ(shell(run_one + "full 2> /dev/full").code, 0);
  EXPECT_EQ(shell(run_one + "closed 2>&-").code, 0);
  const std::string lock = content(folder_ / "closed/.lock");
  EXPECT_TRUE(lock.starts_with("process ")) << lock;
  EXPECT_EQ(line_count(lock), 1U) << lock;
  EXPECT_EQ(shell(run_one + "all 0<&- 2>&-").code, 0);
  EXPECT_EQ(line_count(content(folder_ / "all/.lock")), 1U);
  expect_line(shell(program() + " list solvers >&-"), 1, {"standard output"});
}

TEST_F(Robust, AnOutputThatIsNoFileIsWrittenTo) {
  const std::string schema = run("schema").out;
  ASSERT_NE(schema, "");
  ASSERT_EQ(mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  const Finished through = shell("timeout 60 cat fifo & " + program() + " schema -o fifo; wait");
  EXPECT_TRUE(through.out == schema) << through.err;
  EXPECT_TRUE(fs::is_fifo(folder_ / "fifo"));
  write("target.json", "old");
  fs::create_symlink("target.json", folder_ / "link.json");
  EXPECT_EQ(run("schema -o link.json").code, 0);
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.json"));
  EXPECT_TRUE(content(folder_ / "target.json") == schema);
  // The same as /dev/stdout, which without the fix would be replaced for the whole machine.
  const Finished between = shell("echo a; " + program() + " schema -o /proc/self/fd/1; echo b");
  EXPECT_TRUE(between.out == "a\n" + schema + "b\n") << between.err;
}

/// The file that a baseline replaces is read for its overrides. Reading a FIFO would wait for a
/// writer, and reading /dev/full would never end.
TEST_F(Robust, ABaselineIsReadOnlyFromRegularFiles) {
  write_experiments();
  ASSERT_EQ(run("run one.json -o out").code, 0);
  ASSERT_EQ(mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  const Finished through =
      shell("timeout 60 cat fifo & timeout 60 " + program() + " baseline out -o fifo >&2; wait");
  EXPECT_EQ(Json::parse(through.out).at("experiment"), "one") << through.err;
  EXPECT_EQ(run("baseline out -o /dev/null").code, 0);
  expect_line(shell("timeout 60 " + program() + " baseline out -o /dev/full"), 2,
              {"/dev/full: cannot be written"});
  write("empty.json", "");
  EXPECT_EQ(run("baseline out -o empty.json").code, 0);
}

TEST_F(Robust, ARunDoesNotMoveIntoAForeignFolder) {
  write_experiments();
  fs::create_directory(folder_ / "home");
  write("home/notes.txt", "mine");
  expect_line(run("run one.json -o home"), 2, {"home", "notes.txt", "an empty one"});
  expect_line(run("run one.json -o /proc"), 2, {"/proc", "accepted"});
  expect_line(run("run one.json -o ."), 2, {"accepted"});
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "home"), {}), 1);
  fs::create_directory(folder_ / "app");
  write("app/manifest.json", R"({"name": "an app", "version": 3})");
  expect_line(run("run one.json -o app"), 2, {"app", "manifest.json"});
  EXPECT_EQ(content(folder_ / "app/manifest.json"), R"({"name": "an app", "version": 3})");
  fs::create_directory(folder_ / "empty");
  EXPECT_EQ(run("run one.json -o empty").code, 0);
  write("empty/notes.txt", "mine");
  EXPECT_EQ(run("run one.json -o empty").code, 0) << "it holds a run";
  expect_line(run("merge empty -o home"), 2, {"home", "notes.txt"});
}

TEST_F(Robust, ComponentsAreHeldAgainstTheVariablesBeforeAnythingIsMadeOfThem) {
  // Without the check the program would need 8 GB, more than these 2 GB of address space.
  const std::string limited = (kCanLimitMemory ? "ulimit -v 2000000; " : "") + program() + " ";
  const std::string solve = "solve --dataset pitprops --solver tpower --cardinality 3 ";
  for (const std::string count : {"1000000000", "9223372036854775807", "14"}) {
    expect_line(shell(limited + solve + "--components " + count), 2,
                {"--components: found " + count, "1 to p = 13"});
    if (count != "14") {
      write("c.json", R"({"name": "c", "title": "T", "grids": {"g": {"datasets": ["pitprops"],
        "solvers": ["tpower"], "cardinality": [2], "deflations": ["schur"], "components": )" +
                          count + "}}}");
      expect_line(shell(limited + "run c.json -o out"), 2,
                  {"/grids/g/components: found " + count, "1 to 10000"});
    }
  }
}

TEST_F(Robust, AFileThatMayNotGrowIsAnErrorInOneLine) {
  write_experiments();
  const Finished run_limited =
      shell("ulimit -f 1; SPCA_CACHE_DIR= " + program() + " run one.json -o out");
  expect_line(run_limited, 2, {"cannot be written: File too large"});
  const Finished list = shell("( ulimit -f 1; " + program() + " schema > big.txt )");
  expect_line(list, 1, {"standard output: File too large"});
}

TEST_F(Robust, ANameOfAPeerLeadsNowhereElse) {
  fs::create_directories(folder_ / "peers/below");
  const std::string peer = R"({"summary": "s", "source": "s", "rule": "cardinality", "matrix":
    "covariance", "command": ["true"]})";
  write("toy.json", peer);
  write("peers/toy.json", peer);
  write("peers/below/toy.json", peer);
  const std::string solve = "solve --dataset pitprops --cardinality 2 --solver peers/";
  for (const std::string name : {"toy", "below/toy"}) {
    expect_line(run(solve + name), 3, {"was not written"});
  }
  for (const std::string& name : std::vector<std::string>{
           "/toy", "../toy", "below//toy", "below/../toy", "toy/", (folder_ / "toy").string()}) {
    expect_line(run(solve + name), 2, {"unknown peer \"peers/" + name + "\""});
  }
}

TEST_F(Robust, ALoopOfLinksIsNoAnswerAndNoFile) {
  write("loop.json", R"({"summary": "s", "source": "s", "rule": "cardinality", "matrix":
    "covariance", "command": ["ln", "-s", "loadings.json", "{answer}"]})");
  expect_line(run("solve --dataset pitprops --solver loop.json --cardinality 2"), 3,
              {"failed: loadings.json: cannot be read: Too many levels of symbolic links"});
  write("folder.json", R"({"summary": "s", "source": "s", "rule": "cardinality", "matrix":
    "covariance", "command": ["mkdir", "{answer}"]})");
  expect_line(run("solve --dataset pitprops --solver folder.json --cardinality 2"), 3,
              {"failed: loadings.json: is not a regular file"});
  fs::create_symlink("self.json", folder_ / "self.json");
  for (const std::string command :
       {"solve --dataset pitprops --cardinality 2 --solver self.json", "run self.json",
        "validate self.json", "solve --solver tpower --cardinality 2 --data self.json"}) {
    expect_line(run(command), 2, {"self.json"});
  }
}

TEST_F(Robust, AnAnswerThatBreaksALawOfItsSolverIsInvalid) {
  const std::string broken = "breaks its law theorem5_slack >= 0: found -";
  const std::string solve = "solve --dataset pitprops --cardinality 3 --solver misbehave-unlawful";
  expect_line(misbehaving(solve), 3, {"misbehave-unlawful: invalid: " + broken});
  EXPECT_EQ(Json::parse(misbehaving(solve + " --json").out)["components"].size(), 0U);
  // In a run too, whatever metrics it asks for.
  write("r.json", R"({"name": "r", "title": "T", "grids": {"g": {"datasets": ["pitprops"],
    "solvers": ["encoder-batch", "misbehave-unlawful"], "cardinality": [3],
    "metrics": ["explained_variance"]}}})");
  ASSERT_EQ(misbehaving("run r.json -o out").code, 3);
  std::size_t invalid = 0;
  for (const Record& record : read_records(folder_ / "out/cells.jsonl")) {
    const bool lawful = record.solver == "encoder-batch";
    EXPECT_EQ(record.status, lawful ? Status::kConverged : Status::kInvalid);
    EXPECT_EQ(record.message.starts_with(broken), !lawful) << record.message;
    EXPECT_EQ(record.metrics.size(), lawful ? 1U : 0U);
    invalid += lawful ? 0 : 1;
  }
  EXPECT_EQ(invalid, 1U);
}

TEST_F(Robust, AnAnswerAboveAProvedBoundIsAContradiction) {
  for (const std::string cardinality : {"4", "4,3"}) {
    const std::string told =
        "solve --dataset pitprops --solver misbehave-certificate --cardinality " + cardinality;
    const std::string solve = told + " --set share=0.9";
    const Finished text = misbehaving(solve);
    expect_line(text, 3,
                {"misbehave-certificate: invalid: contradiction: ",
                 "the variance that the answer of misbehave-certificate explains",
                 "is above the upper bound ", "the certificate of misbehave-certificate, checked",
                 "it is not known which"});
    EXPECT_EQ(text.out.find("gap"), std::string::npos) << text.out;
    const Json answer = Json::parse(misbehaving(solve + " --json").out);
    EXPECT_EQ(answer["status"], "invalid");
    EXPECT_EQ(answer["gap"], nullptr);
    EXPECT_EQ(answer["upper_bound"], nullptr);
    EXPECT_EQ(answer["components"].size(), 0U);
  }
  // A certificate that has the value of its own answer is refuted by a better answer near it, if
  // steps of power iteration find one.
  const std::string told = "solve --dataset pitprops --solver misbehave-certificate --cardinality ";
  expect_line(misbehaving(told + "4"), 3,
              {"contradiction: ", "an answer that steps of power iteration find"});
  EXPECT_EQ(misbehaving(told + "4,3").code, 0);
  // A bound below the variance of one variable is refused whatever the answer is.
  expect_line(misbehaving("solve --dataset pitprops --solver misbehave-certificate --cardinality 1 "
                          "--set share=0.99"),
              3, {"contradiction: "});
}

TEST_F(Robust, AContradictionCostsItsCellAlone) {
  write("r.json", R"({"name": "r", "title": "T", "grids": {"g": {"datasets": ["pitprops"],
    "solvers": ["tpower", {"name": "misbehave-certificate", "options": {"share": 0.9}}],
    "cardinality": [4],
    "metrics": ["explained_variance", "upper_bound", "gap"]}}})");
  ASSERT_EQ(misbehaving("run r.json -o out").code, 3);
  const std::vector<Record> records = read_records(folder_ / "out/cells.jsonl");
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].status, Status::kConverged);
  EXPECT_EQ(records[1].status, Status::kInvalid);
  EXPECT_TRUE(records[1].message.starts_with("contradiction: ")) << records[1].message;
  EXPECT_TRUE(records[1].metrics.empty());
  EXPECT_EQ(misbehaving("measure out --metric adjusted_variance").code, 3);
  const std::string table = misbehaving("table out").out;
  EXPECT_NE(table.find("contradiction"), std::string::npos) << table;
}

/// A record of an older version: its answer converged, and its gap is negative.
TEST_F(Robust, ARecordThatContradictsItselfIsReadAsInvalid) {
  Record record;
  record.key = "k";
  record.grid = "g";
  record.dataset = record.dataset_name = "pitprops";
  record.solver = record.solver_name = "tpower";
  record.status = Status::kConverged;
  record.message = "";
  record.cardinality = {2};
  record.loadings = {{.support = {0}, .values = Vector::Ones(1)}};
  record.bound = 3.22895;
  const auto read = [&](double value, double gap) {
    record.metrics = {{"projected_variance", {value}}, {"gap", {gap}}};
    write("cells.jsonl", record_to_line(record) + "\n");
    return read_records(folder_ / "cells.jsonl").at(0);
  };
  const Record wrong = read(20.0895, -5.2217);
  EXPECT_EQ(wrong.status, Status::kInvalid);
  EXPECT_NE(wrong.message.find("20.0895"), std::string::npos) << wrong.message;
  EXPECT_NE(wrong.message.find("3.22895"), std::string::npos) << wrong.message;
  EXPECT_TRUE(wrong.metrics.empty());
  EXPECT_EQ(read(kNotMeasured, -0.1).status, Status::kInvalid);
  EXPECT_EQ(read(3.22895 * (1 + 1e-10), -1e-10).status, Status::kConverged);
  EXPECT_EQ(read(3.2, 0.01).status, Status::kConverged);
}

/// Returns S of eight variables of variance 1.5 that correlate with none, and of four of variance
/// 1.4 that correlate by .9. Steps of power iteration from the former never reach the latter.
std::string two_blocks() {
  constexpr int kAlone = 8;
  constexpr int kAll = 12;
  std::string text;
  for (int i = 0; i < kAll; ++i) {
    for (int j = 0; j < kAll; ++j) {
      const bool is_together = i >= kAlone && j >= kAlone;
      const double entry = i == j ? (i < kAlone ? 1.5 : 1.4) : is_together ? 1.26 : 0;
      text += fmt::format("{}{}", j == 0 ? "" : ",", entry);
    }
    text += "\n";
  }
  return text;
}

TEST_F(Robust, ABoundOfOneSolverHoldsForTheAnswersOfAnother) {
  write("s.csv", two_blocks());
  const std::string compare =
      "compare-solvers -q --data s.csv --kind covariance --header no --row-names no --cardinality ";
  for (const std::string cardinality : {"4", "4,4"}) {
    // The certificate does not contradict its own answer.
    const std::string solvers = cardinality + " --solvers tpower,misbehave-certificate";
    expect_line(misbehaving(compare + solvers), 3,
                {"contradiction: ", "the variance that the answer of tpower explains",
                 "the bound of misbehave-certificate"});
    const Json rows = Json::parse(misbehaving(compare + solvers + " --json").out);
    EXPECT_EQ(rows["least_bound"], nullptr);
    for (const Json& row : rows["solvers"]) {
      EXPECT_EQ(row["status"], "invalid");
      EXPECT_EQ(row["gap"], nullptr);
      EXPECT_TRUE(row["value"].is_number());
      EXPECT_TRUE(row["upper_bound"].is_number());
    }
    EXPECT_EQ(misbehaving(compare + cardinality + " --solvers misbehave-certificate").code, 0);
  }
  // PCA is not held to a cardinality.
  EXPECT_EQ(misbehaving(compare + "4 --solvers pca,branch-bound").code, 0);
  EXPECT_EQ(misbehaving("compare-solvers -q --dataset pitprops --cardinality 7,6 --deflation "
                        "projection --solvers pca,nsprcomp,tpower,branch-price")
                .code,
            0)
      << "components that overlap are not held to a bound on disjoint ones";
}

TEST_F(Robust, ComponentsBeforeTheTimeLimitAreKeptWithTheirMetrics) {
  const std::string solve =
      "solve --dataset pitprops --cardinality 3 --components 4 --solver misbehave-late";
  const Finished text = misbehaving(solve);
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("time_limit, 2 of 4 components"), std::string::npos) << text.out;
  const Json answer = Json::parse(misbehaving(solve + " --json").out);
  EXPECT_EQ(answer["status"], "time_limit");
  EXPECT_EQ(answer["message"], "2 of 4 components");
  ASSERT_EQ(answer["components"].size(), 2U);
  EXPECT_EQ(answer["metrics"]["cardinality"], Json::array({3.0, 3.0}));
  const double value = answer["metrics"]["explained_variance"].get<double>();
  EXPECT_TRUE(answer["upper_bound"].is_null()) << "a bound on two components is none on four";
  write("r.json", R"({"name": "r", "title": "T", "time_limit": 60, "grids": {"g": {
    "datasets": ["pitprops"], "solvers": ["diagonal", "misbehave-late"], "cardinality": [3],
    "components": 4, "deflations": ["remove-support"], "metrics": ["explained_variance"]}},
    "published": [{"name": "t", "method": "own", "metric": "explained_variance", "where": "Table 1",
      "rows": [{"label": "r", "match": {"solver": "misbehave-late"}, "printed": "4.0"}]}]})");
  ASSERT_EQ(misbehaving("run r.json -o out").code, 0);
  const std::vector<Record> records = read_records(folder_ / "out/cells.jsonl");
  ASSERT_EQ(records.size(), 2U);
  const Record& late = records[1];
  EXPECT_EQ(late.status, Status::kTimeLimit);
  EXPECT_EQ(late.message, "time limit of 60 s: 2 of 4 components");
  EXPECT_EQ(late.loadings.size(), 2U);
  EXPECT_NEAR(late.metrics.at("explained_variance").at(0), value, 1e-12);
  EXPECT_FALSE(is_repeatable(late.status));
  // No table and no comparison takes it for a whole answer, and both say why.
  const std::string reason = "time_limit: time limit of 60 s: 2 of 4 components";
  const std::string table = misbehaving("table out").out;
  EXPECT_NE(table.find("misbehave-late: " + reason), std::string::npos) << table;
  const std::string compared = misbehaving("reproduce r.json -o out").out;
  EXPECT_NE(compared.find("not comparable"), std::string::npos) << compared;
  EXPECT_NE(compared.find(reason), std::string::npos) << compared;
  // Metrics are measured again from the record, which is valid.
  EXPECT_EQ(misbehaving("measure out --metric adjusted_variance").code, 0);
}

/// Every number that a solver returns may be NaN, and every index wrong. The cell of that answer is
/// then invalid, and the run can still be read.
TEST_F(Robust, AnAnswerThatIsNoNumberCostsItsCellAlone) {
  const std::vector<std::string> invalid = {"nan",        "infinite", "some-infinite",
                                            "few-values", "negative", "many-values",
                                            "descending", "beyond"};
  Json solvers = {"threshold"};
  for (const std::string name : {"misbehave-numbers", "misbehave-path"}) {
    for (const std::string& wrong : invalid) {
      solvers.push_back(
          {{"name", name}, {"label", name + " " + wrong}, {"options", {{"wrong", wrong}}}});
    }
    for (const std::string wrong : {"facts", "trace"}) {
      solvers.push_back(
          {{"name", name}, {"label", name + " " + wrong}, {"options", {{"wrong", wrong}}}});
    }
  }
  write("n.json", Json({{"name", "n"},
                        {"title", "T"},
                        {"grids",
                         {{"g",
                           {{"datasets", {"pitprops"}},
                            {"solvers", solvers},
                            {"cardinality", {2, 3}},
                            {"trace", true},
                            {"metrics", {"explained_variance", "gap", "iterations"}}}}}}})
                      .dump());
  const Finished finished = misbehaving("run n.json -o out");
  EXPECT_EQ(finished.code, 3) << finished.err;
  for (const Record& record : read_records(folder_ / "out/cells.jsonl")) {
    const bool is_path = record.solver_name == "misbehave-path";
    const bool is_wrong = std::any_of(invalid.begin(), invalid.end(),
                                      [&](const std::string& wrong) {
                                        return record.solver.ends_with(" " + wrong);
                                      }) &&
                          (!is_path || record.cardinality.front() == 2);
    EXPECT_EQ(record.status, is_wrong ? Status::kInvalid : Status::kConverged)
        << record.solver << ", k = " << record.cardinality.front() << ": " << record.message;
    EXPECT_EQ(record.message.empty(), !is_wrong) << record.solver;
    EXPECT_EQ(record.metrics.empty(), is_wrong);
  }
  const std::string cells = content(folder_ / "out/cells.jsonl");
  for (const std::string arguments :
       {"table out", "table out --json", "status out", "baseline out -o b.json",
        "check out --baseline b.json", "compare out out", "merge out -o merged", "table merged",
        "measure out"}) {
    const Finished read = misbehaving(arguments);
    EXPECT_NE(read.code, 1) << arguments << ": " << read.err;
    EXPECT_NE(read.code, 2) << arguments << ": " << read.err;
  }
  EXPECT_EQ(misbehaving("run n.json -o out").code, 3) << "and again";
  EXPECT_EQ(content(folder_ / "out/cells.jsonl"), cells);
  EXPECT_EQ(cells.find("inf"), cells.find("infinite")) << "a word that JSON does not have";
}

/// Deflation and tuning compute with an answer before the judge sees it.
TEST_F(Robust, AnAnswerThatIsNoVectorReachesNeitherDeflationNorTuning) {
  const std::vector<std::pair<std::string, std::string>> wrongs = {
      {"nan", "its length is nan, not 1"},         {"infinite", "its length is inf, not 1"},
      {"few-values", "1 values for 1000 indices"}, {"many-values", "values for"},
      {"negative", "index -1 is below 0"},         {"beyond", "index 1000000013 is beyond 12"},
      {"descending", "indices must ascend"},       {"twice", "is there twice"},
      {"long", "its length is inf, not 1"},        {"two", "the solver found 2 components, not 1"}};
  Json solvers = Json::array();
  for (const auto& [wrong, reason] : wrongs) {
    for (const std::string name : {"misbehave-numbers", "misbehave-penalty"}) {
      // For a solver with a penalty, the loadings are computed anew on the largest variables of its
      // answer.
      if (name == "misbehave-numbers" || (wrong != "long" && wrong != "two")) {
        solvers.push_back(
            {{"name", name}, {"label", name + " " + wrong}, {"options", {{"wrong", wrong}}}});
      }
    }
  }
  for (const std::string deflation :
       {"hotelling", "orthogonalised-projection", "projection", "remove-support", "schur"}) {
    const Json grid = {{"datasets", {"pitprops"}},  {"solvers", solvers},
                       {"cardinality", {2}},        {"components", 3},
                       {"deflations", {deflation}}, {"metrics", {"explained_variance"}}};
    write("d.json", Json({{"name", "d"}, {"title", "T"}, {"grids", {{"g", grid}}}}).dump());
    const Finished finished = misbehaving("run d.json -o " + deflation);
    ASSERT_EQ(finished.code, 3) << finished.err;
    const std::vector<Record> records = read_records(folder_ / deflation / "cells.jsonl");
    ASSERT_EQ(records.size(), solvers.size());
    for (const Record& record : records) {
      const auto wrong = std::find_if(wrongs.begin(), wrongs.end(), [&](const auto& pair) {
        return record.solver.ends_with(" " + pair.first);
      });
      EXPECT_EQ(record.status, Status::kInvalid)
          << deflation << ", " << record.solver << ": " << record.message;
      EXPECT_TRUE(record.message.starts_with("component 1: ")) << record.message;
      EXPECT_NE(record.message.find(wrong->second), std::string::npos) << record.message;
    }
  }
}

/// Rewrites the records as an older version wrote them: without a check, and with any text in the
/// message and the labels.
void make_old(const fs::path& cells) {
  std::ifstream file(cells);
  std::string old;
  for (std::string line; std::getline(file, line);) {
    Json record = Json::parse(line);
    record.erase("check");
    record["message"] = "\x1b[31m<b>\n# red\xc2\x9b\xe2\x80\xae " + std::string(1'000'000, 'x');
    for (const char* label : {"solver", "dataset", "grid"}) {
      record[label] = record[label].get<std::string>() + "\x1b]0;t\x07\n| a\r\xc2\x85";
    }
    old += record.dump() + "\n";
  }
  file.close();
  std::ofstream(cells) << old;
}

TEST_F(Robust, TextOfOldRecordsIsEscapedWhereverItIsWritten) {
  write("o.json", R"({"name": "o", "title": "T", "grids": {"g": {"datasets": ["pitprops"],
    "solvers": ["diagonal", "misbehave-throw"], "cardinality": [2, 3],
    "metrics": ["explained_variance"]}}})");
  ASSERT_EQ(misbehaving("run o.json -o out").code, 3);
  make_old(folder_ / "out/cells.jsonl");
  for (const std::string command :
       {"table out --force", "table out --force --format md", "table out --force --format csv",
        "table out --force --format tex", "table out --force --json", "compare out out --force",
        "compare out out --force --json", "reproduce o.json -o out --dry-run", "status out",
        "run o.json -o out --dry-run"}) {
    const Finished read = misbehaving(command);
    const std::string text = read.out + read.err;
    EXPECT_NE(read.code, 1) << command << ": " << read.err;
    EXPECT_LT(text.size(), 50'000U) << command;
    for (const char* raw : {"\x1b", "\x07", "\r", "\xc2\x9b", "\xc2\x85", "\xe2\x80\xae"}) {
      EXPECT_EQ(text.find(raw), std::string::npos) << command << ": " << printable(raw);
    }
    // No text of a record begins a line.
    EXPECT_EQ(text.find("\n# red"), std::string::npos) << command;
    EXPECT_EQ(text.find("\n| a"), std::string::npos) << command;
  }
  const std::string compared = misbehaving("compare out out --force").out;
  EXPECT_NE(compared.find("diagonal\\u001b]0;t\\u0007\\n| a\\u000d\\u0085"), std::string::npos)
      << compared;
}

TEST_F(Robust, DescribeNamesTheLawsOfASolver) {
  EXPECT_EQ(run_json("describe solver encoder-batch").at("laws"),
            Json({"theorem5_slack", "eckart_young_slack"}));
  EXPECT_NE(run("describe solver encoder-batch").out.find("theorem5_slack"), std::string::npos);
  EXPECT_EQ(run_json("describe solver tpower").at("laws"), Json::array());
}

TEST_F(Robust, DescriptionsFitOnAPage) {
  constexpr std::size_t kColumns = 100;
  std::istringstream lines(run("describe solver search").out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), kColumns) << line;
  }
}

TEST_F(Robust, SolveSaysOnStandardErrorWhyItFailed) {
  write("zero.csv", "0,0\n0,0\n0,0\n");
  const Finished finished = run("solve --data zero.csv --solver pca");
  expect_line(finished, 3, {"pca: skipped", "no variable with positive variance"});
}

TEST_F(Robust, SolveKeepsTheComponentsBeforeTheOneForWhichNothingIsLeft) {
  const Json answer = run_json(
      "solve --dataset pitprops --solver tpower --cardinality 7 --components 3 --deflation "
      "remove-support");
  EXPECT_EQ(answer["status"], "incomplete");
  EXPECT_EQ(answer["components"].size(), 2U);
  EXPECT_TRUE(answer["upper_bound"].is_null());
  EXPECT_TRUE(answer["gap"].is_null());
}

/// Returns true if the solver runs. From the start of the solver on, the process catches SIGALRM
/// (solve_watchdog.h), and the kernel reports the signals that a process catches.
bool is_solving(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("SigCgt:")) {
      return (std::stoull(line.substr(7), nullptr, 16) >> (SIGALRM - 1) & 1U) != 0;
    }
  }
  return false;
}

TEST_F(Robust, InterruptedSolvePrintsItsAnswer) {
  const pid_t process = fork();
  if (process == 0) {
    if (chdir(folder_.c_str()) == 0 && freopen("out.txt", "w", stdout) != nullptr &&
        freopen("err.txt", "w", stderr) != nullptr) {
      execl(SPCA_PROGRAM, "spca", "solve", "--dataset", "gaussian", "--set",
            "dataset.variables=200", "--set", "dataset.samples=200", "--solver", "exhaustive",
            "--cardinality", "8", "--set", "largest_count=1000000000000000", "--json", nullptr);
    }
    _exit(1);
  }
  while (!is_solving(process) && waitpid(process, nullptr, WNOHANG) == 0) {
    usleep(1000);
  }
  kill(process, SIGINT);
  int state = 0;
  ASSERT_EQ(waitpid(process, &state, 0), process) << content(folder_ / "err.txt");
  ASSERT_TRUE(WIFEXITED(state));
  EXPECT_EQ(WEXITSTATUS(state), 130);
  EXPECT_EQ(content(folder_ / "err.txt"),
            "spca: interrupted; the answers found before are printed\n");
  EXPECT_EQ(Json::parse(content(folder_ / "out.txt"))["solver"], "exhaustive");
}

TEST_F(Robust, RunKeepsTheRecordsOfAnotherRun) {
  write_experiments();
  ASSERT_EQ(run("run one.json -o out").code, 0);
  const std::string before = content(folder_ / "out/cells.jsonl");
  expect_line(run("run two.json -o out"), 2, {"out: holds the run of one", "-o", "--force"});
  expect_line(run("run one.json --only solver diagonal -o out"), 2, {"with other options"});
  EXPECT_EQ(content(folder_ / "out/cells.jsonl"), before);
  EXPECT_EQ(run("run two.json -o out --force").code, 0);
  EXPECT_EQ(run("run one.json").code, 0);
  EXPECT_EQ(run("run one.json --time-limit 9").code, 0) << "has a folder of its own";
  EXPECT_EQ(run_json("run one.json")["kept"], 4);
}

TEST_F(Robust, TablesOfARunNeedNotTheSolversThatMadeIt) {
  write("r.json", R"({"name": "r", "title": "T", "grids": {"g": {"datasets": ["pitprops"],
    "solvers": ["threshold", "threshold-drift"], "cardinality": [2]}}})");
  ASSERT_EQ(misbehaving("run r.json -o out").code, 0);
  const Finished table = run("table out");
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_NE(table.out.find("threshold-drift"), std::string::npos) << table.out;
}

TEST_F(Robust, CompareNamesTheCellsThatOnlyOneRunAnswers) {
  write("r.json", R"({"name": "r", "title": "T", "grids": {"g": {"datasets": ["pitprops"],
    "solvers": ["threshold", "threshold-drift"], "cardinality": [2]}}})");
  ASSERT_EQ(misbehaving("run r.json -o a").code, 0);
  shell("SPCA_TEST_DRIFT=failing SPCA_CACHE_DIR= '" SPCA_MISBEHAVING_PROGRAM "' run r.json -o b");
  const Finished compared = run("compare a b");
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_NE(compared.out.find("threshold-drift / k = 2: an answer in A only; in B failed"),
            std::string::npos)
      << compared.out;
}

TEST_F(Robust, RefusesArgumentsThatWouldBeIgnoredOrBreakItsOutput) {
  write_experiments();
  expect_usage_error("run one.json --repeats ''", {"--repeats"});
  expect_usage_error("table /tmp", {"/tmp", "a run folder"});
  expect_usage_error("run one.json --set /seed=1 --set /seed=2", {"/seed", "given twice"});
  expect_usage_error(
      "solve --dataset pitprops --solver em --cardinality 2 --set restarts=2 --set restarts=3",
      {"restarts", "given twice"});
  write("label.json", R"({"name": "l", "title": "T", "grids": {"g": {"datasets": ["pitprops"],
    "solvers": [{"name": "threshold", "label": "a\u001b[31m"}], "cardinality": [2]}}})");
  expect_usage_error("validate label.json", {"label", "without control characters"});
  write("profile.json", R"({"name": "p", "title": "T", "grids": {"g": {"datasets": ["pitprops"],
    "solvers": ["threshold"], "cardinality": [2]}}, "profiles": {"../up": {}}})");
  expect_usage_error("validate profile.json", {"/profiles", "../up"});
}

TEST_F(Robust, ReadersAcceptAByteOrderMarkAndCheckTheHeader) {
  const std::string mark = "\xef\xbb\xbf";
  const std::string solve = "solve --solver diagonal --cardinality 1 --data ";
  write("m.mtx", mark + "%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n5\n");
  EXPECT_EQ(run(solve + "m.mtx").code, 0);
  write("d.txt", mark + "2\n2\n2\n1 1 3\n2 2 1\n");
  EXPECT_EQ(run(solve + "d.txt").code, 0);
  write("i.mtx", "%%MatrixMarket matrix array integer general\n2 1\n1\n1.5\n");
  expect_usage_error(solve + "i.mtx", {"i.mtx:4", "1.5", "whole numbers"});
  write("s.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 9999999999999\n");
  expect_usage_error(solve + "s.mtx", {"s.mtx:2", "3 3 9999999999999"});
  write("q.csv", "\"1\",\"2\"\n\"3\",\"5\"\n\"4\",\"7\"\n");
  EXPECT_EQ(run_json(solve + "q.csv")["n"], 3) << "quoted throughout: there is no header";
}

}  // namespace
}  // namespace spca::robust_command_test
