/// Tests of tables as they occur in practice, with names of rows, missing values, decimal commas,
/// and numbers as names.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/data/dataset.h"
#include "spca/data/readers/read_file.h"
#include "tests/own_table_testing.h"

namespace spca {
namespace {

using Names = std::vector<std::string>;

class OwnTables : public OwnTableFiles {
 protected:
  /// Returns X: the products of X with the unit vectors, from the uncentred and unscaled data.
  Matrix numbers(const fs::path& path, Json options = Json::object()) const {
    options["center"] = "no";
    options["scale"] = "none";
    const Dataset dataset = load(path, options);
    Matrix x(dataset.covariance->samples(), dataset.covariance->variables());
    for (Index j = 0; j < x.cols(); ++j) {
      x.col(j) = dataset.covariance->data_product({.support = {j}, .values = Vector::Ones(1)});
    }
    return x;
  }
  void expect_refused(const fs::path& path, const Names& words, const Json& options = {}) const {
    const std::string message =
        error_of([&] { load(path, options.is_null() ? Json::object() : options); });
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    for (const std::string& word : words) {
      EXPECT_NE(message.find(word), std::string::npos) << message << "\nlacks " << word;
    }
  }
};

Matrix matrix(const std::vector<std::vector<double>>& rows) {
  Matrix result(std::ssize(rows), std::ssize(rows[0]));
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      result(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
  }
  return result;
}

TEST_F(OwnTables, FirstColumnOfWordsNamesTheRows) {
  const Matrix expected = matrix({{1, 2.5}, {3, 4}, {5, 7}});
  const std::vector<std::string> texts = {
      "id,a,b\ns1,1,2.5\ns2,3,4\ns3,5,7\n",  // a database
      ",a,b\ns1,1,2.5\ns2,3,4\ns3,5,7\n",    // pandas, write.csv
      "a b\ns1 1 2.5\ns2 3 4\ns3 5 7\n",     // write.table
      "\"\",\"a\",\"b\"\n\"s1\",1,2.5\n\"s2\",3,4\n\"s3\",5,7\n",
      "id;a;b\ns1;1;2,5\ns2;3;4\ns3;5;7\n"};
  for (const std::string& text : texts) {
    for (const fs::path& path : {write("x.csv", text), write_gz("x.csv.gz", text)}) {
      const Dataset dataset = load(path);
      EXPECT_EQ(dataset.variable_names, (Names{"a", "b"})) << text;
      EXPECT_EQ(dataset.sample_names, (Names{"s1", "s2", "s3"})) << text;
      EXPECT_EQ(numbers(path), expected) << text;
    }
  }
  const fs::path bare = write("bare.tsv", "s1\t1\t2.5\ns2\t3\t4\ns3\t5\t7\n");
  EXPECT_EQ(numbers(bare), expected);
  EXPECT_EQ(load(bare).sample_names, (Names{"s1", "s2", "s3"}));
  EXPECT_EQ(load(bare).variable_names, Names());
}

TEST_F(OwnTables, NamesOfRowsMayHaveSeparatorsAndPointsInThem) {
  const fs::path path = write("x.csv", "id,a\n\"x, y\",1\n\"say \"\"z\"\"\",2\nplain.1,4\n");
  EXPECT_EQ(load(path).sample_names, (Names{"x, y", "say \"z\"", "plain.1"}));
  EXPECT_EQ(numbers(path), matrix({{1}, {2}, {4}}));
}

TEST_F(OwnTables, RowsOfOneNameAreNoted) {
  const Dataset dataset = load(write("x.csv", "a,b\nTRUE,1\nFALSE,2\nTRUE,4\n"));
  ASSERT_EQ(dataset.notes.size(), 1U);
  EXPECT_NE(dataset.notes[0].find("x.csv: column 1 is taken for names of rows, though \"TRUE\""),
            std::string::npos)
      << dataset.notes[0];
  const Names named = load(write("y.csv", "a,b\nT,1\nF,2\nO,4\n")).notes;
  ASSERT_EQ(named.size(), 1U);
  EXPECT_NE(named[0].find("column 1 (a) is taken for names of rows"), std::string::npos);
  EXPECT_TRUE(load(write("z.csv", ",b\nT,1\nF,2\nO,4\n")).notes.empty());
}

TEST_F(OwnTables, NumbersThatCountUpAreAskedAbout) {
  const fs::path header = write("header.csv", "1,2,3\n4.5,5,9\n6,7,8.5\n");
  expect_refused(header, {"header.csv:1:", "1, 2, 3", "header", "yes or no"});
  EXPECT_EQ(numbers(header, {{"header", "no"}}).rows(), 3);
  EXPECT_EQ(load(header, {{"header", "yes"}}).variable_names, (Names{"1", "2", "3"}));
  const fs::path rows = write("rows.csv", "id,a\n1,4.5\n2,5\n3,9\n");
  expect_refused(rows, {"rows.csv", "column 1", "row_names", "yes or no"});
  EXPECT_EQ(numbers(rows, {{"row_names", "no"}}).cols(), 2);
  EXPECT_EQ(load(rows, {{"row_names", "yes"}}).sample_names, (Names{"1", "2", "3"}));
  // A column with one mistyped number is not taken for names.
  const fs::path mixed = write("mixed.csv", "a,b\nl.5,2\n3,4\n");
  expect_refused(mixed, {"column 1", "\"l.5\"", "\"3\"", "row_names", "yes or no"});
  EXPECT_EQ(load(mixed, {{"row_names", "yes"}}).sample_names, (Names{"l.5", "3"}));
  expect_refused(mixed, {"mixed.csv:2:", "\"l.5\""}, {{"row_names", "no"}});
  // pandas numbers columns without names; the empty corner shows that the numbers are names.
  const fs::path pandas = write("pandas.csv", ",0,1,2\n0,4.5,1,7\n1,2,2,6\n2,9,3,1\n");
  EXPECT_EQ(load(pandas).variable_names, (Names{"0", "1", "2"}));
  EXPECT_EQ(numbers(pandas), matrix({{4.5, 1, 7}, {2, 2, 6}, {9, 3, 1}}));
}

TEST_F(OwnTables, OtherReadersOfNumbersAskNothing) {
  EXPECT_EQ(read_file(write("x.csv", "1,2,3\n4.5,5,9\n")).dense.rows(), 2);
}

TEST_F(OwnTables, MissingValuesAreCountedAndPlaced) {
  for (const char* word : {"", "NA", "NaN", "nan", "n/a", "null", "?"}) {
    const fs::path path = write("gaps.csv", fmt::format("a,b\n1,2\n{0},4\n5,{0}\n2,2\n", word));
    expect_refused(path, {"gaps.csv:3:", "column 1 (a)", "the first of 2 missing values",
                          "mean, low-rank, drop-rows or drop-columns"});
    EXPECT_EQ(numbers(path, {{"missing", "mean"}}),
              matrix({{1, 2}, {8. / 3, 4}, {5, 8. / 3}, {2, 2}}));
    EXPECT_EQ(numbers(path, {{"missing", "drop-rows"}}), matrix({{1, 2}, {2, 2}}));
  }
  const fs::path path = write("x.csv", "id,a,b\nr1,1,2\nr2,NA,4\nr3,5,6\n");
  EXPECT_EQ(load(path, {{"missing", "drop-rows"}}).sample_names, (Names{"r1", "r3"}));
  EXPECT_EQ(load(path, {{"missing", "drop-columns"}}).variable_names, (Names{"b"}));
  EXPECT_EQ(load(path, {{"missing", "mean"}}).notes.size(), 2U);  // of the names of rows, too
}

TEST_F(OwnTables, NothingIsMadeOfNothing) {
  const fs::path empty = write("empty_column.csv", "a,b\n1,NA\n2,NA\n");
  expect_refused(empty, {"column 2 (b)", "no mean"}, {{"missing", "mean"}});
  expect_refused(empty, {"every row", "none would be left", "mean or drop-columns"},
                 {{"missing", "drop-rows"}});
  EXPECT_EQ(numbers(empty, {{"missing", "drop-columns"}}), matrix({{1}, {2}}));
  expect_refused(write("inf.csv", "a,b\n1,inf\n2,1\n"), {":2:", "\"inf\"", "finite number"},
                 {{"missing", "mean"}});
}

TEST_F(OwnTables, DecimalCommasAreFoundAndNoted) {
  const Matrix expected = matrix({{1.5, -2}, {3, 0.25}});
  const fs::path found = write("found.csv", "a;b\n1,5;-2\n3;,25\n");
  EXPECT_EQ(numbers(found), expected);
  EXPECT_EQ(load(found).notes.size(), 1U);
  EXPECT_EQ(numbers(write("tab.tsv", "1,5\t-2\n3\t0,25\n")), expected);
  const fs::path blank = write("blank.txt", "1,5 -2\n3 0,25\n");
  EXPECT_EQ(numbers(blank, {{"separator", "blank"}, {"decimal", "comma"}}), expected);
  // A point in a field that is not a number decides nothing.
  const fs::path missing = write("point.csv", "a;b;c\n1,5;.;2,5\n2,5;1;3,5\n");
  EXPECT_EQ(numbers(missing, {{"missing", "mean"}}), matrix({{1.5, 1, 2.5}, {2.5, 1, 3.5}}));
  const fs::path dated = write("dated.csv", "d;b;c\n31.12.2024;1,5;2,5\n1.1.2025;2,5;3\n");
  EXPECT_EQ(numbers(dated, {{"drop", "d"}}), matrix({{1.5, 2.5}, {2.5, 3}}));
  expect_refused(write("both.csv", "1,5;2\n1.5;2\n"), {":2:", "\"1.5\"", "decimal comma"});
  expect_refused(write("thousands.csv", "1,5;2\n1.234,5;2\n"), {":2:", "1.234,5"});
  expect_refused(found, {":3:", "\",25\"", "decimal point"}, {{"decimal", "point"}});
}

TEST_F(OwnTables, OptionsOfCsvAreRefusedForOtherFormats) {
  expect_refused(write("x.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n"),
                 {"x.mtx", "not CSV", "header"}, {{"header", "no"}});
  expect_refused(write("x.parquet", "PAR1..."), {"x.parquet", "Parquet", "to_csv"});
  expect_refused(write("x.xlsx", "PK\3\4"), {"x.xlsx", "spreadsheet", "CSV"});
}

TEST_F(OwnTables, SymmetricMatrixMarketIsACovarianceUnlessAnOptionSaysOtherwise) {
  const fs::path path = write(
      "s.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 1\n2 2 2\n");
  const Dataset dataset = load(path);
  EXPECT_EQ(dataset.covariance->samples(), 0);
  ASSERT_EQ(dataset.notes.size(), 1U);
  EXPECT_NE(dataset.notes[0].find("symmetric"), std::string::npos);
  EXPECT_EQ(load(path, {{"kind", "data"}}).covariance->samples(), 2);
  EXPECT_EQ(load(path, {{"kind", "data"}}).notes.size(), 0U);
}

TEST_F(OwnTables, StandardisedDataHaveTheCorrelationMatrix) {
  const std::string text = "a,b,c\n1,10,5\n2,30,5\n4,20,5\n7,80,5\n";
  const fs::path dense = write("x.csv", text);
  const Dataset dataset = load(dense, {{"standardize", true}});
  const Vector& diagonal = dataset.covariance->diagonal();
  constexpr double kRounding = 1e-14;
  EXPECT_NEAR(diagonal[0], 1, kRounding);
  EXPECT_NEAR(diagonal[1], 1, kRounding);
  EXPECT_EQ(diagonal[2], 0);
  ASSERT_EQ(dataset.notes.size(), 1U);
  EXPECT_NE(dataset.notes[0].find("1 constant variable set aside: c"), std::string::npos)
      << dataset.notes[0];
  // r of (1, 2, 4, 7) and (10, 30, 20, 80): 220 / sqrt(21 * 2900).
  EXPECT_NEAR(dataset.covariance->submatrix({0, 1})(0, 1), 220 / std::sqrt(21. * 2900), kRounding);
  const fs::path sparse =
      write("x.mtx",
            "%%MatrixMarket matrix coordinate real general\n4 3 12\n1 1 1\n2 1 2\n3 1 4\n4 1 7\n"
            "1 2 10\n2 2 30\n3 2 20\n4 2 80\n1 3 5\n2 3 5\n3 3 5\n4 3 5\n");
  const Matrix same = load(sparse, {{"standardize", true}}).covariance->submatrix({0, 1, 2});
  EXPECT_LT((same - dataset.covariance->submatrix({0, 1, 2})).cwiseAbs().maxCoeff(), kRounding);
  const fs::path covariance = write("s.csv", "4,1\n1,9\n");
  EXPECT_NEAR(load(covariance, {{"kind", "covariance"}, {"standardize", true}})
                  .covariance->submatrix({0, 1})(1, 0),
              1. / 6, kRounding);
  expect_refused(dense, {"standardize", "scale"}, {{"standardize", true}, {"scale", "n-1"}});
}

TEST_F(OwnTables, TheFormOfDataMayBeChangedAfterwards) {
  const Matrix x = matrix({{1, 0, 3}, {2, 5, 0}, {0, 1, 1}, {4, 0, 2}});
  constexpr double kRounding = 1e-12;
  for (const bool centered : {true, false}) {
    const DataForm form = {.centered = centered, .scale = Scale::kSamples};
    const auto dense = make_covariance(Matrix(x), form);
    const auto sparse = make_covariance(SparseRows(x.sparseView()), form);
    for (const FormChange& change :
         {FormChange{.centered = !centered}, FormChange{.scale = Scale::kNone},
          FormChange{.standardized = true}}) {
      const Matrix expected = make_covariance(Matrix(x), change.of(form))->submatrix({0, 1, 2});
      for (const auto& covariance : {dense, sparse}) {
        const auto changed = covariance->in_form(change);
        ASSERT_NE(changed, nullptr);
        EXPECT_LT((changed->submatrix({0, 1, 2}) - expected).cwiseAbs().maxCoeff(), kRounding);
        EXPECT_EQ(changed->is_centered(), change.of(form).centered);
      }
    }
  }
  EXPECT_EQ(make_explicit_covariance(Matrix::Identity(2, 2))->in_form({.centered = true}), nullptr);
}

TEST_F(OwnTables, NamesMayComeFromAnotherFile) {
  const fs::path path = write("x.csv", "1.5,2\n3,4\n");
  write("names.txt", "height\nweight\n");
  EXPECT_EQ(load(path, {{"names", "names.txt"}}).variable_names, (Names{"height", "weight"}));
  write("names.txt", "height\n");
  expect_refused(path, {"names.txt", "1 names", "2"}, {{"names", "names.txt"}});
}

TEST_F(OwnTables, NumbersThatStandForMissingValuesHoldInEveryDenseFormat) {
  const std::string market = "%%MatrixMarket matrix array real general\n3 2\n1\n-999\n3\n2\n5\n7\n";
  const fs::path path = write("x.mtx", market);
  EXPECT_EQ(numbers(path, {{"missing_words", "-999"}, {"missing", "mean"}}),
            matrix({{1, 2}, {2, 5}, {3, 7}}));
  expect_refused(path, {"row 2, column 1: found NaN"}, {{"missing_words", "-999"}});
  expect_refused(path, {"is not CSV", "numbers"}, {{"missing_words", "-999,none"}});
  expect_refused(write("s.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 -999\n"),
                 {"is not dense"}, {{"missing_words", "-999"}});
}

TEST_F(OwnTables, SparseMatricesThatAreSymmetricAreNotedToo) {
  const std::string entries = "2 2 4\n1 1 2\n1 2 1\n2 1 1\n2 2 3\n";
  const std::string banner = "%%MatrixMarket matrix coordinate real ";
  const Dataset dataset = load(write("x.mtx", banner + "general\n" + entries));
  ASSERT_EQ(dataset.notes.size(), 1U);
  EXPECT_NE(dataset.notes[0].find("square and symmetric"), std::string::npos) << dataset.notes[0];
  EXPECT_TRUE(load(write("y.mtx", banner + "general\n2 2 3\n1 1 2\n1 2 1\n2 2 3\n")).notes.empty());
  // A matrix that is declared symmetric, and is taken as data on request, needs no note.
  EXPECT_TRUE(
      load(write("z.mtx", banner + "symmetric\n2 2 3\n1 1 2\n2 1 1\n2 2 3\n"), {{"kind", "data"}})
          .notes.empty());
}

TEST_F(OwnTables, NamesOfAnotherFileThatAreEqualAreNoted) {
  write("names.txt", "a\nb\na\n");
  const Dataset dataset =
      load(write("x.csv", "1,2,5\n2,7,1\n4,1,1\n"), {{"names", "names.txt"}, {"row_names", "no"}});
  ASSERT_EQ(dataset.notes.size(), 1U);
  EXPECT_NE(dataset.notes[0].find("variables share a name: \"a\" 2 times"), std::string::npos);
}

TEST_F(OwnTables, PackedFilesOfFormatsThatAreNotReadPackedSaySo) {
  write("x.bim", "1 r1 0 1 A G\n");
  write("x.fam", "f i 0 0 1 1\n");
  expect_refused(write_gz("x.bed", std::string("\x6c\x1b\x01\x03", 4)),
                 {"packed by gzip", "gunzip"});
  expect_refused(write_gz("x.h5", "\x89HDF\r\n\x1a\n" + std::string(600, '\0')),
                 {"packed by gzip", "gunzip"});
}

/// Reads samples although S = X'X would overflow or vanish.
TEST_F(OwnTables, SamplesAreReadOnAnyScale) {
  const DatasetEntry& file = *DatasetRegistry::instance().find("file");
  for (const char* scale : {"e-170", "e170", "e-307", "e307"}) {
    const std::string text = fmt::format("a,b\n1{0},2{0}\n3{0},7{0}\n", scale);
    const fs::path path = write("x.csv", text);
    Json options = {{"path", "x.csv"}, {"center", "no"}, {"scale", "none"}};
    const Dataset raw =
        file.load(file.complete_options(options, "options"),
                  {.data_dir = {}, .seed = 0, .base_dir = folder_, .samples_only = true});
    EXPECT_EQ(raw.covariance->data_product({.support = {1}, .values = Vector::Ones(1)})[1],
              std::stod(fmt::format("7{}", scale)));
    expect_refused(path, {"number"}, options);
    // Standardised data have a correlation of 1 on every scale, dense and sparse.
    const std::string market = fmt::format(
        "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 1{0}\n1 2 2{0}\n2 1 3{0}\n2 2 "
        "7{0}\n",
        scale);
    for (const fs::path& whole : {path, write("x.mtx", market)}) {
      const Dataset dataset = load(whole, {{"standardize", true}});
      EXPECT_NEAR(dataset.covariance->submatrix({0, 1})(0, 1), 1, 1e-14) << scale;
    }
  }
}

}  // namespace
}  // namespace spca
