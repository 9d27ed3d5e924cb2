/// PLINK's binary genotypes: the example of its own documentation, written out, and the message for
/// each way in which the three files can be wrong.

#include <gtest/gtest.h>

#include <cmath>

#include "spca/data/readers/read_dataset.h"
#include "spca/data/readers/readers.h"
#include "tests/temporary_files.h"

namespace spca::plink_test {
namespace {

class Plink : public TemporaryFiles {
 protected:
  /// test.ped and test.map of PLINK's description of .bed: six samples, three variants.
  ///
  ///   snp1  G/G  -/-  A/A  -/-  -/-  G/G... as the bytes dc, e7, 0f, 6b, 01 say
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
  // Copies of A1, -1 where missing. dc = 11 01 11 00 from the last sample to the first, 0f = 11 11.
  const int copies[3][6] = {{2, 0, -1, 0, 0, 0}, {0, -1, 1, 0, 0, 0}, {0, 1, 1, -1, -1, 2}};
  const int of_code[4] = {2, -1, 1, 0};
  for (Index j = 0; j < 3; ++j) {
    for (Index i = 0; i < 6; ++i) {
      const unsigned code = (unsigned{content.genotypes->variant(j)[i / 4]} >> (2 * (i % 4))) & 3U;
      EXPECT_EQ(of_code[code], copies[j][i]) << j << " " << i;
    }
  }
}

TEST_F(Plink, IsStandardisedByAlleleFrequenciesWithTheMeanForWhatIsMissing) {
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

}  // namespace
}  // namespace spca::plink_test
