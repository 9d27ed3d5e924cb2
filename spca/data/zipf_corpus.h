#pragma once

/// Corpora of any size: words by the law of Zipf and Mandelbrot, with planted topics.
///
/// The word of rank i is drawn with probability proportional to 1 / (i + offset)^exponent. The
/// number of different words of a document is log-normal, scaled so that the corpus has exactly the
/// requested number of nonzeros. Tokens are drawn until the document has this number of different
/// words, so that frequent words get counts above one.
///
/// A share of the documents has a topic. Such a document has nearly all words of the topic, with
/// high counts. Topics are disjoint sets of words, none of them among the most frequent. They are
/// the first sparse principal components of the counts (not centred), unless they are too rare or
/// the offset is too small.
///
/// Source  G. K. Zipf, Human Behavior and the Principle of Least Effort, 1949; B. Mandelbrot, An
///         informational theory of the statistical structure of language, 1953. The planted topics
///         are this project's

#include <cstdint>
#include <string>
#include <vector>

#include "spca/base/options.h"
#include "spca/base/random.h"
#include "spca/base/types.h"

namespace spca {

struct ZipfCorpusOptions {
  Index documents = 12000;
  Index words = 15000;
  Index nonzeros = 120000;
  double exponent = 1;
  double offset = 100;
  Index topics = 8;
  Index topic_words = 10;
  double topic_share = 0.02;
  double topic_count = 4;

  void describe(OptionVisitor& visit);
};

/// Draws one document after the other. The same options and seed give the same corpus.
class ZipfCorpus {
 public:
  struct Word {
    int word = 0;
    int count = 0;
  };

  /// Throws InputError if the options contradict each other.
  ZipfCorpus(const ZipfCorpusOptions& options, std::uint64_t seed);

  const ZipfCorpusOptions& options() const { return options_; }
  /// Sets `words` to the words of the next document, ascending, each once. May be called at most
  /// `documents` times.
  void next(std::vector<Word>& words);
  /// The W words: "word12" or, for a planted topic, "topic3-word2".
  std::vector<std::string> vocabulary() const;
  /// The planted topics, the most frequent first. Each has equal loadings on its words.
  std::vector<Component> topics() const;

 private:
  /// An entry of Walker's table: word `rank` with probability `keep`, else `other`.
  struct Draw {
    double keep = 1;
    int rank = 0;
    int other = 0;
  };
  void choose_lengths(std::uint64_t seed);
  void choose_words();
  void add(int word, int count);
  void add_topic(std::size_t length);

  ZipfCorpusOptions options_;
  Random random_;
  std::vector<int> lengths_;              // different words of each document
  std::vector<Draw> draws_;               // W
  std::vector<std::vector<int>> topics_;  // words
  std::vector<double> shares_;            // running sum of the topics' shares of the documents
  std::size_t document_ = 0;
  std::vector<int> counts_;  // W, of the current document
  std::vector<int> found_;
};

/// The counts of the whole corpus, D x W.
SparseRows zipf_counts(ZipfCorpus& corpus);

}  // namespace spca
