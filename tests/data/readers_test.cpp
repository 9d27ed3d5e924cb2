/// Tests of the readers of tables: the contents of each format, and the message for each way in
/// which a file can be wrong.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "spca/base/random.h"
#include "spca/data/content/file_content.h"
#include "spca/data/dataset.h"
#include "spca/data/files/read_dataset.h"
#include "spca/data/readers/csv.h"
#include "spca/data/readers/read_file.h"
#include "tests/temporary_files.h"

namespace spca::readers_test {
namespace {

using Readers = TemporaryFiles;

Matrix small_matrix() {
  Matrix matrix(2, 3);
  matrix << 1, -2.5, 3e2, 4, 5, 0.125;
  return matrix;
}

void expect_small(const fs::path& path, const std::vector<std::string>& names = {}) {
  const FileContent content = read_file(path);
  EXPECT_EQ(content.dense, small_matrix()) << path;
  EXPECT_EQ(content.variable_names, names) << path;
}

TEST_F(Readers, CsvTakesEverySeparator) {
  expect_small(write("comma.csv", "1,-2.5,3e2\n4,5,.125\n"));
  expect_small(write("semicolon.csv", "1;-2.5;3e2\n4;5;0.125\n"));
  expect_small(write("tab.tsv", "1\t-2.5\t3e2\n4\t5\t0.125\n"));
  expect_small(write("blank.txt", "  1 -2.5   3e2 \n4 5 0.125"));
}

TEST_F(Readers, CsvTakesQuotesPlusSignsByteOrderMarksAndEveryLineEnd) {
  expect_small(write("crlf.csv", "1,-2.5,3e2\r\n4,5,0.125\r\n"));
  expect_small(write("no_end.csv", "1,-2.5,3e2\n4,5,0.125"));
  expect_small(write("empty_end.csv", "1,-2.5,3e2\n4,5,0.125\n\n\n"));
  expect_small(write("blanks.csv", "1, -2.5 , 3e2\n+4,5,0.125\n"));
  expect_small(write("quotes.csv", "a,b,c\n\"1\",\"-2.5\",3e2\n4,5,\"0.125\"\n"), {"a", "b", "c"});
  expect_small(write("bom.csv",
                     "\xef\xbb\xbf"
                     "1,-2.5,3e2\n4,5,0.125\n"));
}

TEST_F(Readers, CsvHeaderGivesTheNamesAlsoWhereTheyAreQuotedNumbers) {
  expect_small(write("a.csv", "height,\"wood, dry\",\"the \"\"x\"\"\"\n1,-2.5,3e2\n4,5,0.125\n"),
               {"height", "wood, dry", "the \"x\""});
  expect_small(write("b.csv", "\"1\",\"2\",\"3\"\n1,-2.5,3e2\n4,5,0.125\n"), {"1", "2", "3"});
  expect_small(write("c.csv",
                     "\xef\xbb\xbf"
                     "a;b;c\r\n1;-2.5;3e2\r\n4;5;0.125\r\n"),
               {"a", "b", "c"});
}

TEST_F(Readers, CsvGivesTheDoubleThatIsNearestToTheText) {
  Random random(5);
  std::string text;
  std::vector<double> values;
  for (int i = 0; i < 3000; ++i) {
    values.push_back(random.normal() *
                     std::pow(10.0, static_cast<double>(random.below(600)) - 300));
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.17g%c", values.back(), i % 3 == 2 ? '\n' : ',');
    text += buffer;
  }
  const Matrix matrix = read_file(write("digits.csv", text)).dense;
  ASSERT_EQ(matrix.rows(), 1000);
  for (Index i = 0; i < 3000; ++i) {
    ASSERT_EQ(matrix(i / 3, i % 3), values[static_cast<std::size_t>(i)]);
  }
  EXPECT_EQ(read_file(write("tiny.csv", "1e-400,1e-310\n1,2\n")).dense(0, 1), 1e-310);
}

TEST_F(Readers, GzipIsFoundByItsBytesNotByItsName) {
  const std::string text = "1,-2.5,3e2\n4,5,0.125\n";
  expect_small(write_gz("packed.csv", text));
  expect_small(write_gz("packed.csv.gz", text));
  expect_small(write("plain.csv.gz", text));
  const std::string first = bytes_of(write_gz("first", "1,-2.5,3e2\n"));
  const std::string second = bytes_of(write_gz("second", "4,5,0.125\n"));
  expect_small(write("two_members.gz", first + second));
}

TEST_F(Readers, RowsOfWordsKnowTheirLinesAlsoBelowBlankOnes) {
  const std::string text = "gene;\"a ;\"\"b\"\n\n x ; 2 \r\n";
  for (const fs::path& path : {write("words.csv", text), write_gz("words.csv.gz", text)}) {
    const std::vector<CsvRow> rows = read_csv_rows(path);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].line, 1U);
    EXPECT_EQ(rows[0].fields, (std::vector<std::string>{"gene", "a ;\"b"}));
    EXPECT_EQ(rows[1].line, 3U);
    EXPECT_EQ(rows[1].fields, (std::vector<std::string>{"x", "2"}));
  }
}

