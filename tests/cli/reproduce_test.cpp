/// Tests `spca reproduce` of many experiments: their choice and order, and the pages that it
/// writes.

#include <map>

#include "harness/experiments/experiments_digest.h"
#include "harness/experiments/papers.h"
#include "tests/command_line.h"

namespace spca::reproduce_test {
namespace {

class Reproduce : public CommandLine {};

TEST_F(Reproduce, TakesOneOfThreeWaysToNameExperiments) {
  expect_usage_error("reproduce", {"found 0 of EXPERIMENT, --paper and --all", "accepted"});
  expect_usage_error("reproduce quickstart --all", {"found 2 of", "accepted"});
  expect_usage_error("reproduce --paper tpowr", {"--paper", "did you mean \"tpower\"", "homotopy"});
  expect_usage_error("reproduce --paper tpower --pages p --set /seed=2", {"--pages", "--set"});
  expect_usage_error("reproduce --paper instances", {"--paper", "accepted", "tpower"});
  expect_usage_error("reproduce tpower", {"found a paper", "accepted", "--paper tpower"});
}

TEST_F(Reproduce, SLOW_TheDemosJobEndsWithNothingUnexplained) {
  const Json demo = run_json("reproduce quickstart -j 2 -o out", 0);
  EXPECT_EQ(demo["verdicts"]["worse_unexplained"], 0);
  EXPECT_GT(demo["verdicts"]["certified"]["reproduced"], 300);
}

/// The times are not known here, so the number of cells decides which experiment is cheap.
TEST_F(Reproduce, RunsTheCheapestFirstAndSumsUp) {
  // Two repeats are too few to tell whether the printed means are reached.
  const Json all = run_json("reproduce --paper homotopy --profile smoke -o out", 0);
  std::vector<std::size_t> cells;
  std::size_t sum = 0;
  for (const Json& experiment : all["experiments"]) {
    cells.push_back(experiment["run"]["cells"]);
    sum += experiment["verdicts"]["own"].value("too noisy to tell", 0U);
  }
  EXPECT_GE(cells.size(), 3U);
  EXPECT_TRUE(std::is_sorted(cells.begin(), cells.end()));
  EXPECT_GT(sum, 0U);
  EXPECT_EQ(all["verdicts"]["own"]["too noisy to tell"], sum);
  // Once more: every cell is finished, so one line for each experiment and the sums.
  const Finished again = run("reproduce --paper homotopy --profile smoke -o out");
  EXPECT_EQ(line_count(again.out), cells.size() + 1) << again.out;
  EXPECT_NE(again.err.find(", 0 run: "), std::string::npos) << again.err;
  EXPECT_NE(again.out.find("\nhomotopy: "), std::string::npos);
}

TEST_F(Reproduce, WritesPagesThatNameTheirExperiments) {
  ASSERT_NE(run("reproduce --paper tpower --profile smoke --pages pages").code, 2);
  const std::string page = content(folder_ / "pages" / "tpower.md");
  EXPECT_NE(page.find(experiments_digest({"tpower/pitprops"})), std::string::npos);
  EXPECT_NE(page.find("0.759861"), std::string::npos) << "the printed number";
  EXPECT_NE(page.find("(figures/tpower/pitprops/"), std::string::npos);
  EXPECT_TRUE(fs::exists(folder_ / "pages/figures/tpower/pitprops/loadings-heatmap.svg"));
  EXPECT_NE(content(folder_ / "pages" / "README.md").find("[tpower](tpower.md)"),
            std::string::npos);
  // A page of other experiments stays, and so does its line in the index.
  ASSERT_NE(run("reproduce --paper peers --profile smoke --pages pages").code, 2);
  const std::string index = content(folder_ / "pages" / "README.md");
  EXPECT_LT(index.find("[peers]"), index.find("[tpower]"));
  // Experiments in no folder have a page, and a command that makes it.
  ASSERT_NE(run("reproduce --paper others --profile smoke --pages pages").code, 2);
  EXPECT_NE(content(folder_ / "pages/others.md").find("`spca reproduce --paper others`"),
            std::string::npos);
}

/// An experiment of a paper that prints 3.40 and 2.9 for its method on pit props, whose optima are
/// 3.40615 and 2.93748.
constexpr char kPrintedPitprops[] = R"({
  "name": "someone/table", "title": "Pit props", "source": "A. Someone, A Method, 2020, Table 1",
  "grids": {"one": {"datasets": ["pitprops"], "solvers": ["threshold", "branch-bound"],
                    "cardinality": [4, 5], "metrics": ["explained_variance", "upper_bound"]}},
  "published": [{"name": "t", "where": "A. Someone, 2020, Table 1",
    "title": "Table 1: one component", "method": "own", "metric": "explained_variance",
    "columns": [{"label": "Thresholding", "match": {"solver": "threshold"}}],
    "rows": [{"label": "k = 5", "match": {"cardinality": 5}, "printed": ["3.40"]},
             {"label": "k = 4", "match": {"cardinality": 4}, "printed": ["2.9"]}]}]})";

