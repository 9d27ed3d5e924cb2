/// Tests of the scores of genotypes: those of the solved samples, and those of new samples, which
/// use the allele frequencies of the solved samples.

#include <cmath>

#include "tests/command_line.h"

namespace spca {
namespace {

class GenotypeScores : public CommandLine {
 protected:
  static constexpr int kSamples = 22;
  static constexpr int kVariants = 12;
  /// Returns the number of copies of A, or -1 if the genotype is missing.
  static int copies(int i, int j) {
    return i == 5 && j == 2 ? -1 : (i * i + i * j + (i > 10 ? j % 2 : 0)) % 3;
  }
  /// Writes the samples from `first` on. A1 is A and A2 is `other`; if `turned`, A1 and A2 of the
  /// even variants are exchanged.
  void write_plink(const std::string& stem, int first, bool turned, const char* other = "G") const {
    std::string bed("\x6c\x1b\x01", 3), bim, fam;
    for (int j = 0; j < kVariants; ++j) {
      const bool is_turned = turned && j % 2 == 0;
      bim += "1 rs" + std::to_string(j) + " 0 1 " +
             (is_turned ? std::string(other) + " A\n" : "A " + std::string(other) + "\n");
      std::string line((kSamples - first + 3) / 4, '\0');
      for (int i = first; i < kSamples; ++i) {
        const int g = copies(i, j) >= 0 && is_turned ? 2 - copies(i, j) : copies(i, j);
        const int code = g == 2 ? 0 : g == 1 ? 2 : g == 0 ? 3 : 1;
        char& byte = line[static_cast<std::size_t>((i - first) / 4)];
        byte = static_cast<char>(byte | code << (2 * ((i - first) % 4)));
      }
      bed += line;
    }
    for (int i = first; i < kSamples; ++i) {
      fam += "F p" + std::to_string(i) + " 0 0 1 -9\n";
    }
    std::ofstream(folder_ / (stem + ".bed"), std::ios::binary) << bed;
    write(stem + ".bim", bim);
    write(stem + ".fam", fam);
  }
};

TEST_F(GenotypeScores, EqualTheProductsOfStandardisedGenotypesAndLoadings) {
  write_plink("x", 0, false);
  const Finished finished =
      run("solve --data x.bed --solver tpower --cardinality 5 -o r.json --scores s.csv");
  ASSERT_EQ(finished.code, 0) << finished.err;
  const Json component = Json::parse(content(folder_ / "r.json"))["components"][0];
  std::istringstream lines(content(folder_ / "s.csv"));
  std::string line;
  std::getline(lines, line);
  for (int i = 0; i < kSamples; ++i) {
    double expected = 0;
    for (std::size_t v = 0; v < component["indices"].size(); ++v) {
      const int j = component["indices"][v];
      double sum = 0, known = 0;
      for (int s = 0; s < kSamples; ++s) {
        sum += std::max(copies(s, j), 0);
        known += copies(s, j) >= 0;
      }
      const double f = sum / known / 2;
      EXPECT_NEAR(component["means"][v].get<double>(), 2 * f, 1e-14);
      EXPECT_EQ(component["alleles"][v], "A/G");
      expected += copies(i, j) < 0 ? 0
                                   : component["values"][v].get<double>() * (copies(i, j) - 2 * f) /
                                         std::sqrt(2 * f * (1 - f));
    }
    std::getline(lines, line);
    EXPECT_EQ(line.substr(0, line.find(',')), "p" + std::to_string(i));
    EXPECT_NEAR(std::stod(line.substr(line.find(',') + 1)), expected, 1e-12);
  }
}

TEST_F(GenotypeScores, NewSamplesUseTheFrequenciesAndAllelesOfTheOldSamples) {
  write_plink("x", 0, false);
  ASSERT_EQ(
      run("solve --data x.bed --solver tpower --cardinality 5 -o r.json --scores s.csv -q").code,
      0);
  const std::string scores = content(folder_ / "s.csv");
  EXPECT_EQ(run("project r.json --data x.bed").out, scores);
  // A part of the samples has other frequencies, but its scores must be the same.
  write_plink("new", 15, true);
  std::istringstream lines(run("project r.json --data new.bed").out);
  std::string line;
  std::getline(lines, line);
  int count = 0;
  while (std::getline(lines, line)) {
    const std::size_t at = scores.find("\n" + line.substr(0, line.find(',') + 1)) + 1;
    const std::string old = scores.substr(at, scores.find('\n', at) - at);
    EXPECT_NEAR(std::stod(line.substr(line.find(',') + 1)),
                std::stod(old.substr(old.find(',') + 1)), 1e-12);
    ++count;
  }
  EXPECT_EQ(count, kSamples - 15);
}

TEST_F(GenotypeScores, VariantsAreChosenByName) {
  write_plink("x", 0, false);
  const std::string solve = "solve --data x.bed --solver exhaustive --cardinality 2 ";
  const Json chosen = run_json(solve + "--columns rs0,rs3,rs7");
  EXPECT_EQ(chosen["p"], 3);
  EXPECT_EQ(run_json(solve + "--drop 2-3,5-7,9-12")["components"][0]["values"],
            chosen["components"][0]["values"]);
  ASSERT_EQ(run(solve + "--columns rs0,rs3,rs7 -o r.json --scores s.csv").code, 0);
  EXPECT_EQ(run("project r.json --data x.bed").out, content(folder_ / "s.csv"));
  // The missing genotype belongs to a variant that is not chosen.
  EXPECT_EQ(run(solve + "--columns rs0,rs3,rs7 --missing error").code, 0);
  expect_usage_error(solve + "--missing error", {"missing genotype"});
  expect_usage_error(solve + "--columns rs0,rs99", {"no column is called \"rs99\""});
  expect_usage_error(solve + "--transpose", {"x.bed: holds genotypes", "--transpose"});
  expect_usage_error(solve + "--no-center", {"x.bed: holds genotypes", "center"});
}

TEST_F(GenotypeScores, OtherDataAreRefused) {
  write_plink("x", 0, false);
  ASSERT_EQ(run("solve --data x.bed --solver tpower --cardinality 5 -o r.json -q").code, 0);
  write_plink("other", 0, false, "T");
  const Finished other = run("project r.json --data other.bed");
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("has the alleles \"A/T\"; accepted: \"A/G\""), std::string::npos)
      << other.err;
  ASSERT_EQ(run("convert x.bed x.spca").code, 0);
  const Finished without = run("project r.json --data x.spca");
  EXPECT_EQ(without.code, 2);
  EXPECT_NE(without.err.find("which .spca does not keep"), std::string::npos) << without.err;
  write("x.csv", "rs0,rs1\n1,2\n2,4\n5,1\n");
  ASSERT_EQ(run("solve --data x.csv --solver tpower --cardinality 1 -o c.json -q").code, 0);
  expect_usage_error("project c.json --data x.bed", {"x.bed", "a result of genotypes"});
}

}  // namespace
}  // namespace spca