TEST_F(Readers, TextLongerThanABlockIsReadWhole) {
  std::string text;
  for (int i = 0; i < 40'000; ++i) {
    text += std::to_string(i) + "," + std::to_string(2 * i) + "\n";
  }
  for (const fs::path& path : {write("long.csv", text), write_gz("long.csv.gz", text)}) {
    const Matrix matrix = read_file(path).dense;
    ASSERT_EQ(matrix.rows(), 40'000);
    EXPECT_EQ(matrix.col(0).sum(), 40'000.0 * 39'999 / 2);
    EXPECT_EQ(matrix.col(1), 2 * matrix.col(0));
  }
  std::string wide;
  for (int j = 0; j < 200'000; ++j) {
    wide += std::to_string(j) + (j + 1 < 200'000 ? "," : "\n");
  }
  EXPECT_EQ(read_file(write("wide.csv", wide + wide)).dense.row(1).sum(), 200'000.0 * 199'999 / 2);
}

TEST_F(Readers, FilesThatCannotBeReadAreNamed) {
  expect_error(folder_ / "nowhere.csv", {"cannot be opened", "No such file"});
  expect_error(folder_, {"is a folder"});
  expect_error(write("empty.csv", ""), {"is empty", "accepted: CSV"});
  expect_error(write_gz("empty.csv.gz", ""), {"is empty"});
  expect_error(write("blank.csv", "\n\n"), {"no line has anything in it"});
  expect_error(write("photo.raw", std::string("\x89QRS\0\0\1", 7)), {"binary file"});
  expect_error(write("photo.png", std::string("\x89PNG\0\0\1", 7)), {"is a picture"});
}

TEST_F(Readers, DamagedGzipIsNamed) {
  std::string text;
  Random random(1);
  for (int i = 0; i < 30'000; ++i) {
    text += std::to_string(random.below(1'000'000)) + ",1\n";
  }
  const std::string good = bytes_of(write_gz("good.gz", text));
  expect_error(write("short.csv.gz", good.substr(0, good.size() / 2)), {"end early"});
  std::string no_checksum = good.substr(0, good.size() - 4);
  expect_error(write("no_checksum.csv.gz", no_checksum), {"end early"});
  std::string wrong_checksum = good;
  wrong_checksum[good.size() - 6] ^= 1;
  expect_error(write("checksum.csv.gz", wrong_checksum), {"corrupted", "incorrect data check"});
  expect_error(write("garbage.csv.gz", good + "garbage"), {"corrupted"});
}

TEST_F(Readers, CsvErrorsNameLineAndColumn) {
  expect_error(write("ragged_second.csv", "1,2\n3\n4,5\n"),
               {"ragged_second.csv:2:", "found 1 field;", "accepted: 2"});
  expect_error(write("ragged.csv", "a,b,c\n1,2,3\n4,5\n"),
               {":3:", "found 2 fields", "accepted: 3"});
  expect_error(write("long_row.csv", "1,2,3\n4,5,6\n4,5,6,7\n"),
               {":3:", "found 4 fields", "accepted: 3"});
  expect_error(write("word.csv", "a,b,c\n1,2,3\n4,five,6\n"), {":3:", "column 2 (b)", "\"five\""});
  expect_error(write("first.csv", "1,two,3\n4,5,6\n"),
               {":1:", "column 2", "\"two\"", "no unquoted field is a number"});
  expect_error(write("decimal.csv", "1.5;2.5\n3,5;4,5\n"),
               {":2:", "column 1", "\"3,5\"", "decimal point"});
  expect_error(write("no_name.csv", "a,,c\n1,2,3\n"), {":1:", "column 2", "empty name"});
  expect_error(write("header.csv", "a,b,c\n"), {":1:", "only a header line"});
  expect_error(write("quote.csv", "a,b\n1,\"2\n"), {":2:", "column 2", "not closed"});
  expect_error(write("gap.csv", "1,2\n\n3,4\n"), {":2:", "empty line between rows"});
}

TEST_F(Readers, CsvTakesNoMissingOrInfiniteNumber) {
  expect_error(write("empty_field.csv", "1,2,3\n4,,6\n"), {":2:", "column 2", "empty field"});
  expect_error(write("last_field.csv", "1,2,3\n4,5,\n"), {":2:", "column 3", "empty field"});
  for (const std::string word : {"NA", "NaN", "nan", "inf", "-Inf", "1e999", "?"}) {
    expect_error(write("missing.csv", "1,2,3\n4,5," + word + "\n"),
                 {":2:", "column 3", "\"" + word + "\"", "finite number"});
  }
}

TEST_F(Readers, CovarianceMustBeSquareSymmetricAndPositive) {
  expect_error(write("wide.csv", "1,2,3\n2,1,4\n"), {"2 rows and 3 columns", "square"}, true);
  expect_error(write("asymmetric.csv", "2,1\n0.5,2\n"), {"ymmetric"}, true);
  expect_error(write("indefinite.csv", "1,2\n2,1\n"), {"eigenvalue"}, true);
  const Dataset dataset = read_dataset(
      {.path = write("good.csv", "a,b\n2,1\n1,3\n"), .is_covariance = true, .centered = {}});
  EXPECT_EQ(dataset.covariance->total_variance(), 5);
  EXPECT_EQ(dataset.variable_names, (std::vector<std::string>{"a", "b"}));
}

std::string npy(int version, const std::string& header, const std::string& data) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
  }
  return bytes + header + data;
}