/// The best answer of any run, with its gap, is shown beside the numbers of its problem.
TEST_F(Reproduce, ATableOfVariancesHasTheBestKnownAnswers) {
  ASSERT_TRUE(fs::create_directories(folder_ / "experiments/someone"));
  write("experiments/someone/table.json", kPrintedPitprops);
  const Finished finished = run("reproduce --paper someone --pages pages");
  ASSERT_NE(finished.code, 2) << finished.err;
  const std::string page = content(folder_ / "pages/someone.md");
  for (const std::string text :
       {"\n## Table 1: one component\n", "Thresholding | best known, proved gap |",
        " | 3.406, optimal |\n", " | 2.94, optimal |\n",
        " Beyond the paper: the best known answers", "proved optimal",
        "\nRun it: `spca reproduce --paper someone`; its solvers take ", "\nMachine: "}) {
    EXPECT_NE(page.find(text), std::string::npos) << text << "\n" << page;
  }
  // One experiment in the terminal: the answer, then the table of the paper.
  const std::string out = run("reproduce someone/table").out;
  EXPECT_TRUE(out.starts_with("Does it come out? ")) << out;
  EXPECT_LT(out.find("best known, proved gap"), out.find("\nsomeone/table: ")) << out;
}

/// The page of a paper begins with the answer, and has the paper's tables before everything else.
TEST_F(Reproduce, APageAnswersFirstAndHasTheTablesOfThePaper) {
  ASSERT_NE(run("reproduce --paper homotopy --profile smoke --pages pages").code, 2);
  const std::string page = content(folder_ / "pages" / "homotopy.md");
  const std::vector<std::string> order = {
      "\n# M. Journee, F. Bach, P.-A. Absil, R. Sepulchre, Refining sparse principal components",
      "**Does it come out? ",
      "numbers of the paper's method",
      "\n## Table 1: ",
      "| f\\_B' |",
      "| 50x25 | 3.9757 ",
      "Run it: `spca reproduce homotopy/table1`",
      "\n## What the paper says in words",
      "\n## Figures",
      "<details><summary>What we added</summary>",
      "<details><summary>How this was run</summary>"};
  std::size_t at = 0;
  for (const std::string& text : order) {
    const std::size_t found = page.find(text, at);
    ASSERT_NE(found, std::string::npos) << text << "\n" << page.substr(at, 3000);
    at = found;
  }
  const std::string index = content(folder_ / "pages" / "README.md");
  EXPECT_NE(index.find("| paper | does it come out? | printed numbers | too noisy to tell |"),
            std::string::npos);
  EXPECT_NE(index.find(" | its statements | ours |"), std::string::npos);
  EXPECT_NE(index.find("| [homotopy](homotopy.md): M. Journee, F. Bach"), std::string::npos);
  // A page of an older version stays in the index, which says so.
  write("pages/old.md", "<!-- digest -->\n<!-- printed, own method: 1 match -->\n# old\n");
  ASSERT_NE(run("reproduce --paper tpower --profile smoke --pages pages").code, 2);
  EXPECT_NE(content(folder_ / "pages" / "README.md").find("[old](old.md). Of an older version"),
            std::string::npos);
}

