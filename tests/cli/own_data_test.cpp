/// Tests of the program for a user who has a table and no experiment.

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "tests/command_line.h"

namespace spca {
namespace {

const char* const kTable =
    "id,height,weight,age,flat\n"
    "ann,1.5,2,7,1\nben,2,3.5,1,1\ncyd,4,1,2,1\ndan,3,9,4,1\neve,7,8,1,1\nfay,6,7,3,1\n";

/// Thirty columns that vary with each other: the first component would take nearly all of them.
std::string wide_table() {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j < 30; ++j) {
      text += fmt::format("{}{}", j > 0 ? "," : "", std::sin(i) + 0.5 * std::sin(i * (j + 2)));
    }
    text += "\n";
  }
  return text;
}

class OwnData : public CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    write("x.csv", kTable);
  }
  /// The fields of a CSV that the program wrote, line by line.
  std::vector<std::vector<std::string>> csv(const std::string& name) const {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(content(folder_ / name));
    for (std::string line; std::getline(lines, line);) {
      rows.emplace_back();
      std::istringstream fields(line);
      for (std::string field; std::getline(fields, field, ',');) {
        rows.back().push_back(field);
      }
    }
    return rows;
  }
};

TEST_F(OwnData, AFileAloneIsEnough) {
  const Finished finished = run("solve --data x.csv");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_NE(finished.err.find("no --solver: search"), std::string::npos) << finished.err;
  EXPECT_NE(finished.err.find("no --cardinality: k = "), std::string::npos) << finished.err;
  EXPECT_NE(finished.err.find("column 1 (id) is taken for names of rows"), std::string::npos);
  EXPECT_EQ(line_count(finished.err), 3U) << finished.err;
  EXPECT_EQ(run("solve --data x.csv -q").err, "");
  EXPECT_NE(run("solve --data x.csv -v").err.find("n = 6, p = 4"), std::string::npos);
  // The same command gives the same bytes except for the times.
  const auto answer = [&] { return run_json("solve --data x.csv")["components"]; };
  EXPECT_EQ(answer(), answer());
}

TEST_F(OwnData, TheCardinalityOfOnesOwnIsForAllComponents) {
  write("wide.csv", wide_table());
  const Json answer = run_json("solve --data wide.csv --standardize --components 8");
  EXPECT_EQ(answer["status"], "converged");
  EXPECT_EQ(answer["components"].size(), 8U);
  for (const Json& k : answer["cardinality_asked"]) {
    EXPECT_LE(k.get<int>(), 3);
  }
  const Finished finished = run("solve --data x.csv --components 4");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_NE(finished.err.find("no --cardinality: k = 1, "), std::string::npos) << finished.err;
}

TEST_F(OwnData, FewerComponentsThanAskedForAreAnAnswerThatSaysSo) {
  write("wide.csv", wide_table());
  const Finished finished =
      run("solve --data wide.csv --standardize --components 3 --cardinality 25 --solver tpower");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_NE(
      finished.out.find("tpower: incomplete, 2 of 3 components; component 3: no variable with "
                        "positive variance is left: those before hold all 30; accepted: "
                        "cardinalities with a sum of at most 30"),
      std::string::npos)
      << finished.out;
  EXPECT_NE(finished.out.find("total: explained variance"), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("no upper bound: 2 of 3 components"), std::string::npos)
      << finished.out;
  const Json answer = run_json(
      "solve --data wide.csv --standardize --components 3 --cardinality 25 --solver tpower");
  EXPECT_EQ(answer["components_asked"], 3);
  EXPECT_EQ(answer["components"].size(), 2U);
  EXPECT_TRUE(answer["upper_bound"].is_null()) << "a bound on two components is none on three";
}

TEST_F(OwnData, MissingValuesAreAnErrorWithARemedy) {
  write("gaps.csv", "a,b\n1,2\n3,NA\n,5\n7,1\n");
  expect_usage_error(
      "solve --data gaps.csv --cardinality 1",
      {"gaps.csv:3: column 2 (b)", "\"NA\"", "2 missing values", "--missing", "drop-rows"});
  const Finished finished = run("solve --data gaps.csv --cardinality 1 --missing drop-rows");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_NE(finished.err.find("2 of 4 rows left out"), std::string::npos) << finished.err;
  expect_usage_error("solve --data gaps.csv --cardinality 1 --missing drop-row",
                     {"--missing", "did you mean", "drop-columns"});
}

TEST_F(OwnData, StandardisingNamesConstantVariables) {
  const Finished finished = run("solve --data x.csv --standardize --cardinality 2");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_NE(finished.err.find("1 constant variable set aside: flat"), std::string::npos)
      << finished.err;
  expect_usage_error("solve --data x.csv --standardize --scale n-1", {"--standardize", "--scale"});
  expect_usage_error("solve --data x.csv --standardize --no-center", {"--no-center"});
}

