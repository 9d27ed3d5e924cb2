/// Tests tables of any content, of records, and of published numbers.

#include <gtest/gtest.h>

#include <map>

#include "harness/tables/csv_text.h"
#include "harness/tables/number_text.h"
#include "harness/verdicts/comparison_tables.h"
#include "harness/verdicts/result_tables.h"
#include "spca/base/error.h"
#include "spca/data/dataset.h"
#include "spca/measure/metrics.h"
#include "spca/solving/solver.h"

namespace spca::table_test {
namespace {

std::vector<double> measure_in_table(const MetricContext&) { return {0}; }
SPCA_METRIC("table-gain", measure_in_table, (MetricTraits{.unit = "", .formula = "0"}));
SPCA_METRIC("test-counts", measure_in_table,
            (MetricTraits{.unit = "", .formula = "0", .per_component = true}));

const Table kTable = {.title = "A & B",
                      .header = {"solver", "k_1"},
                      .rows = {{"tp|x", "1.5"}, {"naïve, \"so\"", "12%"}},
                      .notes = {"a_b"}};

TEST(Render, TextAlignsTheFirstColumnLeftAndTheOthersRight) {
  EXPECT_EQ(render(kTable, TableFormat::kText),
            "A & B\n"
            "solver       k_1\n"
            "----------------\n"
            "tp|x         1.5\n"
            "naïve, \"so\"  12%\n"
            "a_b\n");
}

TEST(Render, MarkdownEscapesItsOwnSyntax) {
  EXPECT_EQ(render(kTable, TableFormat::kMarkdown),
            "**A & B**\n\n"
            "| solver | k\\_1 |\n"
            "|:--|--:|\n"
            "| tp\\|x | 1.5 |\n"
            "| naïve, \"so\" | 12% |\n"
            "\na\\_b\n");
}

TEST(Render, BoldIsMarkupOfMarkdownAndTexAlone) {
  Table table = kTable;
  table.bold = {{false, true}, {false, false}};
  EXPECT_NE(render(table, TableFormat::kMarkdown).find("| tp\\|x | **1.5** |"), std::string::npos);
  EXPECT_NE(render(table, TableFormat::kTex).find("& \\textbf{1.5} "), std::string::npos);
  EXPECT_EQ(render(table, TableFormat::kText), render(kTable, TableFormat::kText));
  EXPECT_EQ(render(table, TableFormat::kCsv), render(kTable, TableFormat::kCsv));
}

TEST(Render, CsvQuotesAndHoldsNothingButTheTable) {
  EXPECT_EQ(render(kTable, TableFormat::kCsv), "solver,k_1\ntp|x,1.5\n\"naïve, \"\"so\"\"\",12%\n");
}

TEST(Render, MarkdownNotesAreParagraphs) {
  const std::map<std::string, std::string> cases = {
      {"# The cardinality is not bound.", "\\# The cardinality is not bound."},
      {"+ better, - worse", "\\+ better, - worse"},
      {"- worse", "\\- worse"},
      {"12. of them", "12\\. of them"},
      {"3) of them", "3\\) of them"},
      {"===", "\\==="},
      {"    code", "code"},
      {"~~~", "\\~\\~\\~"},
      {"&lt;b&gt;", "\\&lt;b\\&gt;"},
      {"a\n# b", "a # b"},
      {"1.5 is the mean", "1\\.5 is the mean"},
      {"12 of 13 times", "12 of 13 times"},
      {"", ""}};
  for (const auto& [note, paragraph] : cases) {
    EXPECT_EQ(markdown_paragraph(note), paragraph);
    EXPECT_NE(
        render({.title = "", .header = {"a"}, .rows = {}, .notes = {note}}, TableFormat::kMarkdown)
            .find("\n\n" + paragraph + "\n"),
        std::string::npos);
  }
  EXPECT_EQ(markdown_text("two\nlines"), "two lines") << "a row of a table is one line";
}

TEST(Render, CsvReadsBackAsItWas) {
  const Table table = {
      .title = "",
      .header = {"=cmd()", "k"},
      .rows = {{"+1+1", "-1.5"}, {"-x", "+2"}, {"@SUM(A1)", "-1e-05"}, {"\tx", "-"}},
      .notes = {}};
  EXPECT_EQ(render(table, TableFormat::kCsv),
            "=cmd(),k\n+1+1,-1.5\n-x,+2\n@SUM(A1),-1e-05\n\"\tx\",-\n");
}

TEST(CsvName, IsInQuotesIfTheReaderWouldTakeItForSomethingElse) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"-1", "\"-1\""},       {"+1", "\"+1\""},   {"1e5", "\"1e5\""},
      {"1e999", "\"1e999\""}, {"inf", "\"inf\""}, {"-x", "-x"},
      {"=A1", "=A1"},         {"@a", "@a"},       {"a,b", "\"a,b\""},
      {"#a", "\"#a\""},       {" a", "\" a\""},   {"a ", "\"a \""},
      {"a\tb", "\"a\tb\""},   {"\"", "\"\"\"\""}, {"two\nlines", "two\\nlines"},
      {"1a", "1a"},           {"", ""},           {"\xc3\xa4", "\xc3\xa4"}};
  for (const auto& [name, field] : cases) {
    EXPECT_EQ(csv_name(name), field) << name;
  }
}