std::string npy_header(const std::string& type, const std::string& shape,
                       const std::string& fortran = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

template <class Item>
std::string items(const std::vector<Item>& values, bool swap = false) {
  std::string bytes;
  for (const Item value : values) {
    char item[sizeof(Item)];
    std::memcpy(item, &value, sizeof(Item));
    bytes +=
        swap ? std::string(std::reverse_iterator(item + sizeof(Item)), std::reverse_iterator(item))
             : std::string(item, sizeof(Item));
  }
  return bytes;
}

TEST_F(Readers, NpyTakesEveryTypeByteOrderLayoutAndVersion) {
  Matrix expected(2, 3);
  expected << 1, 2, 3, 4, 5, 6;
  const auto check = [&]<class Item>(const std::string& type, Item) {
    const std::vector<Item> rows = {1, 2, 3, 4, 5, 6};
    const std::vector<Item> columns = {1, 4, 2, 5, 3, 6};
    for (const int version : {1, 2, 3}) {
      for (const bool is_big : {false, true}) {
        const std::string full = (is_big ? ">" : "<") + type;
        const fs::path by_rows =
            write("c.npy", npy(version, npy_header(full, "(2, 3)"), items(rows, is_big)));
        EXPECT_EQ(read_file(by_rows).dense, expected) << full << version;
        const fs::path by_columns = write(
            "f.npy", npy(version, npy_header(full, "(2, 3)", "True"), items(columns, is_big)));
        EXPECT_EQ(read_file(by_columns).dense, expected) << full << version;
      }
    }
  };
  check("f8", double{});
  check("f4", float{});
  check("i1", std::int8_t{});
  check("i2", std::int16_t{});
  check("i4", std::int32_t{});
  check("i8", std::int64_t{});
  check("u1", std::uint8_t{});
  check("u2", std::uint16_t{});
  check("u4", std::uint32_t{});
  check("u8", std::uint64_t{});
}

TEST_F(Readers, NpyTakesBooleansHalvesAndGzip) {
  const fs::path boolean =
      write("b.npy", npy(1, npy_header("|b1", "(1, 3)"), std::string("\1\0\1", 3)));
  EXPECT_EQ(read_file(boolean).dense, (Matrix(1, 3) << 1, 0, 1).finished());
  // 1, -2, the smallest denormal, 65504: IEEE 754 binary16.
  const std::vector<std::uint16_t> halves = {0x3c00, 0xc000, 0x0001, 0x7bff};
  const std::string bytes = npy(1, npy_header("<f2", "(2, 2)"), items(halves));
  const Matrix expected = (Matrix(2, 2) << 1, -2, std::ldexp(1.0, -24), 65504).finished();
  EXPECT_EQ(read_file(write("h.npy", bytes)).dense, expected);
  EXPECT_EQ(read_file(write_gz("h.npy.gz", bytes)).dense, expected);
}

TEST_F(Readers, NpyNotesIntegersThatAreRounded) {
  const std::int64_t limit = std::int64_t{1} << 53;
  for (const auto& [number, is_noted] :
       {std::pair(limit - 1, false), {limit + 1, true}, {-limit - 5, true}}) {
    const std::vector<std::int64_t> numbers = {1, number, 3, 5};
    const fs::path path = write("x.npy", npy(1, npy_header("<i8", "(2, 2)"), items(numbers)));
    EXPECT_EQ(read_file(path).notes.size(), is_noted ? 1U : 0U) << number;
  }
}

TEST_F(Readers, NpyErrorsNameTheAcceptedValues) {
  const std::string six = items(std::vector<double>{1, 2, 3, 4, 5, 6});
  expect_error(write("magic.npy", "NUMPY is fine"), {"is no .npy file"});
  expect_error(write("version.npy", npy(4, npy_header("<f8", "(2, 3)"), six)), {"version 4"});
  expect_error(write("cut.npy", npy(1, npy_header("<f8", "(2, 3)"), six.substr(8))),
               {"ends within its data"});
  expect_error(write_gz("cut.npy.gz", npy(1, npy_header("<f8", "(2, 3)"), six.substr(0, 40))),
               {"ends within its data"});
  expect_error(write("head.npy", npy(1, npy_header("<f8", "(2, 3)"), six).substr(0, 20)),
               {"ends within its header"});
  expect_error(write("more.npy", npy(1, npy_header("<f8", "(2, 3)"), six + "x")), {"bytes after"});
  expect_error(write("huge.npy", npy(1, npy_header("<f8", "(4000000000, 4000000000)"), six)),
               {"(4000000000, 4000000000)", "too short"});
  expect_error(write("object.npy", npy(1, npy_header("|O", "(2, 3)"), six)), {"\"|O\"", "f8"});
  expect_error(write("complex.npy", npy(1, npy_header("<c8", "(2, 3)"), six)), {"\"<c8\""});
  expect_error(write("one.npy", npy(1, npy_header("<f8", "(6,)"), six)),
               {"shape (6,)", "two dimensions"});
  expect_error(write("three.npy", npy(1, npy_header("<f8", "(1, 2, 3)"), six)),
               {"shape (1, 2, 3)"});
  expect_error(write("none.npy", npy(1, npy_header("<f8", "(0, 3)"), "")), {"shape (0, 3)"});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_error(write("nan.npy", npy(1, npy_header("<f8", "(2, 3)"),
                                    items(std::vector<double>{1, 2, 3, 4, nan, 6}))),
               {"row 2", "column 2"});
}

constexpr const char* kBanner = "%%MatrixMarket matrix ";

TEST_F(Readers, MatrixMarketCoordinatesStaySparse) {
  const FileContent content = read_file(
      write("a.mtx", std::string(kBanner) + "coordinate real general\n% a comment\n\n3 4 4\n"
                                            "3 1 2.5\n1 4 -1\n1 2 7\n3 3 1e1\n"));
  ASSERT_NE(content.sparse, nullptr);
  Matrix expected = Matrix::Zero(3, 4);
  expected(2, 0) = 2.5;
  expected(0, 3) = -1;
  expected(0, 1) = 7;
  expected(2, 2) = 10;
  EXPECT_EQ(Matrix(*content.sparse), expected);
  EXPECT_EQ(content.sparse->nonZeros(), 4);
}

TEST_F(Readers, MatrixMarketFillsTheOtherHalfOfSymmetricMatrices) {
  const Matrix symmetric = (Matrix(2, 2) << 2, 1, 1, 3).finished();
  const std::string banner = kBanner;
  const auto sparse = [](const FileContent& content) { return Matrix(*content.sparse); };
  EXPECT_EQ(sparse(read_file(write("s.mtx", banner + "coordinate integer symmetric\n2 2 3\n"
                                                     "1 1 2\n2 1 1\n2 2 3\n"))),
            symmetric);
  EXPECT_EQ(read_file(write("d.mtx", banner + "array real symmetric\n2 2\n2\n1\n3\n")).dense,
            symmetric);
  EXPECT_EQ(read_file(write("k.mtx", banner + "array real skew-symmetric\n2 2\n5\n")).dense,
            (Matrix(2, 2) << 0, -5, 5, 0).finished());
  EXPECT_EQ(sparse(read_file(write("p.mtx", banner + "coordinate pattern general\n2 2 1\n2 1\n"))),
            (Matrix(2, 2) << 0, 0, 1, 0).finished());
  EXPECT_EQ(
      read_file(write("a.mtx", banner + "array real general\n2 3\n1\n4\n-2.5\n5\n300\n.125\n"))
          .dense,
      small_matrix());
  const Dataset dataset =
      read_dataset({.path = folder_ / "s.mtx", .is_covariance = true, .centered = {}});
  EXPECT_EQ(dataset.covariance->submatrix({0, 1}), symmetric);
}

TEST_F(Readers, MatrixMarketErrorsNameTheLine) {
  const std::string banner = kBanner;
  expect_error(write("c.mtx", banner + "coordinate complex general\n1 1 1\n1 1 1 1\n"),
               {":1:", "\"complex\"", "real"});
  expect_error(write("h.mtx", banner + "coordinate real hermitian\n1 1 0\n"),
               {":1:", "\"hermitian\"", "symmetric"});
  expect_error(write("v.mtx", banner + "vector real general\n1\n"), {":1:", "\"vector\""});
  const std::string real = banner + "coordinate real general\n";
  expect_error(write("few.mtx", real + "2 2 3\n1 1 1\n2 2 1\n"), {":4:", "after 2 entries", "3"});
  expect_error(write("many.mtx", real + "2 2 1\n1 1 1\n2 2 1\n"),
               {":4:", "entry 2", "announces 1"});
  expect_error(write("row.mtx", real + "2 2 1\n3 1 1\n"), {":3:", "row \"3\"", "1 to 2"});
  expect_error(write("column.mtx", real + "2 2 1\n1 0 1\n"), {":3:", "column \"0\"", "1 to 2"});
  expect_error(write("nan.mtx", real + "2 2 1\n1 1 nan\n"), {":3:", "\"nan\"", "finite"});
  expect_error(write("fields.mtx", real + "2 2 1\n1 1\n"), {":3:", "2 fields", "row, column"});
  expect_error(write("twice.mtx", real + "2 2 3\n1 1 1\n2 2 1\n1 1 4\n"),
               {":5:", "row 1, column 1", "second time"});
  expect_error(write("sizes.mtx", real + "2 -2 1\n1 1 1\n"), {":2:", "3 whole numbers"});
  expect_error(write("huge.mtx", real + "2 2 2000000000\n1 1 1\n"),
               {":2:", "2000000000", "at most"});
  const std::string symmetric = banner + "coordinate real symmetric\n";
  expect_error(write("rows.mtx", real + "2000000000 1 0\n"),
               {":2:", "2000000000 rows", "without an entry"});
  expect_error(write("columns.mtx", real + "1 2000000000 1\n1 1 1\n"),
               {":2:", "2000000000 columns", "without an entry"});
  expect_error(write("upper.mtx", symmetric + "2 2 1\n1 2 1\n"),
               {":3:", "row 1, column 2", "below"});
  expect_error(write("oblong.mtx", symmetric + "2 3 1\n1 2 1\n"), {":2:", "square"});
}

TEST_F(Readers, AMessageIsOneLineForAnyQuotedContent) {
  const std::string odd = "a\x01\x1b[31m";
  for (const fs::path& path :
       {write("name.csv", "b," + odd + "\n1,x\n"),
        write("shape.npy", npy(1, npy_header("<f8", "(1,\n\x1b 2, 3)"), ""))}) {
    const std::string message = error_of([&] { read_file(path); });
    EXPECT_TRUE(std::none_of(message.begin(), message.end(), [](unsigned char letter) {
      return letter < ' ' || letter == 127;
    })) << message;
    EXPECT_NE(message.find("\\u001b"), std::string::npos) << message;
  }
}

TEST_F(Readers, TheErrorOfTextInUtf16NamesAProgramThatConvertsIt) {
  expect_error(write("x.csv", std::string("\xff\xfe"
                                          "1\0,\0"
                                          "2\0\n\0",
                                          10)),
               {"UTF-16", "iconv"});
}

TEST_F(Readers, DataWhoseSquaresAreBeyondTheLargestNumberAreAnError) {
  expect_error(write("scale.csv", "1e-40,0\n-1e-40,0\n"), {"largest variance", "another scale"});
  expect_error(write("large.csv", "1,1e300\n2,-1e300\n"), {"column 2", "smaller scale"});
  expect_error(
      write("large.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 1e200\n"),
      {"column 1", "smaller scale"});
  expect_error(write("sum.csv", "1e308,0\n0,1e308\n"),
               {"its largest entry is 1e+308", "another scale"}, true);
}

}  // namespace
}  // namespace spca::readers_test
