/// Tests the omission and weighting of words of a corpus, and generated corpora.

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/data/content/file_content.h"
#include "spca/data/files/read_dataset.h"
#include "spca/data/files/write_docword.h"
#include "spca/data/readers/read_file.h"
#include "spca/solving/solve.h"
#include "tests/temporary_files.h"

namespace spca::corpus_test {
namespace {

using CorpusFiles = TemporaryFiles;

BagOptions bag(std::string weights, Index minimum_count, Index minimum_letters,
               std::string stop_words) {
  return {.weights = std::move(weights),
          .minimum_count = minimum_count,
          .minimum_letters = minimum_letters,
          .stop_words = std::move(stop_words)};
}

/// Returns three documents of the words "a", "oak", "elm" and "ash". The second is empty, and "ash"
/// never occurs.
SparseRows small_counts() {
  return SparseRows((Matrix(3, 4) << 2, 0, 5, 0, 0, 0, 0, 0, 1, 3, 0, 0).finished().sparseView());
}
const std::vector<std::string> kSmallWords = {"a", "oak", "elm", "ash"};

TEST(BagOfWords, StaysAsItIsByDefault) {
  SparseRows counts = small_counts();
  std::vector<std::string> words = kSmallWords;
  prepare_counts({}, counts, words);
  EXPECT_EQ(Matrix(counts), Matrix(small_counts()));
  EXPECT_EQ(words, kSmallWords);
}

TEST(BagOfWords, LosesShortRareAndStopWordsAndKeepsEmptyDocuments) {
  SparseRows counts = small_counts();
  std::vector<std::string> words = kSmallWords;
  prepare_counts(bag("count", 1, 2, "elm of"), counts, words);
  EXPECT_EQ(words, std::vector<std::string>{"oak"});  // "ash" never occurs
  EXPECT_EQ(Matrix(counts), (Matrix(3, 1) << 0, 0, 3).finished());
  EXPECT_TRUE(counts.isCompressed());
  counts = small_counts();
  words = kSmallWords;
  prepare_counts(bag("count", 4, 1, ""), counts, words);
  EXPECT_EQ(words, std::vector<std::string>{"elm"});
}

TEST(BagOfWords, LettersAreCountedNotBytes) {
  SparseRows counts = small_counts();
  std::vector<std::string> words = {"\u00e9t\u00e9", "oak", "el", "\u03bb"};
  prepare_counts(bag("count", 1, 3, ""), counts, words);
  EXPECT_EQ(words, (std::vector<std::string>{"\u00e9t\u00e9", "oak"}));
}

TEST(BagOfWords, IsWeighted) {
  SparseRows counts = small_counts();
  std::vector<std::string> words;
  prepare_counts(bag("binary", 1, 1, ""), counts, words);
  EXPECT_EQ(Matrix(counts), (Matrix(3, 4) << 1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0).finished());
  counts = small_counts();
  prepare_counts(bag("tf-idf", 1, 1, ""), counts, words);
  EXPECT_DOUBLE_EQ(counts.coeff(0, 0), 2 * std::log(3.0 / 2));
  EXPECT_DOUBLE_EQ(counts.coeff(2, 1), 3 * std::log(3.0));
}

TEST(BagOfWords, SaysWhatItLacks) {
  SparseRows counts = small_counts();
  std::vector<std::string> none;
  EXPECT_THROW(prepare_counts(bag("count", 1, 1, "elm"), counts, none), InputError);
  std::vector<std::string> words = kSmallWords;
  EXPECT_THROW(prepare_counts(bag("count", 9, 1, ""), counts, words), InputError);
}

TEST_F(CorpusFiles, OptionsOfWordsAreForDocwordFilesAlone) {
  const fs::path table = write("x.csv", "1,2\n3,4\n5,7\n");
  EXPECT_THROW(read_dataset({.path = table, .bag = bag("binary", 1, 1, "")}), InputError);
  write("vocab.x.txt", "elm\noak\n");
  const fs::path counts = write("docword.x.txt", "2\n2\n3\n1 1 2\n1 2 1\n2 2 4\n");
  const Dataset dataset = read_dataset({.path = counts, .bag = bag("count", 1, 1, "elm")});
  EXPECT_EQ(dataset.variable_names, std::vector<std::string>{"oak"});
  EXPECT_DOUBLE_EQ(dataset.covariance->total_variance(), (1.0 + 16) / 2);
}

ZipfCorpusOptions small_corpus() {
  return {.documents = 3000, .words = 900, .nonzeros = 40001, .topics = 4, .topic_words = 7};
}

TEST(ZipfCorpus, HasExactlyTheNonzerosAskedFor) {
  ZipfCorpusOptions dense = small_corpus();
  dense.nonzeros = dense.documents * (dense.words / 4);
  ZipfCorpusOptions steep = small_corpus();
  steep.exponent = 6;
  steep.offset = 0;
  ZipfCorpusOptions sparse = small_corpus();
  sparse.nonzeros = 10;
  for (const ZipfCorpusOptions& options : {small_corpus(), dense, steep, sparse}) {
    ZipfCorpus corpus(options, 3);
    const SparseRows counts = zipf_counts(corpus);
    ASSERT_EQ(counts.nonZeros(), options.nonzeros);
    EXPECT_EQ(counts.rows(), options.documents);
    EXPECT_EQ(counts.cols(), options.words);
    for (Index i = 0; i < counts.rows(); ++i) {
      int last = -1;
      for (SparseRows::InnerIterator entry(counts, i); entry; ++entry) {
        ASSERT_GT(entry.col(), last);
        ASSERT_GE(entry.value(), 1);
        last = static_cast<int>(entry.col());
      }
    }
  }
}

TEST(ZipfCorpus, FollowsItsLaw) {
  ZipfCorpusOptions options = small_corpus();
  options.topics = 0;
  options.exponent = 1.2;
  options.offset = 5;
  ZipfCorpus corpus(options, 5);
  const SparseRows counts = zipf_counts(corpus);
  Vector totals = Vector::Zero(options.words);
  for (Index i = 0; i < counts.rows(); ++i) {
    for (SparseRows::InnerIterator entry(counts, i); entry; ++entry) {
      totals[entry.col()] += entry.value();
    }
  }
  std::sort(totals.begin(), totals.end(), std::greater<>());
  Vector law(options.words);
  for (Index i = 0; i < options.words; ++i) {
    law[i] = std::pow(static_cast<double>(i + 1) + options.offset, -options.exponent);
  }
  law *= totals.sum() / law.sum();
  constexpr double kDeviations = 5;  // standard deviations of a count that is about Poisson
  for (const Index rank : {0, 9, 99}) {
    EXPECT_NEAR(totals[rank], law[rank], kDeviations * std::sqrt(law[rank])) << rank;
  }
}

TEST(ZipfCorpus, IsTheSameForTheSameSeedOnly) {
  const auto counts = [](std::uint64_t seed) {
    ZipfCorpus corpus(small_corpus(), seed);
    return Matrix(zipf_counts(corpus));
  };
  EXPECT_EQ(counts(1), counts(1));
  EXPECT_NE(counts(1), counts(2));
}

TEST(ZipfCorpus, PlantsTopicsThatAreFound) {
  ZipfCorpusOptions options = small_corpus();
  options.topic_share = 0.05;
  ZipfCorpus corpus(options, 11);
  const std::vector<Component> topics = corpus.topics();
  SparseRows counts = zipf_counts(corpus);
  const auto covariance =
      make_covariance(counts.markAsRValue(), {.centered = false, .scale = Scale::kSamples});
  for (const char* name : {"tpower", "spannogram-bound"}) {
    const SolverEntry& solver = SolverRegistry::instance().get(name, "solver");
    const SolveOutcome outcome =
        solve({.covariance = covariance,
               .solver = &solver,
               .options = solver.complete_options(Json::object(), ""),
               .components = 4,
               .cardinality = std::vector<Index>(4, 7),
               .deflation = &DeflationRegistry::instance().get("remove-support", "")});
    std::vector<Support> found, planted;
    for (std::size_t j = 0; j < 4; ++j) {
      found.push_back(outcome.solution.components.at(j).support);
      planted.push_back(topics[j].support);
    }
    std::sort(found.begin(), found.end());
    std::sort(planted.begin(), planted.end());
    EXPECT_EQ(found, planted) << name;
  }
}

TEST_F(CorpusFiles, AreTheCorpusInMemory) {
  ZipfCorpus in_memory(small_corpus(), 9);
  const Matrix counts(zipf_counts(in_memory));
  for (const char* name : {"docword.z.txt", "docword.z.txt.gz"}) {
    ZipfCorpus corpus(small_corpus(), 9);
    write_docword(corpus, folder_ / name);
    const FileContent content = read_file(folder_ / name);
    EXPECT_EQ(Matrix(*content.sparse), counts);
    EXPECT_EQ(content.variable_names, in_memory.vocabulary());
    std::ifstream lines(folder_ / "topics.z.txt");
    std::string line;
    std::getline(lines, line);
    std::istringstream words(line);
    const Support topic = in_memory.topics()[0].support;
    for (const Index word : topic) {
      std::string found;
      words >> found;
      EXPECT_EQ(found, content.variable_names[static_cast<std::size_t>(word)]);
    }
  }
  // The folder has two forms of the counts, the words and the topics, and no temporary file.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 4);
}

TEST_F(CorpusFiles, NoCountsAreLeftWithoutTheirWords) {
  fs::create_directory(folder_ / "vocab.z.txt");  // a file cannot take its place
  ZipfCorpus corpus(small_corpus(), 9);
  EXPECT_THROW(write_docword(corpus, folder_ / "docword.z.txt"), InputError);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(CorpusFiles, AreNotWrittenUnderAnotherNameOrWhereThereIsNoFolder) {
  ZipfCorpus corpus(small_corpus(), 9);
  EXPECT_THROW(write_docword(corpus, folder_ / "corpus.txt"), InputError);
  EXPECT_THROW(write_docword(corpus, folder_ / "docword..txt"), InputError);
  EXPECT_THROW(write_docword(corpus, folder_ / "none" / "docword.z.txt"), InputError);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST(ZipfCorpus, RefusesContradictoryOptions) {
  const auto refuses = [](auto change) {
    ZipfCorpusOptions options = small_corpus();
    change(options);
    EXPECT_THROW(ZipfCorpus(options, 1), InputError);
  };
  refuses([](auto& options) { options.topics = 200; });
  refuses([](auto& options) { options.nonzeros = options.documents * options.words / 2; });
  refuses([](auto& options) { options.topic_share = 0.5; });
}

}  // namespace
}  // namespace spca::corpus_test