TEST(Render, CsvHasMarksInColumnsOfTheirOwnAndBlocksOfOneWidth) {
  const Table marked = {.title = "T, one",
                        .header = {"solver", "2  ", "3"},
                        .rows = {{"a", "1.5*", "2"}, {"b", "1# (3/4)", "4"}},
                        .notes = {"* missed"},
                        .marks = {{"", "*", ""}, {"", "# (3/4)", ""}}};
  const Table narrow = {.title = "=T", .header = {"solver"}, .rows = {{"a"}}, .notes = {}};
  EXPECT_EQ(render(marked, TableFormat::kCsv), "solver,2,2 marks,3\na,1.5,*,2\nb,1,# (3/4),4\n");
  EXPECT_EQ(csv_of({marked, narrow}),
            "\"T, one\",,,\nsolver,2,2 marks,3\na,1.5,*,2\nb,1,# (3/4),4\n"
            "=T,,,\nsolver,,,\na,,,\n");
}

TEST(Numbers, NeverShowANegativeZero) {
  EXPECT_EQ(percent_text(-1e-16), "0.00 %");
  EXPECT_EQ(percent_text(-0.00004), "0.00 %");
  EXPECT_EQ(percent_text(-0.001), "-0.10 %");
  EXPECT_EQ(percent_text(-0.004, 0), "0 %");
  EXPECT_EQ(fixed_text(-0.00001, 4), "0.0000");
  EXPECT_EQ(significant_text(-0.0, 6), "0");
  EXPECT_EQ(significant_text(-1e-16, 6), "-1e-16");
  EXPECT_EQ(number_text(-0.0, true), "0");
  EXPECT_EQ(number_text(-12.5, false), "-12.5");
}

TEST(Render, TexUsesBooktabsAndEscapes) {
  EXPECT_EQ(render(kTable, TableFormat::kTex),
            "% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\n\\caption{A \\& "
            "B}\n\\begin{tabular}{lr}\n\\toprule\n"
            "solver & k\\_1 \\\\\n\\midrule\n"
            "tp$\\vert$x & 1.5 \\\\\n"
            "naïve, \"so\" & 12\\% \\\\\n"
            "\\bottomrule\n\\end{tabular}\n\\par\\footnotesize a\\_b\n\\end{table}\n");
}

TEST(Render, TexTakesNoLabelForAnArgumentOfTheRowBefore) {
  const std::string tex =
      render({.title = "", .header = {"solver"}, .rows = {{"[a]"}, {"*b"}}, .notes = {}},
             TableFormat::kTex);
  EXPECT_NE(tex.find("\n{}[a] \\\\\n{}*b \\\\\n"), std::string::npos) << tex;
}