/// An experiment whose data file is missing is skipped. The reason says "the data folder" and
/// has no path.
TEST_F(Reproduce, PagesHaveTheTablesOfBoundsAndNameNoFolderOfOneMachine) {
  const fs::path missing = folder_ / "no data";
  const Finished finished =
      run("reproduce bounds/certified --profile smoke --pages pages --data-dir '" +
          missing.string() + "'");
  ASSERT_NE(finished.code, 2) << finished.err;
  const std::string page = content(folder_ / "pages/bounds.md");
  EXPECT_NE(page.find("is not in the data folder, which does not exist;"), std::string::npos)
      << page;
  EXPECT_EQ(page.find(folder_.string()), std::string::npos);
  EXPECT_NE(page.find("Run it: `spca reproduce bounds/certified`"), std::string::npos) << page;
  EXPECT_NE(page.find(" experiments; this page is of 1."), std::string::npos) << page;
  EXPECT_NE(page.find("upper bound | gap | CPU s | threshold | tpower"), std::string::npos) << page;
  EXPECT_NE(page.find("| 0 % | "), std::string::npos) << "branch-bound proves pit props";
}

/// Returns the experiments in the folder of a paper; for "others", those in no such folder.
std::vector<std::string> experiments_on_page(const std::string& paper) {
  const fs::path experiments = fs::path(SPCA_SOURCE_DIR) / "experiments";
  const bool others = paper == "others";
  std::vector<std::string> names;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(others ? experiments : experiments / paper)) {
    const fs::path& file = entry.path();
    if (file.extension() == ".json" && file.filename() != "schema.json") {
      names.push_back((others ? "" : paper + "/") + file.stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// `spca reproduce --all --pages results/reproduction` makes them again.
TEST_F(Reproduce, CommittedPagesAreThoseOfTheCommittedExperiments) {
  const fs::path pages = fs::path(SPCA_SOURCE_DIR) / "results/reproduction";
  std::vector<std::string> papers = {"others"};
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(SPCA_SOURCE_DIR) / "experiments")) {
    // The experiments of instances belong to no paper.
    if (entry.is_directory() && entry.path().filename() != kInstancesFolder) {
      papers.push_back(entry.path().filename().string());
    }
  }
  ASSERT_GT(papers.size(), 4U);
  for (const std::string& paper : papers) {
    const std::string page = content(pages / (paper + ".md"));
    const std::string first = page.substr(0, page.find('\n'));
    EXPECT_NE(first.find(experiments_digest(experiments_on_page(paper))), std::string::npos)
        << paper << ".md is not of these experiments; make it again with spca reproduce --paper "
        << paper << " --pages results/reproduction";
    EXPECT_EQ(page.find("in the data folder /"), std::string::npos)
        << paper << ".md names a folder of one machine";
  }
}

/// Returns the rows of a Markdown table that begin with a link, by the name of the link; each
/// without the link.
std::map<std::string, std::string> linked_rows(const std::string& text) {
  std::map<std::string, std::string> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t end = line.find("](");
    const std::size_t rest = line.find(')', end);
    if (line.starts_with("| [") && end != std::string::npos && rest != std::string::npos) {
      rows[line.substr(3, end - 3)] = line.substr(rest + 1);
    }
  }
  return rows;
}

/// `scripts/readme-table --write` makes them equal.
TEST_F(Reproduce, ReadmeHasTheSumsOfTheCommittedPages) {
  const fs::path root(SPCA_SOURCE_DIR);
  const std::string pages = content(root / "results/reproduction/README.md");
  const std::string readme = content(root / "README.md");
  const std::map<std::string, std::string> index = linked_rows(pages);
  const std::map<std::string, std::string> rows = linked_rows(readme);
  EXPECT_GE(index.size(), 5U);
  for (const auto& [name, row] : index) {
    EXPECT_TRUE(rows.contains(name) && rows.at(name) == row) << name << row;
  }
  // README says with which line the demo ends. The index has the same sums on the line of "others",
  // whose only experiment is quickstart.
  const std::string begin = "\n- [others](others.md). ";
  const std::size_t at = pages.find(begin);
  ASSERT_NE(at, std::string::npos) << pages;
  const std::string line =
      pages.substr(at + begin.size(), pages.find(".\n", at) - at - begin.size());
  EXPECT_NE(readme.find("\nquickstart: " + line + "\n"), std::string::npos) << line;
  const std::string guide = content(root / "docs/EXPERIMENTS.md");
  EXPECT_NE(guide.find("\nquickstart: " + line + "\n"), std::string::npos) << line;
}