TEST_F(OwnData, DataSetsTakeAnotherForm) {
  const auto variance = [&](const std::string& form) {
    return run_json("solve --dataset spiked --solver tpower --cardinality 1 " + form)
        .at("components")[0]["explained_variance"]
        .get<double>();
  };
  EXPECT_NEAR(variance("--standardize"), 1, 1e-12);
  EXPECT_LT(variance("--center --scale n"), variance("--no-center --scale n"));
  EXPECT_GT(variance("--scale n-1"), variance("--scale n"));
  expect_usage_error("solve --dataset pitprops --center --cardinality 2",
                     {"--center", "pitprops", "S itself"});
  expect_usage_error("solve --dataset pitprops --header yes --cardinality 2",
                     {"--header", "with --data"});
}

/// Squares of numbers near 1e-170 and 1e170 are zero and infinite. Standardised data have no such
/// numbers.
TEST_F(OwnData, AFileAsADataSetIsStandardisedBeforeItsSquaresAreFormed) {
  const auto table = [](const std::string& exponent) {
    std::string text = "a,b,c\n";
    for (int i = 0; i < 12; ++i) {
      text += fmt::format("{1}{0},{2}{0},{3}{0}\n", exponent, std::sin(i), std::sin(2 * i + 1),
                          std::sin(i) + std::cos(3 * i));
    }
    return text;
  };
  const std::string solve = "solve --solver exhaustive --cardinality 2 ";
  write("one.csv", table(""));
  const Json plain = run_json(solve + "--standardize --data one.csv")["components"][0];
  for (const std::string exponent : {"e-170", "e170"}) {
    write("scaled.csv", table(exponent));
    const std::string dataset = "--dataset file --set dataset.path=scaled.csv ";
    const Json scaled = run_json(solve + dataset + "--standardize")["components"][0];
    EXPECT_EQ(scaled["indices"], plain["indices"]) << exponent;
    EXPECT_NEAR(scaled["explained_variance"].get<double>(),
                plain["explained_variance"].get<double>(), 1e-12)
        << exponent;
    expect_usage_error(solve + dataset, {"scaled.csv", "scale"});
  }
  write("scaled.csv", table("e-170"));
  ASSERT_EQ(run("convert scaled.csv scaled.spca").code, 0);
  expect_usage_error(solve + "--data scaled.spca",
                     {"scaled.spca: the squares of the data are below the smallest number"});
}

/// The options of the command line override those of the data set.
TEST_F(OwnData, AFileAsADataSetTakesTheFormOfTheCommandLine) {
  const auto answer = [&](const std::string& words) {
    return run_json("solve --solver tpower --cardinality 2 " + words)["components"];
  };
  const std::string dataset = "--dataset file --set dataset.path=x.csv ";
  for (const std::string form : {"", "--no-center", "--scale n-1", "--standardize"}) {
    EXPECT_EQ(answer(dataset + form), answer("--data x.csv " + form)) << form;
  }
  EXPECT_EQ(answer(dataset + "--set dataset.center=no --center"), answer("--data x.csv"));
}

TEST_F(OwnData, ResultsAreWrittenAndProject) {
  for (const std::string form : {"", " --standardize", " --no-center", " --scale n-1"}) {
    const Finished finished =
        run("solve --data x.csv --cardinality 2 --components 2 -o result.json --scores scores.csv" +
            form);
    ASSERT_EQ(finished.code, 0) << finished.err;
    const Json result = Json::parse(content(folder_ / "result.json"));
    const auto scores = csv("scores.csv");
    ASSERT_EQ(scores.size(), 7U);
    EXPECT_EQ(scores[0], (std::vector<std::string>{"sample", "component1", "component2"}));
    EXPECT_EQ(scores[1][0], "ann");
    // The mean square of the scores is v'Sv, the variance that the component explains.
    double squares = 0;
    for (std::size_t i = 1; i < scores.size(); ++i) {
      squares += std::pow(std::stod(scores[i][1]), 2);
    }
    const double n = form == " --scale n-1" ? 5 : 6;
    EXPECT_NEAR(squares / n, result["components"][0]["explained_variance"].get<double>(), 1e-9)
        << form;
    // The same samples, in another order of the columns, have the same scores.
    write("new.csv",
          "id,age,flat,weight,height\nann,7,1,2,1.5\nben,1,1,3.5,2\ncyd,2,1,1,4\ndan,4,1,9,3\n"
          "eve,1,1,8,7\nfay,3,1,7,6\n");
    ASSERT_EQ(run("project result.json --data new.csv -o projected.csv").code, 0);
    const auto projected = csv("projected.csv");
    for (std::size_t i = 1; i < scores.size(); ++i) {
      EXPECT_EQ(projected[i][0], scores[i][0]);
      EXPECT_NEAR(std::stod(projected[i][1]), std::stod(scores[i][1]), 1e-12);
      EXPECT_NEAR(std::stod(projected[i][2]), std::stod(scores[i][2]), 1e-12);
    }
  }
}