TEST(Render, TexHoldsNothingThatPdfLatexDoesNotKnow) {
  const auto tex_of = [](const std::string& label) {
    const std::string tex = render(
        {.title = "", .header = {"solver"}, .rows = {{label}}, .notes = {}}, TableFormat::kTex);
    const std::size_t begin = tex.find("\\midrule\n") + std::string_view("\\midrule\n").size();
    return tex.substr(begin, tex.find(" \\\\\n\\bottomrule") - begin);
  };
  EXPECT_EQ(tex_of("γλ₁ ≤ ∞"), "$\\gamma$$\\lambda$$_{1}$ $\\leq$ $\\infty$");
  EXPECT_EQ(tex_of("‖x‖² ± 3 × 10⁻²"), "$\\Vert$x$\\Vert$$^{2}$ $\\pm$ 3 $\\times$ 10$^{-}$$^{2}$");
  EXPECT_EQ(tex_of("a–b — c… “d”"), "a--b --- c\\ldots{} ``d''");
  EXPECT_EQ(tex_of("naïve é ß Ž"), "naïve é ß Ž");
  EXPECT_EQ(tex_of("ð ą 中 😀"),
            "\\texttt{U+00F0} \\texttt{U+0105} \\texttt{U+4E2D} \\texttt{U+1F600}");
  EXPECT_EQ(tex_of("a\n\nb\tc\x01"), "a  b c\\texttt{U+0001}");
  // Bytes that are not UTF-8: a continuation alone, an end too early, "/" in two bytes.
  EXPECT_EQ(tex_of("a\x80"), "a\\texttt{U+FFFD}");
  EXPECT_EQ(tex_of("a\xE4\xB8"), "a\\texttt{U+FFFD}\\texttt{U+FFFD}");
  EXPECT_EQ(tex_of("\xC0\xAF"), "\\texttt{U+FFFD}\\texttt{U+FFFD}");
}

TEST(Render, FormatsAreNamed) {
  EXPECT_EQ(table_format_from_name("md"), TableFormat::kMarkdown);
  EXPECT_EQ(table_format_from_name("tex"), TableFormat::kTex);
  EXPECT_EQ(table_format_from_name("json"), std::nullopt);
  EXPECT_THROW(table_format_from_name("html"), InputError);
}

Variant table_variant(const std::string& dataset, const std::string& solver, Index k) {
  Variant made;
  made.grid = "g";
  made.dataset_label = dataset;
  made.solver_label = solver;
  made.cardinality = {k};
  made.metrics = {"table-gain", "test-counts"};
  return made;
}

Record table_record(const Variant& of, double value) {
  Record made;
  made.grid = of.grid;
  made.dataset = of.dataset_label;
  made.solver = of.solver_label;
  made.cardinality = of.cardinality;
  made.status = Status::kConverged;
  made.message.clear();
  made.metrics = {{"table-gain", {value}}, {"test-counts", {value, value + 1}}};
  return made;
}

Experiment experiment_of(std::vector<Variant> variants, const std::string& metric) {
  Experiment experiment;
  experiment.title = "E";
  experiment.variants = std::move(variants);
  TableSpec spec;
  spec.title = "T";
  spec.metric = metric;
  experiment.tables = {spec};
  return experiment;
}

TEST(ResultTables, ShowAFailureAsAWordAndNeverAsAGap) {
  const Experiment experiment = experiment_of(
      {table_variant("d", "a", 1), table_variant("d", "a", 2), table_variant("d", "b", 1)},
      "table-gain");
  Record failed = table_record(experiment.variants[1], 0);
  failed.status = Status::kFailed;
  failed.message = "signal 11";
  const std::vector<Table> tables =
      result_tables(experiment, {table_record(experiment.variants[0], 1.23456789), failed});
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].title, "T");
  EXPECT_EQ(tables[0].header, (std::vector<std::string>{"solver \\ k", "1", "2"}));
  EXPECT_EQ(tables[0].rows[0], (std::vector<std::string>{"a", "1.23457", "failed"}));
  EXPECT_EQ(tables[0].rows[1], (std::vector<std::string>{"b", "no record", "not asked"}));
  EXPECT_EQ(tables[0].notes, (std::vector<std::string>{"a: failed: signal 11"}));
}

TEST(ResultTables, MayNameEveryReason) {
  std::vector<Variant> variants;
  for (Index k = 1; k <= 20; ++k) {
    variants.push_back(table_variant("d", "a", k));
  }
  const Experiment experiment = experiment_of(variants, "table-gain");
  std::vector<Record> records;
  for (const Variant& variant : experiment.variants) {
    records.push_back(table_record(variant, 0));
    records.back().status = Status::kFailed;
    records.back().message = fmt::format("signal {}", records.size());
  }
  EXPECT_EQ(result_tables(experiment, records).at(0).notes.back(), "... and 8 more reasons");
  const Table whole = result_tables(experiment, records, Reasons::kAll).at(0);
  EXPECT_EQ(whole.notes.size(), 20u);
  EXPECT_EQ(whole.notes.back(), "a: failed: signal 20");
}

