/// Data sets that are read from files: the numbers that their sources state.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "harness/experiments/experiment_identity.h"
#include "spca/data/data_folder.h"
#include "spca/data/files/dataset_files.h"
#include "spca/data/files/read_dataset.h"
#include "spca/data/readers/csv.h"
#include "spca/data/readers/read_file.h"
#include "spca/spectrum/eigenpairs.h"
#include "tests/dataset_testing.h"
#include "tests/temporary_files.h"

namespace spca::published_data_test {
namespace {

using namespace trial;

/// Traces are given with eight digits.
constexpr double kPrintedTrace = 1e-7;
/// Agreement of the recipe for colon500 with the published matrix (relative Frobenius norm). The
/// intensities have 15 digits; the published matrix was computed from intensities with fewer.
constexpr double kRecipeAgreement = 3.75e-6;

int number_of_classes(const Dataset& dataset) {
  return static_cast<int>(std::set<int>(dataset.labels.begin(), dataset.labels.end()).size());
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
  EXPECT_NEAR(published.covariance->total_variance(), 34694.333, 34694.333 * kPrintedTrace);
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
  EXPECT_NEAR(load("lymphoma500").covariance->total_variance(), 105991.55,
              105991.55 * kPrintedTrace);
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
  EXPECT_NEAR(dataset.covariance->total_variance(), trace, 1e-12 * trace);  // rounding of a sum
}

/// Returns the six words whose counts, centred, have the largest variance.
std::vector<std::string> words_of_largest_variance(const std::string& file) {
  const Dataset dataset =
      read_dataset({.path = find_data_file(data_directory(""), file), .centered = true});
  const Vector& variances = dataset.covariance->diagonal();
  Support order = all_variables(dataset.covariance->variables());
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
  EXPECT_NEAR(kos.covariance->total_variance(), kos_rows->squaredNorm() / 3430,
              1e-12 * kos.covariance->total_variance());
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
  // The collections themselves are large and may be missing. The files here have three documents
  // and a vocabulary of four words.
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
  EXPECT_NEAR(load("madelon", {{"centered", false}}).covariance->total_variance(), square,
              1e-12 * square);
  const double variance = (data.rowwise() - data.colwise().mean()).squaredNorm() / 2000;
  EXPECT_NEAR(load("madelon").covariance->total_variance(), variance,
              1e-10 * variance);  // cancellation
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

/// Two images: a plane 100 + 2 row - column, and the same with one pixel 30 brighter.
class CbclImages : public DatasetFiles {
 protected:
  static constexpr int kSide = 19;
  static constexpr int kPixels = kSide * kSide;
  void SetUp() override {
    std::string header;
    std::string first;
    std::string second;
    for (int i = 0; i < kPixels; ++i) {
      const int grey = 100 + 2 * (i % kSide) - i / kSide;
      const std::string end = i + 1 == kPixels ? "\n" : ",";
      header += "p" + std::to_string(i + 1) + end;
      first += std::to_string(grey) + end;
      second += std::to_string(grey + (i == 180 ? 30 : 0)) + end;  // 180 is the middle
    }
    put("cbcl/cbcl_faces_2429x361_x256.csv", header + first + second);
  }
  Vector variances(const Json& options) const {
    return load_from(folder_, "cbcl", options).covariance->diagonal();
  }
};

TEST_F(CbclImages, ArePreparedAsAskedFor) {
  // Two values a and b have the variance (a - b)^2 / 4.
  const double pixel = 30.0 / 256;
  EXPECT_NEAR(variances(Json::object())[180], pixel * pixel / 4, 1e-12);
  EXPECT_NEAR(variances(Json::object())[0], 0, 1e-12);
  // The plane takes 1/361 of the middle pixel's 30 from every pixel.
  const double left = pixel * (1 - 1.0 / kPixels);
  EXPECT_NEAR(variances({{"plane", true}})[180], left * left / 4, 1e-12);
  EXPECT_NEAR(variances({{"plane", true}})[0], std::pow(pixel / kPixels, 2) / 4, 1e-12);
  // Rounding to grey levels gives 30 there again, and zero elsewhere.
  EXPECT_NEAR(variances({{"plane", true}, {"round", true}})[180], pixel * pixel / 4, 1e-12);
  EXPECT_NEAR(variances({{"plane", true}, {"round", true}})[0], 0, 1e-12);
  EXPECT_NEAR(variances({{"plane", true}, {"round", true}, {"image", "min-max"}})[180], 0.25,
              1e-12);
  // Grey levels 82 to 136 become 0 to 1, so the middle, 109, becomes one half. In the second image
  // it is 139, the brightest.
  EXPECT_NEAR(variances({{"image", "min-max"}})[180], 0.25 / 4, 1e-12);
  // In the plane the variance is 4 * 30 + 30 and the middle is its mean. 30 at one of 361 pixels
  // raises the mean by 30 / 361, and the variance by 30^2 (1/361 - 1/361^2).
  const double share = 1.0 / kPixels;
  const double deviation = std::sqrt(150 + 900 * (share - share * share));
  EXPECT_NEAR(variances({{"image", "unit-variance"}})[180],
              std::pow(30 * (1 - share) / deviation, 2) / 4, 1e-12);
  EXPECT_LT(variances({{"image", "unit-norm"}})[180], variances({{"image", "unit-variance"}})[180]);
  // "lee-seung" has a quarter of the deviation of "unit-variance" if nothing is cut.
  EXPECT_NEAR(variances({{"image", "lee-seung"}})[180],
              variances({{"image", "unit-variance"}})[180] / 16, 1e-12);
  // The middle becomes the share of the pixels that are no brighter; in the second image that is 1.
  int no_brighter = 0;
  for (int i = 0; i < kPixels; ++i) {
    no_brighter += 2 * (i % kSide) - i / kSide <= 9 ? 1 : 0;
  }
  EXPECT_NEAR(variances({{"equalise", true}})[180], std::pow(1 - no_brighter * share, 2) / 4,
              1e-12);
  EXPECT_NEAR(variances({{"image", "none"}, {"pixel", "min-max"}})[180], 0.25, 1e-12);
}

TEST(Usps, GivesTheDigitsAskedFor) {
  NEED_FILE("usps/zip_train_7291x256.csv.gz");
  NEED_FILE("usps/labels_train.csv");
  const Dataset one = load("usps", {{"digits", 1}});
  EXPECT_EQ(one.covariance->samples(), 1005);
  EXPECT_TRUE(one.labels.empty());  // a single class gives no labels
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
  EXPECT_EQ(by_median.bottomRightCorner(2, 2), Matrix::Zero(2, 2));  // no values; equal values
  put("secom/secom_392x590_subset.csv", "f0,f1\n1,2\n2,x\n");
  EXPECT_THROW(load_from(folder_, "secom"), InputError);
}

/// The words of experiments/bipart/printed-topics.csv by table, method and topic.
std::map<std::string, std::vector<std::vector<std::string>>> printed_topics() {
  std::map<std::string, std::vector<std::vector<std::string>>> topics;
  const auto rows =
      read_csv_rows(fs::path(SPCA_SOURCE_DIR) / "experiments/bipart/printed-topics.csv");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::vector<std::string>& fields = rows[i].fields;
    auto& some = topics[fields[0] + " " + fields[3]];
    some.resize(8);
    some.at(std::stoul(fields[4]) - 1).push_back(fields[6]);
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

/// The data set nips-topics has the words of the file as its truth.
TEST(PrintedTopics, OfNipsAreTheTruthOfADataSet) {
  NEED_FILE("nips/docword.nips.txt.gz");
  const auto topics = printed_topics();
  for (const char* method : {"TPower", "SpanSPCA", "SPCABiPart"}) {
    const Dataset dataset = load("nips-topics", {{"method", method}});
    const auto& lists = topics.at(std::string("4 ") + method);
    ASSERT_EQ(dataset.truth.size(), lists.size());
    for (std::size_t j = 0; j < lists.size(); ++j) {
      std::set<std::string> words;
      for (const Index i : dataset.truth[j].support) {
        words.insert(dataset.variable_names[static_cast<std::size_t>(i)]);
      }
      EXPECT_EQ(words, std::set<std::string>(lists[j].begin(), lists[j].end())) << method << j;
    }
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
  // The tolerance is half a unit of the last printed digit: so the paper's loadings for TPower and
  // SPCABiPart are the best on their words. For SpanSPCA the paper prints 2.5981e3, while 2603.3 is
  // possible on these words. The reason is not known: loadings that are best on the sketch have
  // 2597.78 (experiments/bipart/topics.json, grid printed).
  EXPECT_NEAR(variance("4 TPower"), 2599.9, 0.05);
  EXPECT_NEAR(variance("4 SPCABiPart"), 3209.0, 0.05);
  EXPECT_NEAR(variance("4 SpanSPCA"), 2603.27, 0.005);
}

TEST(PublishedMatrices, HaveTheirTraces) {
  NEED_FILE("eisen1/eisen1_cov.csv.gz");
  NEED_FILE("communities/communities_corr_101.csv.gz");
  NEED_FILE("arrhythmia/arrhythmia_corr_257.csv.gz");
  NEED_FILE("miniboone/miniboone_corr_50.csv.gz");
  EXPECT_NEAR(load("eisen1").covariance->total_variance(), 34.855523, 34.855523 * kPrintedTrace);
  EXPECT_NEAR(load("communities").covariance->total_variance(), 101, 1e-9);
  EXPECT_NEAR(load("communities", {{"matrix", "covariance"}}).covariance->total_variance(),
              4.0590275, 4.0590275 * kPrintedTrace);
  EXPECT_NEAR(load("arrhythmia").covariance->total_variance(), 257, 1e-9);
  EXPECT_NEAR(load("arrhythmia", {{"matrix", "covariance"}}).covariance->total_variance(), 35977.99,
              0.005);
  EXPECT_NEAR(load("miniboone").covariance->total_variance(), 50, 1e-9);
  // 1.96917e9 is printed.
  EXPECT_NEAR(load("miniboone", {{"matrix", "covariance"}}).covariance->total_variance(), 1.96917e9,
              5e3);
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
}  // namespace spca::published_data_test