TEST_F(OwnData, OneNewSampleIsEnoughToProject) {
  ASSERT_EQ(run("solve --data x.csv --solver tpower --cardinality 2 -o result.json").code, 0);
  write("one.csv", "id,height,weight,age,flat\nzoe,3,9,4,1\n");
  const Finished finished = run("project result.json --data one.csv");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(finished.out.find("sample,component1\nzoe,"), 0U) << finished.out;
}

TEST_F(OwnData, ProjectRefusesDataThatDoNotFit) {
  ASSERT_EQ(run("solve --data x.csv --solver tpower --cardinality 2 -o result.json").code, 0);
  write("other.csv", "height,age\n1,2.5\n3,4\n");
  expect_usage_error("project result.json --data other.csv", {"other.csv", "no column weight"});
  write("bare.csv", "1,2.5\n3,4\n");
  expect_usage_error("project result.json --data bare.csv", {"bare.csv", "2 columns", "4"});
  // Names that are not UTF-8 are taken as Latin-1.
  write("latin.csv", "h\xf6he,breite\n1.5,2\n2,3.5\n7,1\n");
  ASSERT_EQ(run("solve --data latin.csv --cardinality 2 -o latin.json --scores scores.csv").code,
            0);
  EXPECT_EQ(run("project latin.json --data latin.csv").out, content(folder_ / "scores.csv"));
  EXPECT_NE(content(folder_ / "latin.json").find("h\u00f6he"), std::string::npos);
  // A variable that the result does not have is no reason to scale or to drop anything.
  write("large.csv", "w\u00f6,year,h\xf6he,breite\n1,2001,1.5,2\n2,3e6,2,3.5\n5,4e6,7,1\n");
  EXPECT_EQ(line_count(run("project latin.json --data large.csv").err), 1U);
  expect_usage_error("project x.csv --data x.csv", {"x.csv"});
  write("empty.json", "{}");
  expect_usage_error("project empty.json --data x.csv", {"empty.json", "no result"});
  write("newer.json", R"({"schema": 9, "components": []})");
  expect_usage_error("project newer.json --data x.csv", {"newer.json", "version 9", "version 1"});
  write("odd.json",
        R"({"schema": 1, "components": [{"means": 1, "deviations": 2}], "p": 3, "data": {}})");
  expect_usage_error("project odd.json --data x.csv", {"odd.json", "schema result"});
  ASSERT_EQ(run("solve --dataset pitprops --solver tpower --cardinality 2 -o s.json").code, 0);
  expect_usage_error("project s.json --data x.csv", {"s.json", "covariance"});
}

/// Tests a result with two variables called "a", and the names that new data may have for them.
TEST_F(OwnData, ProjectTakesVariablesThatShareANameByPlace) {
  const std::string rows = "\n1.5,2,9\n3,5,0\n2,2,1\n0,0.5,5\n";
  write("equal.csv", "a,b,a" + rows);
  write("unique.csv", "a,b,c" + rows);
  const std::string solve = "solve --solver exhaustive --cardinality 2 --data ";
  ASSERT_EQ(run(solve + "equal.csv -o equal.json --scores scores.csv").code, 0);
  ASSERT_EQ(run(solve + "unique.csv -o unique.json").code, 0);
  const Json component = Json::parse(content(folder_ / "equal.json"))["components"][0];
  ASSERT_EQ(component["indices"], Json({1, 2}));
  EXPECT_EQ(component["shared_names"], Json({"a"}));
  EXPECT_EQ(Json::parse(content(folder_ / "unique.json"))["components"][0]["shared_names"],
            Json::array());

  const Finished same = run("project equal.json --data equal.csv");
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_EQ(same.out, content(folder_ / "scores.csv"));
  EXPECT_NE(same.err.find("several variables of it are called \"a\"; all are taken by place"),
            std::string::npos)
      << same.err;
  // By name, the second "a" of the result would be the first column of the new data.
  expect_usage_error("project equal.json --data unique.csv",
                     {"unique.csv: ", "several variables of equal.json are called \"a\""});
  write("renamed.csv", "x,b,a" + rows);
  const Finished renamed = run("project equal.json --data renamed.csv");
  EXPECT_EQ(renamed.out, content(folder_ / "scores.csv")) << renamed.err;
  EXPECT_NE(renamed.err.find("several variables of equal.json are called \"a\""),
            std::string::npos);
  // The other way round: the names of the result are unique, and those of the new data are not.
  write("doubled.csv", "a,c,c" + rows);
  write("elsewhere.csv", "c,b,c" + rows);
  expect_usage_error("project unique.json --data doubled.csv", {"no column b"});
  const Finished elsewhere = run("project unique.json --data elsewhere.csv");
  EXPECT_EQ(elsewhere.out, content(folder_ / "scores.csv")) << elsewhere.err;
  EXPECT_NE(elsewhere.err.find("several variables of it are called \"c\""), std::string::npos);
  write("wider.csv", "b,c,c,d\n1,2,3,4\n4,2,1,3\n");
  expect_usage_error("project unique.json --data wider.csv",
                     {"wider.csv: several variables of it are called \"c\"",
                      "the 3 columns of the result in their order"});
}