TEST(ResultTables, TellTheBestOfThoseThatDifferInSolverAlone) {
  const Experiment experiment = experiment_of(
      {table_variant("d", "a", 1), table_variant("d", "b", 1), table_variant("d", "c", 1),
       table_variant("d", "a", 2), table_variant("d", "b", 2), table_variant("d", "dense", 1)},
      "table-gain");
  std::vector<Record> records;
  const std::vector<double> values = {3, 5, 5, 7, 7, 9};
  for (std::size_t i = 0; i < values.size(); ++i) {
    records.push_back(table_record(experiment.variants[i], values[i]));
  }
  records.back().unconstrained = true;
  const Table table = result_tables(experiment, records).at(0);
  EXPECT_EQ(table.metric, "table-gain");
  const auto is_best = [&](std::size_t i, std::size_t j) { return table.numbers[i][j].is_best; };
  EXPECT_FALSE(is_best(0, 0));
  EXPECT_TRUE(is_best(1, 0));
  EXPECT_TRUE(is_best(2, 0)) << "as good as the best";
  EXPECT_FALSE(is_best(3, 0)) << "its cardinality does not bind";
  EXPECT_FALSE(is_best(0, 1) || is_best(1, 1)) << "none is worse";
  EXPECT_EQ(table.numbers[2][1].repeats, 0u) << "not asked";
}

TEST(ResultTables, MarkACardinalityThatWasMissedOrDoesNotBind) {
  const Experiment experiment =
      experiment_of({table_variant("d", "a", 1), table_variant("d", "b", 1)}, "table-gain");
  std::vector<Record> records = {table_record(experiment.variants[0], 1),
                                 table_record(experiment.variants[1], 2)};
  records[0].truncated = true;
  const Table truncated = result_tables(experiment, records).at(0);
  EXPECT_EQ(truncated.rows[0][1], "1#");
  ASSERT_EQ(truncated.notes.size(), 1u);
  EXPECT_EQ(truncated.notes[0].front(), '#');
  records[0].truncated = false;
  records[0].cardinality_missed = true;
  records[1].unconstrained = true;
  const Table table = result_tables(experiment, records).at(0);
  EXPECT_EQ(table.rows[0][1], "1*");
  EXPECT_EQ(table.rows[1][1], "2@");
  ASSERT_EQ(table.notes.size(), 2u);
  EXPECT_EQ(table.notes[0].front(), '*');
  EXPECT_EQ(table.notes[1].front(), '@');
}

TEST(ResultTables, MarkTheTimesOfASolverWithoutOptimisation) {
  Experiment experiment =
      experiment_of({table_variant("d", "a", 1), table_variant("d", "b", 1)}, "solve_seconds");
  for (Variant& variant : experiment.variants) {
    variant.metrics = {"solve_seconds"};
  }
  std::vector<Record> records = {table_record(experiment.variants[0], 1),
                                 table_record(experiment.variants[1], 2)};
  for (Record& record : records) {
    record.timing["solve_seconds"] = record.metrics["solve_seconds"] = {0.5};
  }
  records[1].unoptimised = true;
  const Table table = result_tables(experiment, records).at(0);
  EXPECT_EQ(table.rows[0][1], "0.5");
  EXPECT_EQ(table.rows[1][1], "0.5!");
  ASSERT_EQ(table.notes.size(), 1u);
  EXPECT_NE(table.notes[0].find("without optimisation"), std::string::npos);
}

TEST(ResultTables, SplitByTheDimensionsThatRowsAndColumnsLeaveOpen) {
  const Experiment experiment =
      experiment_of({table_variant("d1", "a", 1), table_variant("d2", "a", 1)}, "test-counts");
  const std::vector<Table> tables = result_tables(
      experiment,
      {table_record(experiment.variants[0], 3), table_record(experiment.variants[1], 5)});
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0].title, "T, dataset d1");
  EXPECT_EQ(tables[0].rows[0][1], "3 4") << "one number for each component";
  EXPECT_EQ(tables[1].rows[0][1], "5 6");
}

TEST(ResultTables, AreOneAGridAndMetricWhereTheExperimentDeclaresNone) {
  Experiment experiment = experiment_of({table_variant("d", "a", 1)}, "table-gain");
  experiment.tables.clear();
  const std::vector<Table> tables = result_tables(experiment, {});
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0].title, "g: table-gain");
}

