/// Tests of PLINK's binary genotypes: the example of its documentation, the message for each way in
/// which the three files can be wrong, and missing genotypes.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "spca/data/content/file_content.h"
#include "spca/data/files/read_dataset.h"
#include "spca/data/readers/read_file.h"
#include "tests/temporary_files.h"

namespace spca::plink_test {
namespace {

class Plink : public TemporaryFiles {
 protected:
  /// Writes test.ped and test.map of PLINK's description of .bed: six samples, three variants.
  ///
  ///   snp1  G/G  A/A  -/-  A/A  A/A  A/A   dc 0f
  ///   snp2  2/2  -/-  1/2  2/2  2/2  2/2   e7 0f
  ///   .     C/C  A/C  A/C  -/-  -/-  A/A   6b 01
  fs::path example() const {
    write("test.bim", "1 snp1 0 1 G A\n1 snp2 0 2 1 2\n1 . 0 3 A C\n");
    write("test.fam",
          "1 1 0 0 1 0\n1 2 0 0 1 0\n1 3 0 0 1 2\n2 1 0 0 1 0\n2 2 0 0 1 2\n2 3 0 0 1 2\n");
    return write("test.bed", std::string("\x6c\x1b\x01\xdc\x0f\xe7\x0f\x6b\x01", 9));
  }
};

TEST_F(Plink, TheExampleOfItsDocumentationGivesTheGenotypesWrittenThere) {
  const FileContent content = read_file(example());
  ASSERT_NE(content.genotypes, nullptr);
  EXPECT_EQ(content.genotypes->samples, 6);
  EXPECT_EQ(content.genotypes->variants, 3);
  EXPECT_EQ(content.variable_names, (std::vector<std::string>{"snp1", "snp2", "1:3"}));
  // Copies of A1, -1 where missing. dc = 11 01 11 00 from sample 4 to sample 1; 0f ends in 11 11,
  // samples 6 and 5.
  const int copies[3][6] = {{2, 0, -1, 0, 0, 0}, {0, -1, 1, 0, 0, 0}, {0, 1, 1, -1, -1, 2}};
  const int of_code[4] = {2, -1, 1, 0};
  for (Index j = 0; j < 3; ++j) {
    for (Index i = 0; i < 6; ++i) {
      const unsigned code = (unsigned{content.genotypes->variant(j)[i / 4]} >> (2 * (i % 4))) & 3U;
      EXPECT_EQ(of_code[code], copies[j][i]) << j << " " << i;
    }
  }
}

TEST_F(Plink, IsStandardisedByAlleleFrequenciesWithTheMeanForMissingGenotypes) {
  const Dataset dataset = read_dataset({.path = example(), .centered = {}});
  // snp1 has 2 copies among 5 samples: f = 1/5. The variance is sum (g - 2f)^2 / (2f(1-f)) / 6.
  const double f = 0.2;
  const double squares = (2 - 2 * f) * (2 - 2 * f) + 4 * (2 * f) * (2 * f);
  EXPECT_NEAR(dataset.covariance->diagonal()[0], squares / (2 * f * (1 - f)) / 6, 1e-14);
  EXPECT_TRUE(dataset.covariance->is_centered());
}

TEST_F(Plink, ErrorsNameTheFileOfTheThreeThatIsWrong) {
  const fs::path bed = example();
  const auto says = [&](const std::vector<std::string>& parts) {
    const std::string message = error_of([&] { read_dataset({.path = bed, .centered = {}}); });
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    for (const std::string& part : parts) {
      EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks: " << part;
    }
  };
  write("test.bed", std::string("\x6c\x1b\x01\xdc\x0f\xe7\x0f\x6b", 8));
  says({"test.bed: has 8 bytes", "accepted: 9"});
  write("test.bed", std::string("\x6c\x1b\x01\xdc\x0f\xe7\x0f\x6b\x01\x01", 10));
  says({"test.bed: has 10 bytes"});
  write("test.bed", std::string("\x6c\x1b\x00\xdc\x0f\xe7\x0f\x6b\x01", 9));
  says({"test.bed: found the layout 0", "accepted: 1"});
  write("test.bed", "chr1\t100\t200\n");
  says({"test.bed: does not begin with 6c 1b"});
  example();
  write("test.fam", "1 1 0 0 1 0\n1 2 0 0 1\n");
  says({"test.fam:2: found 5 fields", "accepted: 6"});
  write("test.fam", "\n");
  says({"test.fam: has no line"});
  fs::remove(folder_ / "test.fam");
  says({"test.fam: is missing", "accepted: FILE.bed, FILE.bim and FILE.fam"});
  fs::remove(folder_ / "test.bim");
  says({"test.bim: is missing"});
  example();
  EXPECT_NE(error_of([&] {
              read_dataset({.path = bed, .centered = false});
            }).find("holds genotypes, which are standardised"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              read_dataset({.path = bed, .is_covariance = true, .centered = {}});
            }).find("accepted for kind covariance"),
            std::string::npos);
  EXPECT_NE(error_of([&] { read_matrix_file(bed); }).find("not read into memory"),
            std::string::npos);
}

/// Writes files of n samples and p variants with given copies of A1. -1 means missing.
class WrittenPlink : public TemporaryFiles {
 protected:
  fs::path write_plink(Index n, Index p, const std::function<int(Index, Index)>& copies,
                       Index fam_lines) const {
    std::string bed("\x6c\x1b\x01", 3);
    std::string bim;
    std::string fam;
    for (Index j = 0; j < p; ++j) {
      bim += "1 rs" + std::to_string(j) + " 0 " + std::to_string(j + 1) + " A G\n";
      std::string line(static_cast<std::size_t>((n + 3) / 4), '\0');
      for (Index i = 0; i < n; ++i) {
        const int code = copies(i, j) == 2 ? 0 : copies(i, j) == 1 ? 2 : copies(i, j) == 0 ? 3 : 1;
        char& byte = line[static_cast<std::size_t>(i / 4)];
        byte = static_cast<char>(byte | code << (2 * (i % 4)));
      }
      bed += line;
    }
    for (Index i = 0; i < fam_lines; ++i) {
      fam += "F " + std::to_string(i % 29) + " 0 0 1 -9\n";
    }
    write("x.bim", bim);
    write("x.fam", fam);
    return write("x.bed", bed);
  }
  static int varied(Index i, Index j) { return static_cast<int>((i * i + 3 * i * j + j) % 3); }
};

TEST_F(WrittenPlink, ALineOfFamTooFewOrTooManyIsRefusedWithinAByte) {
  EXPECT_EQ(read_file(write_plink(30, 10, varied, 30)).genotypes->samples, 30);
  expect_error(write_plink(30, 10, varied, 29), {"behind the 29 samples of .fam", "lacks a line"});
  expect_error(write_plink(29, 10, varied, 30),
               {"the last sample of .fam", ".fam has a line too many"});
  expect_error(write_plink(29, 10, varied, 31), {".fam has a line too many"});
  expect_error(write_plink(29, 10, varied, 28), {"has 83 bytes; accepted: 73"});
  expect_error(write_plink(28, 10, varied, 29), {"accepted: 83"});
}

TEST_F(WrittenPlink, ASampleWithTwoCopiesEverywhereIsReadWhereItMayExist) {
  const auto first_and_last = [](Index i, Index j) { return i == 0 || i == 29 ? 2 : varied(i, j); };
  EXPECT_TRUE(read_file(write_plink(30, 10, first_and_last, 30)).notes.empty());
  const auto last = [](Index i, Index j) { return i == 29 ? 2 : varied(i, j); };
  const FileContent of_few = read_file(write_plink(30, 5, last, 30));
  ASSERT_EQ(of_few.notes.size(), 1U);
  EXPECT_NE(of_few.notes[0].find("may have a line too many"), std::string::npos);
}

TEST_F(WrittenPlink, SamplesHaveTheirNamesWithTheFamilyWhereTheyAreNotUnique) {
  EXPECT_EQ(read_file(write_plink(3, 3, varied, 3)).sample_names,
            (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(read_file(write_plink(30, 3, varied, 30)).sample_names[1], "F:1");
}

TEST_F(WrittenPlink, MissingGenotypesAreSettledAsAsked) {
  const auto holes = [](Index i, Index j) {
    return (i == 3 && j == 1) || (i == 7 && j == 2) ? -1 : varied(i, j);
  };
  const fs::path path = write_plink(30, 10, holes, 30);
  const auto read = [&](Missing missing) {
    return read_dataset({.path = path, .centered = {}, .missing = missing});
  };
  EXPECT_EQ(error_of([&] { read(Missing::kError); }),
            path.string() +
                ": sample 4 (F:3), variant 2 (rs1): found a missing genotype, the first of 2 "
                "missing genotypes; accepted: `missing` as mean, drop-rows or drop-columns");
  ASSERT_EQ(read(Missing::kAuto).notes.size(), 1U);
  EXPECT_NE(read(Missing::kAuto).notes[0].find("2 missing genotypes took the mean"),
            std::string::npos);
  const Dataset columns = read(Missing::kDropColumns);
  EXPECT_EQ(columns.covariance->variables(), 8);
  EXPECT_EQ(columns.variable_names[1], "rs3");
  EXPECT_DOUBLE_EQ(columns.covariance->diagonal()[1],
                   read(Missing::kMean).covariance->diagonal()[3]);
  // Leaving samples out is the same as a file without them.
  const Dataset rows = read(Missing::kDropRows);
  EXPECT_EQ(rows.covariance->samples(), 28);
  EXPECT_EQ(rows.sample_names[3], "F:4");
  const auto others = [](Index i, Index j) { return varied(i + (i > 2) + (i > 5), j); };
  const Dataset written = read_dataset({.path = write_plink(28, 10, others, 28), .centered = {}});
  EXPECT_EQ(rows.covariance->diagonal(), written.covariance->diagonal());
  const auto everywhere = [](Index i, Index j) { return i == j ? -1 : varied(i, j); };
  const fs::path none = write_plink(10, 10, everywhere, 10);
  EXPECT_NE(error_of([&] {
              read_dataset({.path = none, .centered = {}, .missing = Missing::kDropRows});
            }).find("every sample has a missing genotype"),
            std::string::npos);
}

}  // namespace
}  // namespace spca::plink_test