/// Several columns may share a name that belongs to no variable of the answer.
TEST_F(OwnData, ProjectGoesByNameIfTheNamesOfTheAnswerAreUnique) {
  write("equal.csv", "a,b,a,c\n0.1,2,.2,9\n.3,5,.1,0\n.2,2,.3,1\n0,0.5,.1,5\n");
  write("new.csv", "c,a,a,b\n9,0,0,2\n0,0,0,5\n1,0,0,2\n5,0,0,.5\n");
  ASSERT_EQ(run("solve --solver exhaustive --cardinality 2 --data equal.csv -o equal.json "
                "--scores scores.csv")
                .code,
            0);
  const Finished projected = run("project equal.json --data new.csv");
  EXPECT_EQ(projected.out, content(folder_ / "scores.csv")) << projected.err;
}

TEST_F(OwnData, ProjectReadsResultsOfOlderPrograms) {
  ASSERT_EQ(run("solve --data x.csv --solver tpower --cardinality 2 -o result.json").code, 0);
  Json result = Json::parse(content(folder_ / "result.json"));
  const Finished recorded = run("project result.json --data x.csv");
  EXPECT_EQ(recorded.err.find("older"), std::string::npos) << recorded.err;
  for (Json& component : result["components"]) {
    component.erase("shared_names");
  }
  write("old.json", result.dump());
  const Finished old = run("project old.json --data x.csv");
  EXPECT_EQ(old.code, 0) << old.err;
  EXPECT_EQ(old.out, recorded.out);
  EXPECT_NE(old.err.find("old.json: an older program wrote it"), std::string::npos) << old.err;
  result["components"][0]["names"] = {"height", "height"};
  write("old.json", result.dump());
  expect_usage_error("project old.json --data x.csv",
                     {"several variables of old.json are called \"height\""});
}

TEST_F(OwnData, LoadingsGoToATable) {
  ASSERT_EQ(
      run("solve --data x.csv --solver tpower --cardinality 2 --components 2 -o loadings.csv").code,
      0);
  const auto rows = csv("loadings.csv");
  EXPECT_EQ(rows[0], (std::vector<std::string>{"index", "name", "component1", "component2"}));
  double length = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    length += std::pow(std::stod(rows[i][2]), 2);
  }
  EXPECT_NEAR(length, 1, 1e-12);
  expect_usage_error("solve --data x.csv -o result.txt", {"-o", "result.txt", ".json or .csv"});
  expect_usage_error("solve --data x.csv -o nowhere/result.json", {"-o", "folder"});
  expect_usage_error("solve --dataset pitprops --cardinality 2 --scores s.csv",
                     {"--scores", "no samples"});
}

TEST_F(OwnData, CertifyProvesABound) {
  const Json plain = run_json("solve --dataset pitprops --solver tpower --cardinality 7");
  const Json proven =
      run_json("solve --dataset pitprops --solver tpower --cardinality 7 --certify 20");
  EXPECT_GT(plain["gap"].get<double>(), 1e-3);
  EXPECT_LT(proven["gap"].get<double>(), 1e-6);
  EXPECT_EQ(proven["components"], plain["components"]);
  // A worse solver's answer is replaced, and the table says so.
  const Finished better =
      run("solve --dataset pitprops --solver threshold --cardinality 4 --certify 20");
  EXPECT_NE(better.out.find("found a better answer than threshold"), std::string::npos)
      << better.out;
  const Json several =
      run_json("solve --dataset pitprops --solver tpower --cardinality 3,3 --certify 20");
  EXPECT_LT(several["gap"].get<double>(), 1e-6);
}

/// The problem of a certificate depends on the loadings, and not on the name of their solver.
TEST_F(OwnData, CertifyLooksAtTheAnswer) {
  const auto certified = [this](const std::string& words) {
    return run_json("solve --dataset pitprops --certify 5 --solver " + words);
  };
  const Json orthogonal = certified("orthogonal-ascent --cardinality 7,7");
  EXPECT_EQ(orthogonal["certificate"]["problem"], "orthogonal loadings");
  EXPECT_EQ(orthogonal["certificate"]["source"], "upper_bound_orthogonal");
  EXPECT_NEAR(orthogonal["metrics"]["projected_variance"].get<double>(), 6.21249, 1e-5);
  EXPECT_NEAR(orthogonal["upper_bound"].get<double>(), 6.21255, 1e-4);
  const Json disjoint = certified("orthogonal-ascent --cardinality 4,4");
  EXPECT_EQ(disjoint["certificate"]["problem"], "disjoint supports");
  EXPECT_EQ(disjoint["certificate"]["source"], "branch-price");
  EXPECT_NEAR(disjoint["upper_bound"].get<double>(), 5.25516, 1e-5);
  EXPECT_LT(disjoint["gap"].get<double>(), 1e-6);
  const Json overlapping = certified("tpower --cardinality 7,2,4 --deflation projection");
  EXPECT_EQ(overlapping["certificate"]["problem"], "any loadings");
  EXPECT_EQ(overlapping["certificate"]["source"], "spectrum");
  const Finished text =
      run("solve --dataset pitprops --certify 5 --solver orthogonal-ascent --cardinality 4,4");
  EXPECT_NE(text.out.find("the bound on disjoint supports is what branch-price proved"),
            std::string::npos)
      << text.out;
}