TEST(ComparisonTable, ShowsOursBesideTheirsWithReasonsAsFootnotes) {
  Experiment experiment =
      experiment_of({table_variant("d", "a", 1), table_variant("d", "b", 1)}, "table-gain");
  PublishedCell cell;
  cell.metric = "table-gain";
  cell.value = 0.98;
  cell.printed = ".98";
  cell.tolerance = 0.005;
  cell.tolerance_rule = "a rule";
  cell.row = "GPower";
  cell.column = "500x5";
  experiment.published = {cell};
  experiment.published_tables = {{.name = "t", .title = "Recovery", .where = "Table 1"}};
  KnownDifference difference;
  difference.metric = "table-gain";
  difference.most = 1;
  difference.why = "because";
  difference.measured_by = Measurement{.experiment = "a/b", .grid = "g"};
  experiment.known_differences = {difference};
  const std::vector<PublishedComparison> comparisons =
      compare_with_published(experiment, {table_record(experiment.variants[0], 0.91)});
  const std::vector<Table> tables = comparison_tables(experiment, comparisons);
  ASSERT_EQ(tables.size(), 1u);
  const Table& table = tables.front();
  EXPECT_EQ(table.title, "Recovery: Table 1 (printed)");
  EXPECT_EQ(table.header, (std::vector<std::string>{"row", "dataset", "solver", "k", "published",
                                                    "ours", "tolerance", "verdict"}));
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"GPower", "d", "a", "1", ".98", "0.91",
                                                     "0.005", "lower [1]"}));
  EXPECT_EQ(table.rows[1].back(), "not run [2]");
  EXPECT_EQ(table.notes, (std::vector<std::string>{"[1] because Measured by a/b, grid g.",
                                                   "[2] no record", "Tolerance: a rule."}));
}

TEST(ComparisonTable, IsAMatrixWhereSolversAndCardinalitiesCross) {
  Experiment experiment = experiment_of({}, "table-gain");
  experiment.published_tables = {{.name = "t", .title = "Recovery", .where = "Table 2"}};
  std::vector<Record> records;
  for (const Index k : {1, 2, 3}) {
    PublishedCell cell;
    cell.match.cardinalities = {{k}};
    cell.metric = "table-gain";
    cell.value = 1;
    cell.printed = "1.0";
    cell.half_unit = 0.05;
    cell.tolerance = k == 2 ? 0.06 : 0.05;
    cell.tolerance_rule = "a rule";
    experiment.published.push_back(cell);
    for (const std::string solver : {"a", "b"}) {
      experiment.variants.push_back(table_variant("d", solver, k));
      records.push_back(
          table_record(experiment.variants.back(), solver == "b" && k == 3 ? 0.5 : 1.0));
    }
  }
  const std::vector<Table> tables =
      comparison_tables(experiment, compare_with_published(experiment, records));
  ASSERT_EQ(tables.size(), 1u);
  ASSERT_EQ(tables[0].rows.size(), 3u);
  EXPECT_EQ(tables[0].rows[0][0], "published");
  EXPECT_EQ(tables[0].rows[1].back(), "= 1");
  EXPECT_EQ(tables[0].rows[2][1], "= 1");
  EXPECT_EQ(tables[0].rows[2][2], "= 1 +- 0.06") << "the print does not show this tolerance";
  EXPECT_EQ(tables[0].rows[2][3], "v 0.5 a");
  EXPECT_EQ(tables[0].notes.front(), "a. Unexplained.");
}

/// A compact table that is too long for a page is divided, and its last part has the notes.
TEST(Render, ALongCompactTableOfTexHasParts) {
  Table table{.title = "Scores", .header = {"solver", "value"}, .rows = {}, .notes = {"a note"}};
  table.is_compact = true;
  constexpr std::size_t kRows = 100;
  table.rows.assign(kRows, {"a", "1"});
  const std::string tex = render(table, TableFormat::kTex);
  const std::size_t second = tex.find("\\caption{Scores (part 2 of 2)}");
  EXPECT_LT(tex.find("\\caption{Scores (part 1 of 2)}"), second);
  EXPECT_NE(second, std::string::npos);
  EXPECT_GT(tex.find("a note"), second);
  table.rows.resize(3);
  EXPECT_EQ(render(table, TableFormat::kTex).find("part"), std::string::npos);
}

}  // namespace
}  // namespace spca::table_test
