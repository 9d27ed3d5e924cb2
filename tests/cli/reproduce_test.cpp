/// `spca reproduce` of many experiments: which, in what order, and the pages that it writes.

#include "harness/experiments/experiments_digest.h"
#include "tests/command_line.h"

namespace spca::reproduce_test {
namespace {

class Reproduce : public CommandLine {};

TEST_F(Reproduce, TakesOneOfThreeWaysToNameExperiments) {
  expect_usage_error("reproduce", {"found 0 of EXPERIMENT, --paper and --all", "accepted"});
  expect_usage_error("reproduce quickstart --all", {"found 2 of", "accepted"});
  expect_usage_error("reproduce --paper tpowr", {"--paper", "did you mean \"tpower\"", "homotopy"});
  expect_usage_error("reproduce --paper tpower --pages p --set /seed=2", {"--pages", "--set"});
}

TEST_F(Reproduce, SLOW_TheDemosJobEndsWithNothingUnexplained) {
  const Json demo = run_json("reproduce quickstart -j 2 -o out", 0);
  EXPECT_EQ(demo["verdicts"]["worse_unexplained"], 0);
  EXPECT_GT(demo["verdicts"]["certified"]["match"], 300);
}

/// The times are not known here, so the number of cells decides which experiment is cheap.
TEST_F(Reproduce, RunsTheCheapestFirstAndSumsUp) {
  // Two repeats do not reach the printed numbers: the exit code says so.
  const Json all = run_json("reproduce --paper homotopy --profile smoke -o out", 4);
  std::vector<std::size_t> cells;
  std::size_t sum = 0;
  for (const Json& experiment : all["experiments"]) {
    cells.push_back(experiment["run"]["cells"]);
    sum += experiment["verdicts"]["own"].value("match", 0U);
  }
  EXPECT_GE(cells.size(), 3U);
  EXPECT_TRUE(std::is_sorted(cells.begin(), cells.end()));
  EXPECT_GT(sum, 0U);
  EXPECT_EQ(all["verdicts"]["own"]["match"], sum);
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
}

/// An experiment whose data file is missing is skipped with a reason that names the data folder.
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
  EXPECT_NE(page.find("upper bound | gap | CPU s | threshold | tpower"), std::string::npos) << page;
  EXPECT_NE(page.find("| 0 % | "), std::string::npos) << "branch-bound proves pit props";
}

/// The experiments in the folder of a paper; of "others", those that stand in none.
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

/// `spca reproduce --all --pages results/reproduction` makes them anew.
TEST_F(Reproduce, CommittedPagesAreThoseOfTheCommittedExperiments) {
  const fs::path pages = fs::path(SPCA_SOURCE_DIR) / "results/reproduction";
  std::vector<std::string> papers = {"others"};
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(SPCA_SOURCE_DIR) / "experiments")) {
    if (entry.is_directory()) {
      papers.push_back(entry.path().filename().string());
    }
  }
  ASSERT_GT(papers.size(), 4U);
  for (const std::string& paper : papers) {
    const std::string page = content(pages / (paper + ".md"));
    const std::string first = page.substr(0, page.find('\n'));
    EXPECT_NE(first.find(experiments_digest(experiments_on_page(paper))), std::string::npos)
        << paper << ".md is not of these experiments; make it anew with spca reproduce --paper "
        << paper << " --pages results/reproduction";
    EXPECT_EQ(page.find("in the data folder /"), std::string::npos)
        << paper << ".md names a folder of one machine";
  }
}

/// Returns the number of `kind` of `origin` in the sums of a page, such as "printed, own method: 3
/// match, 1 worse; ...". 0 if the sums have none.
int count_of(const std::string& sums, const std::string& origin, const std::string& kind) {
  const std::size_t begin = sums.find(origin + ": ");
  if (begin == std::string::npos) {
    return 0;
  }
  const std::string part = sums.substr(begin, sums.find(';', begin) - begin);
  const std::size_t end = part.find(" " + kind);
  return end == std::string::npos ? 0 : std::stoi(part.substr(part.find_last_of(" ", end - 1)));
}

TEST_F(Reproduce, ReadmeHasTheSumsOfTheCommittedPages) {
  const fs::path root(SPCA_SOURCE_DIR);
  std::istringstream readme(content(root / "README.md"));
  int papers = 0;
  for (std::string row; std::getline(readme, row);) {
    const std::size_t name = row.find("(results/reproduction/");
    if (!row.starts_with("| [") || name == std::string::npos) {
      continue;
    }
    const std::string page = row.substr(name + 1, row.find(')', name) - name - 1);
    const std::string text = content(root / page);
    const std::string sums = text.substr(0, text.find("\n#"));
    std::string expected;
    for (const std::string origin : {"own method", "baselines"}) {
      expected += fmt::format(" | {}, {}, {}", count_of(sums, origin, "match"),
                              count_of(sums, origin, "better"), count_of(sums, origin, "worse"));
    }
    for (const std::string origin : {"claims of the paper", "claims of ours"}) {
      expected += fmt::format(" | {}, {}, {}", count_of(sums, origin, "hold"),
                              count_of(sums, origin, "undecided"), count_of(sums, origin, "fail"));
    }
    EXPECT_NE(row.find(expected + " |"), std::string::npos) << row << "\nof " << sums;
    ++papers;
  }
  EXPECT_GE(papers, 5);
  // README says with which line the demo ends. The page of quickstart has the same sums.
  const std::string others = content(root / "results/reproduction/others.md");
  const std::size_t begin = others.find("printed");
  const std::string sums = others.substr(begin, others.find(" -->", begin) - begin);
  EXPECT_NE(readme.str().find("\nquickstart: " + sums + "\n"), std::string::npos) << sums;
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