TEST_F(OwnData, CertifySaysIfTheNonzerosFoundStandForACardinality) {
  const std::string solve =
      "solve --dataset pitprops --solver gpower-l1 --set penalty=0.4 --certify 5";
  const Json free = run_json(solve);
  EXPECT_EQ(free["certificate"]["cardinality_source"], "nonzeros");
  EXPECT_EQ(free["certificate"]["cardinality"],
            Json::array({free["components"][0]["indices"].size()}));
  EXPECT_NE(run(solve).out.find("no cardinality was asked for"), std::string::npos);
}

/// The first component has one nonzero where two were asked for: three single variables explain 11,
/// and the last pair with two single ones 9 + 2.828.
TEST_F(OwnData, CertifyBoundsTheRequestedCardinalityAndNotTheNonzerosFound) {
  write("s.csv", "5,0,0,0\n0,4,0,0\n0,0,2,0.828\n0,0,0.828,2\n");
  const std::string solve =
      "solve --data s.csv --kind covariance --solver tpower --cardinality 2,1,1";
  const Json found = run_json(solve);
  EXPECT_EQ(found["components"][0]["indices"].size(), 1U);
  EXPECT_NEAR(found["metrics"]["projected_variance"].get<double>(), 11, 1e-12);
  const Json proven = run_json(solve + " --certify 5");
  EXPECT_EQ(proven["solver"], "branch-price");
  EXPECT_NEAR(proven["upper_bound"].get<double>(), 11.828, 1e-9);
}