/// A digest that only the documents determine would call pages fresh after a solver has changed.
TEST_F(Reproduce, PagesAreStaleIfTheBaselineHasOtherNumbers) {
  ASSERT_TRUE(fs::create_directories(folder_ / "experiments/someone"));
  ASSERT_TRUE(fs::create_directories(folder_ / "results/reference/someone"));
  write("experiments/someone/table.json", kPrintedPitprops);
  Json baseline = {{"cells",
                    {{{"solver", "threshold"},
                      {"status", {"converged"}},
                      {"metrics", {{"explained_variance", {3.4}}}},
                      {"loadings", Json::array()}}}}};
  const auto digest = [&] {
    write("results/reference/someone/table.json", baseline.dump());
    EXPECT_NE(run("reproduce --paper someone --pages pages").code, 2);
    const std::string page = content(folder_ / "pages/someone.md");
    return page.substr(0, page.find('\n'));
  };
  const std::string before = digest();
  baseline["cells"][0]["loadings"] = {{{"indices", {1}}}};
  baseline["cells"][0]["metrics"]["explained_variance"][0] = 3.4 + 1e-9;
  EXPECT_EQ(digest(), before) << "loadings, and digits that two machines do not share";
  baseline["cells"][0]["metrics"]["explained_variance"][0] = 3.5;
  EXPECT_NE(digest(), before);
}

/// A run without the data folder would replace a page's numbers by "not run".
TEST_F(Reproduce, APageThatWouldLoseNumbersStays) {
  ASSERT_TRUE(fs::create_directories(folder_ / "experiments/someone"));
  const std::string datasets = R"("datasets": ["pitprops"])";
  const auto pages_of = [&](const std::string& others) {
    std::string text = kPrintedPitprops;
    const std::size_t at = text.find(datasets);
    text.replace(at, datasets.size(), R"("datasets": ["pitprops")" + others + "]");
    text.replace(text.find(R"({"solver": "threshold"})"), 23,
                 R"({"solver": "threshold", "dataset": "pitprops"})");
    write("experiments/someone/table.json", text);
    return run("--data-dir . reproduce --paper someone --pages pages");
  };
  const int code = pages_of(R"(, "wine")").code;
  ASSERT_NE(code, 2);
  const std::string before = content(folder_ / "pages/someone.md");

  const Finished without = pages_of(R"(, "colon")");
  EXPECT_EQ(without.code, code == 0 ? 5 : code);
  EXPECT_NE(without.err.find("pages/someone.md: left as it is: 8 of its cells are finished, 4 of "
                             "this run, which misses 4"),
            std::string::npos)
      << without.err;
  EXPECT_EQ(content(folder_ / "pages/someone.md"), before);

  EXPECT_EQ(pages_of("").code, code) << "a smaller experiment misses nothing";
  EXPECT_NE(content(folder_ / "pages/someone.md"), before);
}

TEST_F(Reproduce, RefusesAnIndexOfForeignPages) {
  ASSERT_TRUE(fs::create_directory(folder_ / "pages"));
  write("pages/foreign.md", "# Notes\nof mine\n");
  expect_usage_error("reproduce --paper tpower --profile smoke --pages pages",
                     {"--pages", "foreign.md: line 2", "accepted"});
  ASSERT_TRUE(fs::create_directory(folder_ / "other"));
  write("other/README.md", "# Mine\n");
  expect_usage_error("reproduce --paper tpower --profile smoke --pages other",
                     {"--pages", "README.md: line 1", "accepted"});
  expect_usage_error("reproduce --paper tpower --profile smoke --pages other/README.md",
                     {"--pages", "found the file", "accepted: a folder"});
  EXPECT_EQ(content(folder_ / "pages" / "foreign.md"), "# Notes\nof mine\n");
}

}  // namespace
}  // namespace spca::reproduce_test
