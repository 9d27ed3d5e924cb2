/// Data sets: the numbers that their sources state, and the distribution of the generated ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "spca/data_sources.h"
#include "spca/dataset.h"
#include "spca/dataset_files.h"
#include "spca/eigenpairs.h"
#include "spca/embedded.h"
#include "spca/error.h"
#include "spca/readers/readers.h"
#include "spca/sha256.h"
#include "tests/dense_reference.h"
#include "tests/temporary_files.h"

namespace spca {
namespace {

/// Traces are given with eight digits.
constexpr double kPrintedTrace = 1e-7;
/// Agreement of the recipe for colon500 with the published matrix (relative Frobenius norm): the
/// intensities have 15 digits, the published matrix was computed from others with fewer.
constexpr double kRecipeAgreement = 3.75e-6;

Dataset load_from(const fs::path& folder, const std::string& name,
                  const Json& options = Json::object(), std::uint64_t seed = 1) {
  const DatasetEntry* entry = DatasetRegistry::instance().find(name);
  SPCA_CHECK(entry != nullptr, name);
  return entry->load(entry->complete_options(options, "/options"),
                     {.data_dir = folder, .seed = seed});
}

Dataset load(const std::string& name, const Json& options = Json::object(),
             std::uint64_t seed = 1) {
  return load_from(data_directory(""), name, options, seed);
}

/// Skips the test, naming the file, where a file of the data set is not at hand.
#define NEED_FILE(file)                         \
  do {                                          \
    try {                                       \
      find_data_file(data_directory(""), file); \
    } catch (const MissingData& error) {        \
      GTEST_SKIP() << error.what();             \
    }                                           \
  } while (false)

Support all_variables(const Covariance& covariance) {
  Support support;
  for (Index j = 0; j < covariance.variables(); ++j) {
    support.push_back(j);
  }
  return support;
}

Matrix whole_matrix(const Dataset& dataset) {
  return dataset.covariance->submatrix(all_variables(*dataset.covariance));
}

int number_of_classes(const Dataset& dataset) {
  return static_cast<int>(std::set<int>(dataset.labels.begin(), dataset.labels.end()).size());
}

TEST(Datasets, EveryFileInTheFolderIsRegistered) {
  std::set<std::string> stems;
  for (const auto& entry : fs::directory_iterator(fs::path(SPCA_SOURCE_DIR) / "datasets")) {
    if (entry.path().extension() == ".cpp") {
      stems.insert(entry.path().stem().string());
    }
  }
  const std::vector<std::string> names = DatasetRegistry::instance().names();
  EXPECT_EQ(stems, std::set<std::string>(names.begin(), names.end()));
}

TEST(Datasets, SourcesKnowEveryFileThatADataSetReads) {
  const Json sources = Json::parse(embedded_file("sources.json")).at("datasets");
  std::set<std::string> known;  // colon500 shares files with colon
  for (const auto& [name, source] : sources.items()) {
    for (const Json& file : source.at("files")) {
      known.insert(file.at("name").get<std::string>());
    }
  }
  for (const std::string& name : DatasetRegistry::instance().names()) {
    for (const std::string& file : DatasetRegistry::instance().find(name)->traits.files) {
      EXPECT_TRUE(known.contains(file)) << file;
    }
  }
}

TEST(Datasets, FilesAtHandHaveTheChecksumsOfTheSources) {
  const Json sources = Json::parse(embedded_file("sources.json")).at("datasets");
  int count = 0;
  for (const auto& [name, source] : sources.items()) {
    for (const Json& file : source.at("files")) {
      const fs::path path = data_directory("") / file.at("name").get<std::string>();
      if (fs::exists(path) && !file.contains("unverified")) {
        EXPECT_EQ(sha256_of_file(path), file.at("sha256").get<std::string>()) << path;
        ++count;
      }
    }
  }
  if (count == 0) {
    GTEST_SKIP() << "no data file in " << data_directory("");
  }
}

TEST(Datasets, AMissingFileSaysWhereItIsLookedForAndHowToNameAnotherFolder) {
  try {
    find_data_file("/nonexistent/folder", "kos/docword.kos.txt.gz");
    FAIL() << "no error";
  } catch (const MissingData& error) {
    const std::string message = error.what();
    for (const std::string part :
         {"kos/docword.kos.txt.gz", "kos/docword.kos.txt)", "/nonexistent/folder", "does not exist",
          "`spca fetch kos` gets it", "--data-dir", "SPCA_DATA_DIR", "datasets/sources.json"}) {
      EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks: " << part;
    }
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

TEST(Datasets, AMissingFileThatNoAddressGivesAsItIsIsNotPromised) {
  try {
    find_data_file("/nonexistent/folder", "colon/cov500.csv.gz");
    FAIL() << "no error";
  } catch (const MissingData& error) {
    EXPECT_EQ(std::string(error.what()).find("spca fetch"), std::string::npos) << error.what();
  }
}

TEST(Datasets, WhatAnAddressGivesIsReadInPlaceOfTheFile) {
  for (const DataSource& source : built_in_data_sources()) {
    for (const SourceFile& file : source.files) {
      if (!file.as_published.name.empty()) {
        EXPECT_EQ(file.as_published.name + ".gz", file.file.name);
        EXPECT_FALSE(file.derived.empty()) << file.file.name;
      }
    }
  }
}

TEST(Datasets, HaveTheShapeThatTheSourcesState) {
  for (const DataSource& source : built_in_data_sources()) {
    const DatasetEntry* entry = DatasetRegistry::instance().find(source.name);
    ASSERT_NE(entry, nullptr) << source.name;
    try {
      const Dataset dataset = load(source.name);
      EXPECT_EQ(dataset.covariance->variables(), source.shape.at(1)) << source.name;
    } catch (const MissingData&) {
    }
  }
}

TEST(Datasets, AFileWhoseBytesNobodyKnowsIsNotPromised) {
  const DataSource* source = source_with_download("nytimes/docword.nytimes.txt.gz");
  EXPECT_EQ(source, nullptr);
  for (const DataSource& known : built_in_data_sources()) {
    for (const SourceFile& file : known.files) {
      EXPECT_EQ(file.file.sha256.empty(), !file.unverified.empty()) << file.file.name;
    }
  }
}

TEST(Datasets, AFileIsFoundPlainOrGzipped) {
  const fs::path folder = fs::temp_directory_path() / "spca_datasets_test";
  fs::create_directories(folder / "a");
  std::ofstream(folder / "a/plain.txt") << "1\n";
  std::ofstream(folder / "a/packed.txt.gz") << "1\n";
  EXPECT_EQ(find_data_file(folder, "a/plain.txt.gz"), folder / "a/plain.txt");
  EXPECT_EQ(find_data_file(folder, "a/packed.txt"), folder / "a/packed.txt.gz");
  fs::remove_all(folder);
}

TEST(Datasets, TheDataFolderIsTheOptionElseTheVariableElseTheCache) {
  const char* before = std::getenv("SPCA_DATA_DIR");
  const std::string kept = before != nullptr ? before : "";
  setenv("SPCA_DATA_DIR", "/from/variable", 1);
  EXPECT_EQ(data_directory("/from/option"), "/from/option");
  EXPECT_EQ(data_directory(""), "/from/variable");
  unsetenv("SPCA_DATA_DIR");
  setenv("XDG_CACHE_HOME", "/from/cache", 1);
  EXPECT_EQ(data_directory(""), "/from/cache/spca");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_TRUE(data_directory("").string().ends_with(".cache/spca"));
  if (before != nullptr) {
    setenv("SPCA_DATA_DIR", kept.c_str(), 1);
  }
}

TEST(Pitprops, IsBuiltInAndEqualsThePublishedFile) {
  const Dataset dataset = load("pitprops");
  EXPECT_EQ(dataset.covariance->variables(), 13);
  EXPECT_EQ(dataset.covariance->trace(), 13);
  NEED_FILE("pitprops/pitprops_corr_13x13.csv");
  const FileContent file =
      read_file(find_data_file(data_directory(""), "pitprops/pitprops_corr_13x13.csv"));
  EXPECT_EQ(whole_matrix(dataset), file.dense);
  EXPECT_EQ(dataset.variable_names, file.variable_names);
}

TEST(Spiked, HasTheCovarianceThatItIsDrawnFrom) {
  constexpr Index kSamples = 20'000;
  constexpr Index kVariables = 30;
  const Dataset dataset =
      load("spiked", {{"samples", kSamples}, {"variables", kVariables}, {"cardinality", 5}});
  ASSERT_EQ(dataset.truth.size(), 2U);
  EXPECT_EQ(dataset.truth[0].support, (Support{0, 1, 2, 3, 4}));
  EXPECT_EQ(dataset.truth[1].support, (Support{5, 6, 7, 8, 9}));
  Matrix v = Matrix::Zero(kVariables, 2);
  for (Index j = 0; j < 2; ++j) {
    const Component& truth = dataset.truth[static_cast<std::size_t>(j)];
    EXPECT_NEAR(truth.values.norm(), 1, 1e-15);
    v(truth.support, j) = truth.values;
  }
  Matrix sigma = 400 * v.col(0) * v.col(0).transpose() + 300 * v.col(1) * v.col(1).transpose();
  sigma += Matrix::Identity(kVariables, kVariables) - v * v.transpose();
  const Matrix sample = whole_matrix(dataset);
  // Six standard errors of an entry of a sample covariance, as its own row says:
  // var(S_ij) = (sigma_ii sigma_jj + sigma_ij^2) / n.
  for (Index i = 0; i < kVariables; ++i) {
    for (Index j = 0; j < kVariables; ++j) {
      const double variance = sigma(i, i) * sigma(j, j) + sigma(i, j) * sigma(i, j);
      EXPECT_NEAR(sample(i, j), sigma(i, j), 6 * std::sqrt(variance / kSamples)) << i << " " << j;
    }
  }
  // Along v1 there is nothing but its own score.
  EXPECT_NEAR(dataset.covariance->quadratic_form(dataset.truth[0]), 400,
              6 * 400 * std::sqrt(2.0 / kSamples));
}

TEST(Spiked, GivesTheSameDataForTheSameSeedAndOthersForAnother) {
  const auto diagonal = [](std::uint64_t seed) {
    return Vector(load("spiked", Json::object(), seed).covariance->diagonal());
  };
  EXPECT_EQ(diagonal(7), diagonal(7));
  EXPECT_NE(diagonal(7), diagonal(8));
  EXPECT_EQ(diagonal(7).size(), 500);
}

TEST(Spiked, SupportsThatCannotBeDisjointAreAnError) {
  try {
    load("spiked", {{"variables", 15}});
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("/options/cardinality: 10"), std::string::npos);
  }
}

TEST(Gaussian, HasColumnsOfLengthNearOne) {
  const Dataset dataset = load("gaussian", {{"samples", 4000}, {"variables", 200}});
  EXPECT_EQ(dataset.covariance->samples(), 4000);
  // n S_jj is chi-squared with n degrees of freedom; their mean over p = 200 is within six errors.
  EXPECT_NEAR(dataset.covariance->trace() / 200, 1, 6 * std::sqrt(2.0 / 4000 / 200));
}

TEST(PowerLaw, HasTheSpectrumThatIsAskedFor) {
  for (const Index eigenvalues : {0, 7, 1}) {
    const Dataset dataset =
        load("power-law", {{"variables", 12}, {"exponent", 1.5}, {"eigenvalues", eigenvalues}}, 3);
    const Index positive = eigenvalues == 0 ? 12 : eigenvalues;
    EXPECT_EQ(dataset.covariance->samples(), positive);
    const Vector values = leading_eigenpairs(*dataset.covariance, 12).values;
    for (Index i = 0; i < 12; ++i) {
      EXPECT_NEAR(values[i], i < positive ? std::pow(static_cast<double>(i + 1), -1.5) : 0, 1e-14);
    }
  }
}

/// The k-th entry of the diagonal is then the squared k-th entry of a vector that is uniform on the
/// sphere: of mean 1/p and variance 2 (p - 1) / (p^2 (p + 2)).
TEST(PowerLaw, HasEigenvectorsWithoutAPreferredDirection) {
  constexpr Index kVariables = 4;
  constexpr int kDraws = 2000;
  Vector sum = Vector::Zero(kVariables);
  for (int seed = 1; seed <= kDraws; ++seed) {
    sum += load("power-law", {{"variables", kVariables}, {"eigenvalues", 1}},
                static_cast<std::uint64_t>(seed))
               .covariance->diagonal();
  }
  constexpr double kVariance =
      2.0 * (kVariables - 1) / (kVariables * kVariables * (kVariables + 2));
  for (const double entry : sum) {
    EXPECT_NEAR(entry / kDraws, 1.0 / kVariables, 6 * std::sqrt(kVariance / kDraws));
  }
}

TEST(PowerLaw, MoreEigenvaluesThanVariablesAreAnError) {
  EXPECT_THROW(load("power-law", {{"variables", 5}, {"eigenvalues", 6}}), InputError);
}

TEST(ThreeByTwo, HasRankTwo) {
  const Dataset dataset = load("three-by-two");
  const Vector values = leading_eigenpairs(*dataset.covariance, 3).values;
  EXPECT_NEAR(dataset.covariance->trace(), 3.11, 1e-15);
  EXPECT_NEAR(values[2], 0, 1e-15);
  EXPECT_GT(values[1], 0.5);
}

TEST(LowerBound, HasOneDirectionForEachBlock) {
  constexpr double kAlpha = 0.5;
  const Dataset dataset = load("lower-bound", {{"variables", 6}, {"blocks", 2}, {"alpha", kAlpha}});
  EXPECT_EQ(dataset.covariance->samples(), 8);
  Matrix expected = kAlpha * kAlpha * Matrix::Identity(6, 6);
  expected.topLeftCorner(3, 3).array() += 1;
  expected.bottomRightCorner(3, 3).array() += 1;
  EXPECT_LT((whole_matrix(dataset) - expected).norm(), 1e-14);  // rounding
  EXPECT_THROW(load("lower-bound", {{"variables", 7}, {"blocks", 2}}), InputError);
  EXPECT_THROW(load("lower-bound", {{"variables", 3}, {"blocks", 3}}), InputError);
}

TEST(LowerBound, ColumnsOfABlockLoseWhatTheHeaderSays) {
  // By brute force: the residual of all columns after the first rho are projected out.
  constexpr Index kWidth = 12;
  constexpr double kAlpha = 0.3;
  const Matrix s =
      whole_matrix(load("lower-bound", {{"variables", kWidth}, {"blocks", 1}, {"alpha", kAlpha}}));
  const double square = kAlpha * kAlpha;
  for (Index rho = 1; rho < kWidth; ++rho) {
    const Matrix chosen = s.topLeftCorner(rho, rho);
    const Matrix others = s.topRightCorner(rho, kWidth - rho);
    const double loss = s.bottomRightCorner(kWidth - rho, kWidth - rho).trace() -
                        (others.transpose() * pseudo_inverse(chosen) * others).trace();
    const double stated =
        static_cast<double>(kWidth - rho) * (square + square / (static_cast<double>(rho) + square));
    EXPECT_NEAR(loss, stated, 1e-10);  // rounding, at a condition of about 100
  }
}

TEST(Colon, HasItsShapeItsGenesAndThePublishedMatrix) {
  NEED_FILE("colon/colon_62x2000.csv.gz");
  NEED_FILE("colon/cov500.csv.gz");
  const Dataset colon = load("colon");
  EXPECT_EQ(colon.covariance->samples(), 62);
  EXPECT_EQ(colon.covariance->variables(), 2000);
  ASSERT_EQ(colon.variable_names.size(), 2000U);
  EXPECT_EQ(colon.variable_names[0], "Hsa.3004");
  const Dataset published = load("colon500");
  EXPECT_NEAR(published.covariance->trace(), 34694.333, 34694.333 * kPrintedTrace);
  const Dataset computed = load("colon500", {{"source", "raw"}});
  EXPECT_EQ(computed.variable_names, published.variable_names);
  EXPECT_EQ(published.variable_names.size(), 500U);
  const Matrix expected = whole_matrix(published);
  EXPECT_LT((whole_matrix(computed) - expected).norm(), kRecipeAgreement * expected.norm());
}

TEST(Lymphoma, HasItsShapeAndThePublishedTrace) {
  NEED_FILE("lymphoma/lymphoma_96x4026.csv.gz");
  NEED_FILE("lymphoma/cov500.csv.gz");
  EXPECT_EQ(load("lymphoma").covariance->variables(), 4026);
  EXPECT_EQ(load("lymphoma").covariance->samples(), 96);
  EXPECT_NEAR(load("lymphoma500").covariance->trace(), 105991.55, 105991.55 * kPrintedTrace);
}

TEST(Leukemia, IsCentredAndNamesItsProbeSets) {
  NEED_FILE("leukemia/mll_72x12582.csv.gz");
  const Dataset dataset = load("leukemia");
  EXPECT_EQ(dataset.covariance->samples(), 72);
  EXPECT_EQ(dataset.covariance->variables(), 12582);
  EXPECT_EQ(dataset.variable_names[0], "AFFX-MurIL2_at");
  Matrix data = read_file(find_data_file(data_directory(""), "leukemia/mll_72x12582.csv.gz")).dense;
  data.rowwise() -= data.colwise().mean().eval();
  const double trace = data.squaredNorm() / 72;
  EXPECT_NEAR(dataset.covariance->trace(), trace, 1e-12 * trace);  // rounding of a sum
}

/// Six of them, of the centred counts.
std::vector<std::string> words_of_largest_variance(const std::string& file) {
  const Dataset dataset =
      read_dataset({.path = find_data_file(data_directory(""), file), .centered = true});
  const Vector& variances = dataset.covariance->diagonal();
  Support order = all_variables(*dataset.covariance);
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return variances[a] > variances[b]; });
  std::vector<std::string> words;
  for (std::size_t i = 0; i < 6; ++i) {
    words.push_back(dataset.variable_names[static_cast<std::size_t>(order[i])]);
  }
  return words;
}

TEST(BagOfWords, KosAndNipsHaveTheirNumbersAndWords) {
  NEED_FILE("kos/docword.kos.txt.gz");
  NEED_FILE("nips/docword.nips.txt.gz");
  const auto rows = [](const std::string& file) {
    return std::move(read_file(find_data_file(data_directory(""), file)).sparse);
  };
  const auto kos_rows = rows("kos/docword.kos.txt.gz");
  const auto nips_rows = rows("nips/docword.nips.txt.gz");
  EXPECT_EQ(kos_rows->nonZeros(), 353160);
  EXPECT_EQ(nips_rows->nonZeros(), 746316);
  EXPECT_EQ(kos_rows->sum(), 467714);  // tokens
  EXPECT_EQ(nips_rows->sum(), 1932365);
  const Dataset kos = load("kos");
  const Dataset nips = load("nips");
  EXPECT_EQ(kos.covariance->samples(), 3430);
  EXPECT_EQ(kos.covariance->variables(), 6906);
  EXPECT_EQ(nips.covariance->samples(), 1500);
  EXPECT_EQ(nips.covariance->variables(), 12419);
  // Not centred: the mean square, not the variance.
  EXPECT_NEAR(kos.covariance->trace(), kos_rows->squaredNorm() / 3430,
              1e-12 * kos.covariance->trace());
  EXPECT_EQ(words_of_largest_variance("kos/docword.kos.txt.gz"),
            (std::vector<std::string>{"november", "bush", "kerry", "dean", "iraq", "percent"}));
  EXPECT_EQ(
      words_of_largest_variance("nips/docword.nips.txt.gz"),
      (std::vector<std::string>{"network", "model", "learning", "unit", "function", "neuron"}));
}

class DatasetFiles : public TemporaryFiles {
 protected:
  void put(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    write(name, text);
  }
};

TEST_F(DatasetFiles, EnronNytimesAndPubmedAreReadAsKosIs) {
  // The collections themselves are large and not at hand: three documents of four words.
  for (const std::string name : {"enron", "nytimes", "pubmed"}) {
    put(name + "/docword." + name + ".txt", "3\n4\n4\n1 1 2\n1 3 1\n2 3 5\n3 4 1\n");
    put(name + "/vocab." + name + ".txt", "alpha\nbeta\ngamma\ndelta\n");
    const Dataset dataset = load_from(folder_, name);
    EXPECT_EQ(dataset.covariance->samples(), 3);
    Matrix expected = Matrix::Zero(4, 4);  // of the counts, not centred
    expected(0, 0) = 4;
    expected(0, 2) = expected(2, 0) = 2;
    expected(2, 2) = 26;
    expected(3, 3) = 1;
    EXPECT_LT((whole_matrix(dataset) - expected / 3).norm(), 1e-15) << name;  // rounding
    EXPECT_EQ(dataset.variable_names[2], "gamma");
    EXPECT_EQ(load_from(folder_, name, {{"minimum_count", 2}}).covariance->variables(), 2);
  }
}

TEST(BagOfWords, CollectionsOfNewsGroupsHaveTheirNumbersAndClasses) {
  NEED_FILE("20news/docword.20news.txt.gz");
  NEED_FILE("basehock/docword.basehock.txt.gz");
  NEED_FILE("pcmac/docword.pcmac.txt.gz");
  NEED_FILE("relathe/docword.relathe.txt.gz");
  const Dataset news = load("20news");
  EXPECT_EQ(news.covariance->samples(), 18846);
  EXPECT_EQ(news.covariance->variables(), 19776);
  EXPECT_EQ(number_of_classes(news), 20);
  EXPECT_EQ(std::count(news.labels.begin(), news.labels.end(), 0), 799);  // alt.atheism
  Index largest = 0;
  news.covariance->diagonal().maxCoeff(&largest);
  EXPECT_EQ(news.variable_names[static_cast<std::size_t>(largest)], "max");
  for (const auto& [name, samples, variables] :
       {std::tuple("basehock", 1993, 4862), std::tuple("pcmac", 1943, 3289),
        std::tuple("relathe", 1427, 4322)}) {
    const Dataset dataset = load(name);
    EXPECT_EQ(dataset.covariance->samples(), samples) << name;
    EXPECT_EQ(dataset.covariance->variables(), variables) << name;
    EXPECT_EQ(number_of_classes(dataset), 2) << name;
  }
}

TEST_F(DatasetFiles, LabelsAreNumbersOrWordsInTheOrderOfTheAlphabet) {
  put("arcene/arcene_train.data", "1 2 \n3 4 \n5 7 \n");
  const auto labels = [this](const std::string& text) {
    put("arcene/arcene_train.labels", text);
    return load_from(folder_, "arcene").labels;
  };
  EXPECT_TRUE(load_from(folder_, "arcene").labels.empty());
  EXPECT_EQ(labels("1\n-1\n1\n"), (std::vector<int>{1, -1, 1}));
  EXPECT_EQ(labels("label\nspam\nemail\nspam\n"), (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(labels("number,label\n7,2\n8,1\n9,1\n"), (std::vector<int>{2, 1, 1}));
  for (const auto& [text, found] :
       {std::pair("1\n-1\n", "found 2 classes; accepted: 3"),
        std::pair("1\n1\n1\n", "found the class 1 only; accepted: two classes or more"),
        std::pair("a,b\n1,2\n", "accepted: one that is called label")}) {
    try {
      labels(text);
      FAIL() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(found), std::string::npos) << error.what();
    }
  }
}

TEST(DataFiles, HaveTheirShapesAndClasses) {
  struct Expected {
    const char* name;
    Index samples;
    Index variables;
    int classes;
    int first_class;
    Index count_of_first;
  };
  for (const Expected& expected :
       {Expected{"arcene", 100, 10000, 2, 1, 44}, Expected{"isolet5", 1559, 617, 26, 0, 60},
        Expected{"mfeat_pix", 2000, 240, 10, 0, 200}, Expected{"madelon", 2000, 500, 2, -1, 1000},
        Expected{"usps", 1561, 256, 2, 5, 556}, Expected{"spambase", 4601, 57, 2, 1, 1813},
        Expected{"secom", 392, 590, 2, -1, 366}, Expected{"colon", 62, 2000, 2, 1, 40},
        Expected{"lymphoma", 96, 4026, 9, 1, 46}, Expected{"leukemia", 72, 12582, 3, 0, 24},
        Expected{"wine", 178, 13, 3, 0, 59}}) {
    for (const std::string& file : DatasetRegistry::instance().find(expected.name)->traits.files) {
      NEED_FILE(file);
    }
    const Dataset dataset = load(expected.name);
    EXPECT_EQ(dataset.covariance->samples(), expected.samples) << expected.name;
    EXPECT_EQ(dataset.covariance->variables(), expected.variables) << expected.name;
    EXPECT_EQ(number_of_classes(dataset), expected.classes) << expected.name;
    EXPECT_EQ(dataset.labels.at(0), expected.first_class) << expected.name;
    EXPECT_EQ(std::count(dataset.labels.begin(), dataset.labels.end(), expected.first_class),
              expected.count_of_first)
        << expected.name;
  }
}

TEST(DataFiles, MayBeTakenWithoutCentring) {
  NEED_FILE("madelon/madelon_train_2000x500.csv.gz");
  const Matrix data =
      read_file(find_data_file(data_directory(""), "madelon/madelon_train_2000x500.csv.gz")).dense;
  const double square = data.squaredNorm() / 2000;
  EXPECT_NEAR(load("madelon", {{"centered", false}}).covariance->trace(), square, 1e-12 * square);
  const double variance = (data.rowwise() - data.colwise().mean()).squaredNorm() / 2000;
  EXPECT_NEAR(load("madelon").covariance->trace(), variance, 1e-10 * variance);  // cancellation
}

TEST(Cbcl, HasGreyLevelsUpToOne) {
  NEED_FILE("cbcl/cbcl_faces_2429x361_x256.csv.gz");
  const Dataset dataset = load("cbcl");
  EXPECT_EQ(dataset.covariance->samples(), 2429);
  EXPECT_EQ(dataset.covariance->variables(), 361);
  // A variance of numbers in an interval of length one is at most a quarter.
  EXPECT_LE(dataset.covariance->diagonal().maxCoeff(), 0.25);
  EXPECT_GT(dataset.covariance->diagonal().minCoeff(), 0.01);
}

TEST(Usps, GivesTheDigitsAskedFor) {
  NEED_FILE("usps/zip_train_7291x256.csv.gz");
  NEED_FILE("usps/labels_train.csv");
  const Dataset one = load("usps", {{"digits", 1}});
  EXPECT_EQ(one.covariance->samples(), 1005);
  EXPECT_TRUE(one.labels.empty());  // one class is none
  EXPECT_EQ(load("usps", {{"digits", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}}).covariance->samples(), 7291);
  EXPECT_THROW(load("usps", {{"digits", 0.5}}), InputError);
}

TEST_F(DatasetFiles, SecomFillsGapsByWhatTheSensorMeasured) {
  put("secom/secom_392x590_subset.csv", "f0,f1,f2\n1,NaN,5\n2,NaN,5\nNaN,NaN,5\n6,NaN,5\n");
  // Without labels there are no classes.
  EXPECT_TRUE(load_from(folder_, "secom").labels.empty());
  // By the median 2: 1, 2, 2, 6 with mean 2.75; by the mean 3: 1, 2, 3, 6 with mean 3.
  const Matrix by_median = whole_matrix(load_from(folder_, "secom"));
  const Matrix by_mean = whole_matrix(load_from(folder_, "secom", {{"missing", "mean"}}));
  EXPECT_NEAR(by_median(0, 0), (1 + 4 + 4 + 36) / 4.0 - 2.75 * 2.75, 1e-15);
  EXPECT_NEAR(by_mean(0, 0), (4 + 1 + 0 + 9) / 4.0, 1e-15);
  EXPECT_EQ(by_median.bottomRightCorner(2, 2), Matrix::Zero(2, 2));  // no values, and one value
  put("secom/secom_392x590_subset.csv", "f0,f1\n1,2\n2,x\n");
  EXPECT_THROW(load_from(folder_, "secom"), InputError);
}

/// The words of experiments/bipart/printed-topics.csv by table, method and topic.
std::map<std::string, std::vector<std::vector<std::string>>> printed_topics() {
  std::map<std::string, std::vector<std::vector<std::string>>> topics;
  const auto lines =
      read_csv_words(fs::path(SPCA_SOURCE_DIR) / "experiments/bipart/printed-topics.csv");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    auto& some = topics[lines[i][0] + " " + lines[i][3]];
    some.resize(8);
    some.at(std::stoul(lines[i][4]) - 1).push_back(lines[i][6]);
  }
  return topics;
}

TEST(PrintedTopics, AreEightListsThatShareNoWord) {
  const auto topics = printed_topics();
  EXPECT_EQ(topics.size(), 12U);  // four tables of three methods
  for (const auto& [name, lists] : topics) {
    std::set<std::string> words;
    for (const auto& list : lists) {
      EXPECT_EQ(list.size(), name[0] == '6' ? 15U : name[0] == '7' ? 20U : 10U) << name;
      words.insert(list.begin(), list.end());
    }
    EXPECT_EQ(words.size(), 8 * lists[0].size()) << name;
  }
}

TEST(PrintedTopics, OfNipsHaveThePrintedVarianceOnOurData) {
  NEED_FILE("nips/docword.nips.txt.gz");
  const Dataset nips = load("nips");
  const auto topics = printed_topics();
  const auto variance = [&](const std::string& name) {
    double sum = 0;
    for (const auto& list : topics.at(name)) {
      Support support;
      for (const std::string& word : list) {
        const auto at = std::find(nips.variable_names.begin(), nips.variable_names.end(), word);
        EXPECT_NE(at, nips.variable_names.end()) << word;
        support.push_back(at - nips.variable_names.begin());
      }
      std::sort(support.begin(), support.end());
      sum += best_on_support(*nips.covariance, support).value;
    }
    return sum;
  };
  // Half a unit of the last digit printed. For SpanSPCA 2.5981e3 is printed, which is of loadings
  // that are best on the sketch; on these words 2603.3 is possible.
  EXPECT_NEAR(variance("4 TPower"), 2599.9, 0.05);
  EXPECT_NEAR(variance("4 SPCABiPart"), 3209.0, 0.05);
  EXPECT_NEAR(variance("4 SpanSPCA"), 2603.27, 0.005);
}

TEST(PublishedMatrices, HaveTheirTraces) {
  NEED_FILE("eisen1/eisen1_cov.csv.gz");
  NEED_FILE("communities/communities_corr_101.csv.gz");
  NEED_FILE("arrhythmia/arrhythmia_corr_257.csv.gz");
  NEED_FILE("miniboone/miniboone_corr_50.csv.gz");
  EXPECT_NEAR(load("eisen1").covariance->trace(), 34.855523, 34.855523 * kPrintedTrace);
  EXPECT_NEAR(load("communities").covariance->trace(), 101, 1e-9);
  EXPECT_NEAR(load("communities", {{"matrix", "covariance"}}).covariance->trace(), 4.0590275,
              4.0590275 * kPrintedTrace);
  EXPECT_NEAR(load("arrhythmia").covariance->trace(), 257, 1e-9);
  EXPECT_NEAR(load("arrhythmia", {{"matrix", "covariance"}}).covariance->trace(), 35977.99, 0.005);
  EXPECT_NEAR(load("miniboone").covariance->trace(), 50, 1e-9);
  // 1.96917e9 is printed.
  EXPECT_NEAR(load("miniboone", {{"matrix", "covariance"}}).covariance->trace(), 1.96917e9, 5e3);
}

TEST(Wine, HasUnitVariancesOrTheSampleCovariance) {
  NEED_FILE("wine/wine_178x13.csv");
  const Dataset correlation = load("wine");
  EXPECT_NEAR((correlation.covariance->diagonal() - Vector::Ones(13)).norm(), 0, 1e-12);
  EXPECT_EQ(correlation.variable_names[0], "Alcohol");
  EXPECT_EQ(correlation.covariance->samples(), 178);
  const Matrix covariance = whole_matrix(load("wine", {{"matrix", "covariance"}}));
  const Vector deviations = covariance.diagonal().cwiseSqrt();
  const Matrix scaled =
      deviations.cwiseInverse().asDiagonal() * covariance * deviations.cwiseInverse().asDiagonal();
  EXPECT_NEAR((whole_matrix(correlation) - scaled).norm(), 0, 1e-12);  // rounding
}

}  // namespace
}  // namespace spca