TEST_F(OwnData, NamesInCsvReadBackAsTheyWere) {
  write("names.csv",
        "\"-1\",=a,\"b,c\",\"say \"\"x\"\"\",#d\n1,2,3,4,9\n2,1,5,4,1\n3,7,1,8,2\n4,1,6,2,7\n");
  ASSERT_EQ(run("solve --data names.csv --header yes --row-names no --solver tpower --cardinality "
                "5 -o l.csv")
                .code,
            0);
  const std::string text = content(folder_ / "l.csv");
  for (const char* line :
       {"\n0,\"-1\",", "\n1,=a,", "\n2,\"b,c\",", "\n3,\"say \"\"x\"\"\",", "\n4,\"#d\","}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

TEST_F(OwnData, ABoundNamesItsMetricIfComponentsOverlap) {
  const std::string solve = "solve --dataset pitprops --solver tpower --cardinality 7,2,4 ";
  const Finished overlapping = run(solve + "--deflation projection");
  EXPECT_NE(overlapping.out.find(" of the projected variance, gap "), std::string::npos)
      << overlapping.out;
  EXPECT_EQ(run(solve).out.find("of the projected variance"), std::string::npos);
}

TEST_F(OwnData, SolversAreComparedWithoutAnExperiment) {
  const Finished finished =
      run("compare-solvers --data x.csv --cardinality 2 --solvers threshold,tpower,branch-bound");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(finished.out.find("solver"), 0U) << finished.out;
  for (const char* word :
       {"tpower", "threshold", "branch-bound", "converged", "gap: to the least"}) {
    EXPECT_NE(finished.out.find(word), std::string::npos) << finished.out;
  }
  const Json rows = run_json(
      "compare-solvers --dataset pitprops --cardinality 4 --solvers threshold,tpower,branch-bound");
  ASSERT_EQ(rows["solvers"].size(), 3U);
  EXPECT_EQ(rows["solvers"][2]["solver"], "threshold");
  EXPECT_GT(rows["solvers"][2]["gap"].get<double>(), 0.01);
  EXPECT_LT(rows["solvers"][0]["gap"].get<double>(), 1e-6);
  expect_usage_error("compare-solvers --data x.csv", {"--cardinality"});
  expect_usage_error("compare-solvers --data x.csv --cardinality 2 --solvers tpowr",
                     {"--solvers", "did you mean \"tpower\""});
  const Json once = run_json(
      "compare-solvers --data x.csv --cardinality 2 --solvers 'tpower,tp*,tpower,threshold'");
  EXPECT_EQ(once["solvers"].size(), 2U);
  const Json options = run_json(
      "compare-solvers --data x.csv --cardinality 2 --solvers 'search,search[starts=2,rounds=3]'");
  ASSERT_EQ(options["solvers"].size(), 2U);
  EXPECT_EQ(options["solvers"][1]["solver"], "search starts=2 rounds=3");
  expect_usage_error("compare-solvers --data x.csv --cardinality 2 --solvers 'search[strats=2]'",
                     {"--solvers: search[strats=2]/strats", "did you mean \"starts\""});
  expect_usage_error("compare-solvers --data x.csv --cardinality 2 --set starts=2",
                     {"--solvers 'search[rounds=1000]'"});
}

TEST_F(OwnData, AComparisonNamesATemporaryFolderThatIsNotThere) {
  const Finished refused =
      shell("TMPDIR=/nowhere " + program() + " compare-solvers --data x.csv --cardinality 2");
  EXPECT_EQ(refused.code, 2) << refused.err;
  EXPECT_NE(refused.err.find("/nowhere: a temporary folder cannot be made: "), std::string::npos)
      << refused.err;
}

TEST_F(OwnData, AComparisonCountsSharedVarianceOnce) {
  const std::string compare =
      "compare-solvers --dataset pitprops --cardinality 7,2,4 --deflation projection "
      "--solvers pca,tpower,threshold ";
  constexpr double kRounding = 1e-12;  // pca reaches its bound
  const Json rows = run_json(compare)["solvers"];
  EXPECT_EQ(rows[0]["solver"], "pca");
  for (const Json& row : rows) {
    EXPECT_GE(row["upper_bound"].get<double>() * (1 + kRounding), row["value"].get<double>())
        << row;
  }
  EXPECT_NE(run(compare).out.find("value: projected variance"), std::string::npos);
}

TEST_F(OwnData, AComparisonRefusesTheSameInputAsSolve) {
  write("gaps.csv", "a,b\n1,2\nNA,3\n4,1\n");
  const std::string compare = "compare-solvers --solvers tpower,threshold --cardinality ";
  for (const auto& [arguments, words] :
       std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"2 --data none.csv", {"error: none.csv: ", "accepted"}},
           {"2 --data gaps.csv", {"gaps.csv:3: column 1 (a)", "--missing as mean"}},
           {"99 --data x.csv", {"--cardinality: found 99; accepted: 1 to p = "}},
           {"1 --components 99 --data x.csv", {"--components: found 99; accepted: 1 to p = "}},
           {"2 --dataset pitprop", {"--dataset: ", "did you mean \"pitprops\""}},
           {"2 --dataset spiked --set dataset.foo=1", {"--set dataset/foo", "samples"}}}) {
    const Finished refused = run(compare + arguments);
    EXPECT_EQ(refused.code, 2) << arguments;
    EXPECT_EQ(refused.out, "") << arguments;
    for (const std::string& word : words) {
      EXPECT_NE(refused.err.find(word), std::string::npos) << refused.err;
    }
  }
  expect_usage_error("compare-solvers --data x.csv --cardinality 2 --solvers 'nope*'",
                     {"--solvers: found \"nope*\"", "accepted: amanpg"});
}

TEST_F(OwnData, AComparisonIsKeptAsAnExperimentBesideItsData) {
  fs::create_directory(folder_ / "kept");
  const Finished finished =
      run("compare-solvers --data x.csv --cardinality 2 --standardize --solvers threshold,tpower "
          "--save "
          "kept/mine.json");
  EXPECT_EQ(finished.code, 0) << finished.err;
  const Json experiment = Json::parse(content(folder_ / "kept/mine.json"));
  EXPECT_EQ(experiment["grids"]["comparison"]["datasets"][0]["options"]["path"], "../x.csv");
  EXPECT_EQ(run("validate kept/mine.json").code, 0);
  // From elsewhere: the path is relative to the experiment and not to the working directory.
  fs::create_directory(folder_ / "elsewhere");
  const Finished ran =
      shell("cd elsewhere && " + program() + " run ../kept/mine.json -o run --no-cache");
  EXPECT_EQ(ran.code, 0) << ran.err;
  const Finished measured =
      shell("cd elsewhere && " + program() + " measure run --metric variance_share");
  EXPECT_EQ(measured.code, 0) << measured.err;
  // The file's content is part of the key, its place is not.
  const auto cells = [&](const std::string& words) {
    return run_json("run kept/mine.json -o elsewhere/run --no-cache --dry-run " + words);
  };
  EXPECT_EQ(cells("")["totals"]["hits_in_run"], 2);
  write("x.csv", std::string(kTable) + "gil,5,5,5,1\n");
  EXPECT_EQ(cells("")["totals"]["hits_in_run"], 0);
}

