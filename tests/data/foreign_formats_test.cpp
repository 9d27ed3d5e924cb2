/// Tests of formats of other programs. svmlight, GCT and files of 10x Genomics are read. For a
/// format that is recognised but not read, the error names it and says how to convert the file.

#include <gtest/gtest.h>

#include "spca/data/content/file_content.h"
#include "spca/data/readers/read_file.h"
#include "tests/temporary_files.h"

namespace spca::foreign_formats_test {
namespace {

using Names = std::vector<std::string>;

class ForeignFormats : public TemporaryFiles {
 protected:
  void expect_note(const FileContent& content, const std::string& part) const {
    ASSERT_EQ(content.notes.size(), 1U);
    EXPECT_NE(content.notes[0].find(part), std::string::npos) << content.notes[0];
  }
};

TEST_F(ForeignFormats, SvmlightIsReadWithoutItsLabels) {
  const std::string text =
      "# made by hand\n1 1:0.5 7:2\n-1 qid:3 2:1.5 # a comment\n0\n1 7:1 1:3\n";
  Matrix expected = Matrix::Zero(4, 7);
  expected(0, 0) = 0.5;
  expected(0, 6) = 2;
  expected(1, 1) = 1.5;
  expected(3, 0) = 3;
  expected(3, 6) = 1;
  for (const fs::path& path : {write("a.txt", text), write_gz("a.svm.gz", text)}) {
    const FileContent content = read_file(path);
    ASSERT_NE(content.sparse, nullptr);
    EXPECT_EQ(Matrix(*content.sparse), expected);
    expect_note(content,
                "labels and queries of 4 samples are left out; its features are numbered "
                "from 1");
  }
  const FileContent from_zero = read_file(write("z.svm", "1 0:0.5 6:2\n-1 1:1.5\n"));
  EXPECT_EQ(from_zero.sparse->cols(), 7);
  EXPECT_EQ(from_zero.sparse->coeff(0, 6), 2);
  expect_note(from_zero, "numbered from 0");
  EXPECT_EQ(read_file(write("m.svm", "1,3 1:2\n2 2:5\n")).sparse->cols(), 2);
}

TEST_F(ForeignFormats, AMistakeInSvmlightNamesItsLine) {
  expect_error(write("a.svm", "1 1:0.5\n-1 2:x\n"), {":2: found \"2:x\""});
  expect_error(write("a.svm", "1 1:0.5\n-1 3\n"), {":2: found \"3\""});
  expect_error(write("a.svm", "1 1:0.5\nb 3:1\n"), {":2: found \"b\"", "a label"});
  expect_error(write("a.svm", "1 1:0.5\n1 2:nan\n"), {":2: found \"2:nan\"", "finite"});
  expect_error(write("a.svm", "1 1:0.5\n1 -2:1\n"), {":2: found \"-2:1\""});
  expect_error(write("a.svm", "1 1:0.5\n1 2000000000000:1\n"), {":2: found"});
  expect_error(write("a.svm", "1 1:0.5\n1 2000000000:1\n"), {"2000000000 columns"});
  expect_error(write("a.svm", "1 1:0.5\n2 7:1 1:0.5 7:2\n"), {":2: found feature 7 a second time"});
  expect_error(write("a.svm", "1 1:0.5 1:2\n"), {"a second time"});
  // A time of day is not a feature.
  expect_error(write("a.csv", "a,b\n1,12:30\n"), {":2: column 2"});
}

const char* const kGct =
    "#1.2\n2\t3\nName\tDescription\ts1\ts2\ts3\nTP53\ttumor "
    "protein\t1\t2\t3.5\nKRAS\tna\t4\t5\t-6\n";

TEST_F(ForeignFormats, GctIsReadWithItsGenesAsVariables) {
  const Matrix expected = (Matrix(3, 2) << 1, 4, 2, 5, 3.5, -6).finished();
  const std::string third =
      "#1.3\n2\t3\t2\t1\nid\tsymbol\tchr\ts1\ts2\ts3\ncell\tna\tna\tA\tB\tC\nTP53\tx\t1\t1\t2\t3."
      "5\n"
      "KRAS\ty\t2\t4\t5\t-6\n";
  for (const fs::path& path : {write("a.gct", kGct), write("any.txt", kGct),
                               write_gz("a.gct.gz", kGct), write("b.gct", third)}) {
    const FileContent content = read_file(path);
    EXPECT_EQ(content.dense, expected) << path;
    EXPECT_EQ(content.variable_names, (Names{"TP53", "KRAS"}));
    EXPECT_EQ(content.sample_names, (Names{"s1", "s2", "s3"}));
    expect_note(content, "3 samples and 2 variables");
  }
}

TEST_F(ForeignFormats, AMistakeInGctNamesItsLine) {
  const auto with = [&](const std::string& old, const std::string& other) {
    std::string text = kGct;
    text.replace(text.find(old), old.size(), other);
    return write("a.gct", text);
  };
  expect_error(with("3.5", "NA"), {":4: column 5: found \"NA\"", "1 missing value", "`missing`"});
  expect_error(with("3.5", "x"), {":4: column 5: found \"x\"", "finite"});
  expect_error(with("\t3.5", ""), {":4: found 4 fields; accepted: 5"});
  expect_error(with("2\t3\n", "3\t3\n"), {"ends after line 5", "3 lines of genes"});
  expect_error(with("2\t3\n", "1\t3\n"), {":5: found a row behind the 1"});
  expect_error(with("2\t3\n", "2000000000\t2000000000\n"), {":2: found", "room for"});
  expect_error(with("2\t3\n", "2\n"), {":2: found \"2\""});
  expect_error(with("#1.2", "#1.4"), {":1: found \"#1.4\""});
  const Dataset filled =
      read_dataset({.path = with("3.5", "NA"), .centered = {}, .missing = Missing::kDropRows});
  EXPECT_EQ(filled.sample_names, (Names{"s1", "s2"}));
}

TEST_F(ForeignFormats, AMatrixOfTenXHasItsGenesAsVariables) {
  const std::string banner = "%%MatrixMarket matrix coordinate integer general\n";
  const fs::path path = write("matrix.mtx", banner + "2 3 3\n1 1 5\n2 3 7\n1 2 1\n");
  EXPECT_EQ(read_file(path).sparse->rows(), 2);
  write("features.tsv", "E1\tTP53\tGene Expression\nE2\tKRAS\tGene Expression\n");
  expect_note(read_file(path), "features.tsv lies beside it, and no barcodes.tsv");
  write_gz("barcodes.tsv.gz", "AA-1\nBB-1\nCC-1\n");
  const Matrix expected = (Matrix(3, 2) << 5, 0, 1, 0, 0, 7).finished();
  const FileContent content = read_file(path);
  EXPECT_EQ(Matrix(*content.sparse), expected);
  EXPECT_EQ(content.variable_names, (Names{"TP53", "KRAS"}));
  EXPECT_EQ(content.sample_names, (Names{"AA-1", "BB-1", "CC-1"}));
  expect_note(content, "3 samples (barcodes) and 2 variables (genes)");
  EXPECT_EQ(files_of(path).size(), 3U);
  write("features.tsv", "E1\tTP53\tGene Expression\nA1\tCD3\tAntibody Capture\n");
  ASSERT_EQ(read_file(path).notes.size(), 2U);
  EXPECT_EQ(read_file(path).notes[1], "has features of 2 types: Antibody Capture, Gene Expression");
  write("features.tsv", "E1\tTP53\nE2\tKRAS\n");
  // A matrix of samples by genes, and a matrix that the names do not fit.
  write("matrix.mtx", banner + "3 2 2\n1 1 5\n3 2 7\n");
  EXPECT_EQ(read_file(path).sparse->coeff(2, 1), 7);
  EXPECT_EQ(read_file(path).variable_names, (Names{"TP53", "KRAS"}));
  write("matrix.mtx", banner + "2 4 1\n1 1 5\n");
  expect_error(path, {"2 rows and 4 columns", "2 names of genes", "3 barcodes"});
  // The Expression Atlas names the files after the matrix.
  const fs::path atlas = write("E-1.counts.mtx", banner + "1 2 1\n1 2 5\n");
  write("E-1.counts.mtx_rows", "E1\tE1\n");
  write("E-1.counts.mtx_cols", "AA\nBB\n");
  const FileContent counts = read_file(atlas);
  EXPECT_EQ(counts.sparse->rows(), 2);
  EXPECT_EQ(counts.variable_names, (Names{"E1"}));
  expect_note(counts, "of genes and cells with E-1.counts.mtx_rows beside it");
  EXPECT_EQ(files_of(atlas).size(), 3U);
  // GEO puts the sample before the names of the files; older versions have genes.tsv.
  const fs::path geo = write("GSM1_matrix.mtx", banner + "1 2 1\n1 2 5\n");
  write("GSM1_genes.tsv", "E1\tTP53\n");
  write("GSM1_barcodes.tsv", "AA\nBB\n");
  EXPECT_EQ(read_file(geo).variable_names, (Names{"TP53"}));
  EXPECT_EQ(read_file(geo).sparse->coeff(1, 0), 5);
}

TEST_F(ForeignFormats, OthersAreNamedWithAWayOn) {
  struct Named {
    std::string name, bytes;
    std::vector<std::string> parts;
  };
  const std::vector<Named> all = {
      {"a.txt", "% c\n\n@RELATION x\n", {"ARFF", "loadarff"}},
      {"a.txt", "!Series_title\t\"x\"\n", {"GEO", "comment=\"!\"", ".T.to_csv"}},
      {"a.txt", "##fileformat=VCFv4.2\n", {"VCF", "plink2 --vcf"}},
      {"a", std::string("\x14\0\0\0\x14\0\0\0\1\0\0\0\1\0\0\0bgen", 20), {"BGEN", "plink2 --bgen"}},
      {"a", std::string("PAR1\0\0", 6), {"Parquet", "read_parquet"}},
      {"a", std::string("ARROW1\0\0", 8), {"Feather", "read_feather"}},
      {"a", std::string("X\n\0\0\0\3", 6), {"saveRDS", "readRDS(\""}},
      {"a", std::string("RDX3\nX\n\0", 8), {"R's save", "Rscript"}},
      {"a", std::string("$FL2@(#)\0", 9), {"SPSS", "read_sav"}},
      {"a", std::string("<stata_dta>\0", 12), {"Stata", "read_stata"}},
      {"a.dta", std::string("\x72\1\1\0", 4), {"Stata"}},
      {"a", std::string(12, '\0') + "\xc2\xea\x81\x60", {"SAS", "read_sas"}},
      {"a", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\1", {"Excel", "read_excel"}},
      {"a.pkl", std::string("\x80\x04\x95\0", 4), {"pickle", "numpy.save"}},
      {"a", std::string("MATLAB 5.0 MAT-file\0\0", 21), {"MATLAB before 7.3", "-v7.3"}},
      {"a.mat", std::string("\0\0\0\0\3", 5), {"MATLAB before 7.3", "loadmat"}},
      {"a",
       std::string("\xfd"
                   "7zXZ\0",
                   6),
       {"xz", "xz -dc"}},
      {"a.csv", "<!DOCTYPE html>\n", {"web page"}},
      {"a.ped", "F 1 0 0 1 2 A A G G\n", {"PLINK", "--make-bed"}},
      {"a.fam", "F 1 0 0 1 2\n", {"PLINK", ".bed file beside it"}},
      {"a.csv",
       std::string("1\0,\0"
                   "2\0\n\0",
                   8),
       {"iconv -f UTF-16LE"}},
      {"a.csv",
       std::string("\0"
                   "1\0,\0"
                   "2\0\n",
                   8),
       {"iconv -f UTF-16BE"}},
      {"a.csv", "{\"a\": 1}", {"JSON", "read_json"}},
  };
  for (const Named& one : all) {
    const fs::path path = write(one.name, one.bytes);
    expect_error(path, one.parts);
    EXPECT_EQ(error_of([&] { read_file(path); }).find("FILE"), std::string::npos);
    fs::remove(path);
  }
  fs::create_directories(folder_ / "x.zarr");
  write("x.zarr/.zgroup", "{}");
  expect_error(folder_ / "x.zarr", {"Zarr", "write_h5ad"});
  expect_error(folder_, {"is a folder; accepted: a file"});
  write("matrix.mtx.gz", "");
  expect_error(folder_, {"is a folder; accepted: " + (folder_ / "matrix.mtx.gz").string()});
}

TEST_F(ForeignFormats, ATableIsOneWhateverItsNameAndItsGenesAreCalled) {
  EXPECT_EQ(read_file(write("orc.csv", "ORC1,PAR1\n1,2\n3,5\n")).variable_names,
            (Names{"ORC1", "PAR1"}));
  EXPECT_EQ(read_file(write("a.xls", "a\tb\n1\t2\n3\t5\n")).dense.rows(), 2);
}

TEST_F(ForeignFormats, UnsignedIntegersOfMatrixMarketAreRead) {
  const std::string banner = "%%MatrixMarket matrix coordinate unsigned-integer general\n";
  EXPECT_EQ(read_file(write("a.mtx", banner + "2 2 1\n2 1 7\n")).sparse->coeff(1, 0), 7);
  expect_error(write("a.mtx", banner + "2 2 1\n2 1 -7\n"), {":3: found \"-7\"", "from 0"});
  expect_error(write("a.mtx", banner + "2 2 1\n2 1 .5\n"), {":3: found \".5\"", "whole"});
}

TEST_F(ForeignFormats, TheErrorOfASymmetricMatrixSaysHowToReadItAsData) {
  const fs::path path = write(
      "a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 2\n2 2 1\n");
  const std::string hint = "`kind` data takes it as data";
  const auto message = [&](std::optional<bool> is_covariance) {
    return error_of(
        [&] { read_dataset({.path = path, .is_covariance = is_covariance, .centered = {}}); });
  };
  EXPECT_NE(message({}).find("not positive semidefinite"), std::string::npos) << message({});
  EXPECT_NE(message({}).find(hint), std::string::npos) << message({});
  EXPECT_EQ(message(true).find(hint), std::string::npos);
  EXPECT_EQ(message(false), "no error");
}

}  // namespace
}  // namespace spca::foreign_formats_test