/// `compare-solvers --save` keeps its run, and names `spca table` as a command for its file.
TEST_F(OwnData, TheFileOfAComparisonNamesItsNewestRun) {
  const Finished saved =
      run("compare-solvers --data x.csv --cardinality 2 --solvers tpower --save mine.json");
  ASSERT_EQ(saved.code, 0);
  EXPECT_NE(saved.err.find("`spca table mine.json`"), std::string::npos) << saved.err;
  const Finished table = run("table mine.json");
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_EQ(table.out, run("table results/runs/mine/full").out);
  EXPECT_TRUE(table.out.starts_with("Summary of mine (full): 1 of 1 cells: 1 converged"))
      << table.out;
  EXPECT_NE(run("run mine.json").err.find("1 kept from before"), std::string::npos);
  fs::remove_all(folder_ / "results");
  expect_usage_error("table mine.json",
                     {"RUN: found no run of mine.json", "in results/runs/mine;", "a run folder"});
}

/// Two comparisons of one name in two folders have a run each, which is found from any folder.
TEST_F(OwnData, ComparisonsOfOneNameKeepTheirOwnRuns) {
  fs::create_directories(folder_ / "sub");
  fs::create_directories(folder_ / "elsewhere");
  ASSERT_EQ(run("compare-solvers --data x.csv --cardinality 2 --solvers tpower,search "
                "--save mine.json")
                .code,
            0);
  ASSERT_EQ(run("compare-solvers --data x.csv --cardinality 1 --solvers tpower "
                "--save sub/mine.json")
                .code,
            0);
  EXPECT_TRUE(run("table mine.json").out.starts_with("Summary of mine (full): 2 of 2 cells"));
  EXPECT_TRUE(run("table sub/mine.json").out.starts_with("Summary of mine (full): 1 of 1 cells"));
  for (const std::string command : {"table", "status"}) {
    const Finished there = shell("cd elsewhere && " + program() + " " + command + " " +
                                 (folder_ / "mine.json").string());
    EXPECT_EQ(there.code, 0) << there.err;
  }
  fs::remove_all(folder_ / "sub" / "results");
  expect_usage_error("table sub/mine.json", {"found no run of sub/mine.json",
                                             "in results/runs/mine or sub/results/runs/mine"});
}

/// Columns without names are found by their old places. As many columns at other places are not.
TEST_F(OwnData, ScoresOfChosenColumnsNeedTheSameColumns) {
  write("bare.csv", "1.5,2,9\n3,5,0\n2,2,1\n0,0,5\n");
  ASSERT_EQ(run("solve --data bare.csv --columns 1,3 --cardinality 2 --solver exhaustive -o r.json "
                "--scores s.csv")
                .code,
            0);
  const Finished same = run("project r.json --data bare.csv --columns 1,3");
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_EQ(same.out, content(folder_ / "s.csv"));
  expect_usage_error("project r.json --data bare.csv --columns 1,2", {"no column 3"});
}

TEST_F(OwnData, OptionsOfATableAreUsedOrRefused) {
  write("genes.csv", ",s1,s2,s3,s4\ng1,1,3,2,0\ng2,2,5,2,1\ng3,0,1,1,7\n");
  const Json turned = run_json("solve --data genes.csv --transpose --drop g1 --cardinality 1");
  EXPECT_EQ(turned["n"], 4);
  EXPECT_EQ(turned["p"], 2);
  write("holes.csv", "a,b,c\n1,,3\n2,-999,1\n4,5,2\n0,1,1\n");
  EXPECT_EQ(run("solve --data holes.csv --missing low-rank --missing-rank 1 --missing-words=-999 "
                "--cardinality 1")
                .code,
            0);
  expect_usage_error("solve --data holes.csv --missing mean --missing-rank 1 --cardinality 1",
                     {"--missing-rank", "--missing low-rank"});
  expect_usage_error("solve --data holes.csv --missing low-rank --missing-rank 0 --cardinality 1",
                     {"--missing-rank"});
  write("c.csv", "1,.9,.2\n.9,1,.9\n.2,.9,1\n");
  const std::string solve = "solve --data c.csv --kind covariance --cardinality 2";
  expect_usage_error(solve, {"or --nearest"});
  EXPECT_EQ(run(solve + " --nearest").code, 0);
}

TEST_F(OwnData, ScoresOfStandardisedDataDoNotDependOnTheirScale) {
  write("one.csv", "a,b,c\n1,7,2\n1.5,3,9\n1,2,0.5\n4,4,4\n");
  const std::string options = " --standardize --cardinality 2 --solver exhaustive";
  ASSERT_EQ(run("solve --data one.csv -o one.json --scores one_scores.csv" + options).code, 0);
  const auto expected = csv("one_scores.csv");
  for (const std::string scale : {"e-170", "e170", "e-306", "e306"}) {
    write("far.csv", "a,b,c\n1" + scale + ",7" + scale + ",2\n1.5" + scale + ",3" + scale +
                         ",9\n1" + scale + ",2" + scale + ",0.5\n4" + scale + ",4" + scale +
                         ",4\n");
    const Finished solved =
        run("solve --data far.csv -o far.json --scores far_scores.csv" + options);
    ASSERT_EQ(solved.code, 0) << solved.err;
    const Finished projected = run("project far.json --data far.csv");
    EXPECT_EQ(projected.out, content(folder_ / "far_scores.csv")) << projected.err;
    const auto found = csv("far_scores.csv");
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 1; i < found.size(); ++i) {
      EXPECT_NEAR(std::stod(found[i][1]), std::stod(expected[i][1]), 1e-12) << scale;
    }
  }
}

TEST_F(OwnData, TextThatIsLeftOutIsNoError) {
  write("iris.csv", "sl,sw,kind\n5.1,3.5,setosa\n4.9,3,setosa\n6.3,3.1,other\n");
  expect_usage_error("solve --data iris.csv --cardinality 1", {"column 3 (kind)", "--drop"});
  const Json result =
      run_json("solve --data iris.csv --drop kind --cardinality 2 -o r.json --scores s.csv");
  EXPECT_EQ(result["p"], 2);
  EXPECT_EQ(run("project r.json --data iris.csv --drop kind").out, content(folder_ / "s.csv"));
  EXPECT_EQ(run("convert iris.csv iris.spca --drop kind").code, 0);
  EXPECT_EQ(
      run("compare-solvers --data iris.csv --columns sl,sw --cardinality 1 --solvers tpower").code,
      0);
}

TEST_F(OwnData, AComparisonReportsGuessesAboutTheFile) {
  write("twice.csv", "a,a,b\n1,7,2\n1.5,3,9\n1,2,0.5\n");
  const std::string compare =
      "compare-solvers --data twice.csv --cardinality 1 --solvers tpower,exhaustive";
  EXPECT_NE(run(compare).err.find("share a name"), std::string::npos);
  EXPECT_EQ(run(compare + " -q").err.find("share a name"), std::string::npos);
}

/// The option --columns counts from 1, and so do messages on variables without names.
TEST_F(OwnData, PlacesCountFromOneWhereverTheyArePrinted) {
  write("bare.csv", "1,7,2\n1,3,9\n1,2,0.5\n");
  const Finished solved =
      run("solve --data bare.csv --standardize --solver tpower --cardinality 2");
  EXPECT_NE(solved.err.find("1 constant variable set aside: place 1\n"), std::string::npos)
      << solved.err;
  EXPECT_NE(solved.out.find("place 2"), std::string::npos) << solved.out;
  EXPECT_NE(solved.out.find("place 3"), std::string::npos) << solved.out;
  write("bare.csv", "1,7e6,2\n1.5,3,9\n1,2,0.5\n");
  EXPECT_NE(run("solve --data bare.csv --cardinality 1").err.find("place 2 has more than 99.99 %"),
            std::string::npos);
}

TEST_F(OwnData, TextOptionsOfAFileNeedNoQuotes) {
  write("five.csv", "a,b,c,d,e\n1,7,2,0,1\n1.5,3,9,2,3\n1,2,0.5,4,1\n");
  for (const std::string words : {"d,a", "'\"d,a\"'", "1,4"}) {
    const Json result =
        run_json("solve --data five.csv --cardinality 1 --set dataset.columns=" + words);
    EXPECT_EQ(result["p"], 2) << words;
  }
  write("a,b.csv", "a,b\n1,7\n2,3\n4,4\n");
  EXPECT_EQ(run("solve --dataset file --set dataset.path=a,b.csv --cardinality 1").code, 0);
  expect_usage_error("solve --data five.csv --set dataset.columns=a --set dataset.columns=b",
                     {"--set columns: given twice"});
}

TEST_F(OwnData, AMappedFileHasNoAdviceToStandardise) {
  write("year.csv", "year,a,b\n2001,.1,.2\n3005,.3,.5\n4000,.2,.2\n");
  const Finished table = run("solve --data year.csv --header yes --cardinality 1");
  EXPECT_NE(table.err.find("leave it out (--drop), and --standardize puts"), std::string::npos)
      << table.err;
  ASSERT_EQ(run("convert --header yes year.csv year.spca").code, 0);
  const Finished mapped = run("solve --data year.spca --cardinality 1");
  EXPECT_NE(mapped.err.find("\"year\" has more than 99.99 % of the variance"), std::string::npos)
      << mapped.err;
  EXPECT_EQ(mapped.err.find("--standardize"), std::string::npos) << mapped.err;
  EXPECT_NE(mapped.err.find("`spca convert --drop`"), std::string::npos) << mapped.err;
}

TEST_F(OwnData, ABaselineReplacesAnEmptyFile) {
  ASSERT_EQ(
      run("compare-solvers --data x.csv --cardinality 2 --solvers tpower --save mine.json").code,
      0);
  ASSERT_EQ(run("run mine.json -o run --no-cache").code, 0);
  write("baseline.json", "");
  EXPECT_EQ(run("baseline run -o baseline.json").code, 0);
  EXPECT_TRUE(Json::accept(content(folder_ / "baseline.json")));
}

}  // namespace
}  // namespace spca
