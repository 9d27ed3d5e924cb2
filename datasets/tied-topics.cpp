/// Tweets whose topics come in groups of equal frequency, so that the leading eigenvectors of S mix
/// the topics of a group and no single one of them shows a topic. Counts are 0 or 1, not centred,
/// S = X'X/n.
///
/// A group has `tied` topics of `topic_words` words each, all disjoint. A document has group g with
/// probability share 0.6^g, g = 0, 1, ...; with probability `overlap` it then has all topics of the
/// group, otherwise one of them. The words of its topics occur in it with probabilities that fall
/// evenly from 0.95, by `fade` in total. `document_words` further words, drawn with probability
/// proportional to 1 / (i + 100) for rank i, are added; a word that is drawn twice is in the
/// document once.
///
/// Let a be the share of documents with a topic and b < a that with two given ones of its group. Up
/// to sampling, S on the words of the group has the eigenvectors (t_1 +- t_2)/sqrt(2) for tied = 2.
/// If words fade, the k largest entries of the first are the frequent half of each topic: about (a
/// + b)/2 of variance per word, against a for one whole topic, which only the span of both
/// eigenvectors reveals.
///
/// Source  made for the purpose of Tables 1 and 2 of D. Papailiopoulos, A. Dimakis, S.
///         Korokythakis, ICML 2013, where rank 1 explains .600 and rank 2 .940: their tweets are
///         not public. Words by rank: Zipf 1949, Mandelbrot 1953

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/data/dataset.h"

namespace spca::dataset_tied_topics {
namespace {

// Each group has this share of the documents of the previous one. The eigenvalues of two groups do
// not interleave, so they can be distinguished, as long as `overlap` is small.
constexpr double kNextGroup = 0.6;
constexpr double kMostFrequentWord = 0.95;
constexpr double kOffset = 100;  // Mandelbrot's: no stop words

struct TiedTopicsOptions {
  Index documents = 12000;
  Index words = 15000;
  Index document_words = 10;
  Index groups = 3;
  Index tied = 2;
  Index topic_words = 10;
  double share = 0.05;
  double overlap = 0.1;
  double fade = 0.5;

  void describe(OptionVisitor& visit) {
    constexpr int kLargestOption = std::numeric_limits<int>::max() / 64;
    visit("documents", documents, "n, rows of X", between(1, kLargestOption));
    visit("words", words, "p, columns of X", between(2, kLargestOption));
    visit("document_words", document_words, "number of words of no topic in a document",
          between(1, 32));
    visit("groups", groups, "number of groups of topics", between(1, 100));
    visit("tied", tied, "number of equally frequent topics of a group", between(1, 10));
    visit("topic_words", topic_words, "number of words of each topic", at_least(1));
    visit("share", share, "share of the documents that have the first group", between(0, 1));
    visit("overlap", overlap, "share of a group's documents that have all its topics",
          between(0, 1));
    visit("fade", fade, "decrease from the most frequent word of a topic, 0.95, to the rarest",
          between(0, 0.9));
  }
};

/// Draws a rank by inversion of the law with density proportional to 1 / (x + kOffset) on
/// [0, words).
Index word_by_rank(Index words, Random& random) {
  const double top = static_cast<double>(words) / kOffset + 1;
  const double rank = kOffset * (std::pow(top, random.uniform()) - 1);
  return std::min(static_cast<Index>(rank), words - 1);
}

/// Draws the group of a document; -1 for none.
Index group_of_document(const TiedTopicsOptions& options, Random& random) {
  double left = random.uniform();
  double share = options.share;
  for (Index group = 0; group < options.groups; ++group) {
    if (left < share) {
      return group;
    }
    left -= share;
    share *= kNextGroup;
  }
  return -1;
}

/// `position` gives the column of a word: topics take the words of the last ranks, which are rare
/// otherwise.
void add_topic(const TiedTopicsOptions& options, Index topic, const std::vector<int>& position,
               Random& random, std::vector<int>& document) {
  const double steps = static_cast<double>(std::max<Index>(options.topic_words - 1, 1));
  for (Index w = 0; w < options.topic_words; ++w) {
    if (random.uniform() < kMostFrequentWord - options.fade * static_cast<double>(w) / steps) {
      document.push_back(
          position[static_cast<std::size_t>(options.words - 1 - topic * options.topic_words - w)]);
    }
  }
}

std::vector<int> draw_document(const TiedTopicsOptions& options, const std::vector<int>& position,
                               Random& random) {
  std::vector<int> document;
  const Index group = group_of_document(options, random);
  if (group >= 0) {
    const bool all = random.uniform() < options.overlap;
    const auto one = static_cast<Index>(random.below(static_cast<std::uint64_t>(options.tied)));
    for (Index t = 0; t < options.tied; ++t) {
      if (all || t == one) {
        add_topic(options, group * options.tied + t, position, random, document);
      }
    }
  }
  for (Index w = 0; w < options.document_words; ++w) {
    document.push_back(position[static_cast<std::size_t>(word_by_rank(options.words, random))]);
  }
  std::sort(document.begin(), document.end());
  document.erase(std::unique(document.begin(), document.end()), document.end());
  return document;
}

std::vector<Component> topics_of(const TiedTopicsOptions& options, const std::vector<int>& position,
                                 std::vector<std::string>& names) {
  std::vector<Component> topics;
  for (Index topic = 0; topic < options.groups * options.tied; ++topic) {
    Component component{
        .support = {},
        .values = Vector::Constant(options.topic_words,
                                   1 / std::sqrt(static_cast<double>(options.topic_words)))};
    for (Index w = 0; w < options.topic_words; ++w) {
      const int word =
          position[static_cast<std::size_t>(options.words - 1 - topic * options.topic_words - w)];
      component.support.push_back(word);
      names[static_cast<std::size_t>(word)] = fmt::format(
          "group{}-topic{}-word{}", topic / options.tied + 1, topic % options.tied + 1, w + 1);
    }
    std::sort(component.support.begin(), component.support.end());
    topics.push_back(std::move(component));
  }
  return topics;
}

Dataset load_tied_topics(const TiedTopicsOptions& options, const DatasetRequest& request) {
  if (options.groups * options.tied * options.topic_words > options.words) {
    throw InputError(fmt::format(
        "/options/words: {} groups of {} topics of {} words need {} words; found {}; accepted: no "
        "fewer",
        options.groups, options.tied, options.topic_words,
        options.groups * options.tied * options.topic_words, options.words));
  }
  Random random(request.seed);
  // Words in random order, as in a vocabulary that is sorted by letters.
  std::vector<int> position(static_cast<std::size_t>(options.words));
  std::iota(position.begin(), position.end(), 0);
  for (std::size_t i = position.size(); i > 1; --i) {
    std::swap(position[i - 1], position[random.below(i)]);
  }
  std::vector<int> words;
  std::vector<int> starts = {0};
  for (Index d = 0; d < options.documents; ++d) {
    const std::vector<int> document = draw_document(options, position, random);
    words.insert(words.end(), document.begin(), document.end());
    starts.push_back(static_cast<int>(words.size()));
  }
  SparseRows counts(options.documents, options.words);
  counts.resizeNonZeros(std::ssize(words));
  std::copy(starts.begin(), starts.end(), counts.outerIndexPtr());
  std::copy(words.begin(), words.end(), counts.innerIndexPtr());
  std::fill_n(counts.valuePtr(), words.size(), 1.0);
  Dataset dataset;
  for (Index j = 0; j < options.words; ++j) {
    dataset.variable_names.push_back(fmt::format("word{}", j + 1));
  }
  dataset.truth = topics_of(options, position, dataset.variable_names);
  // Eigen 3.4 moves a sparse matrix only if it is marked so, and copies it otherwise.
  dataset.covariance =
      make_covariance(counts.markAsRValue(), {.centered = false, .scale = Scale::kSamples});
  return dataset;
}

SPCA_DATASET("tied-topics", load_tied_topics,
             (DatasetTraits{.summary = "tweets with groups of equally frequent topics, not centred",
                            .shape = "documents x words",
                            .source = "after Papailiopoulos, Dimakis, Korokythakis, ICML 2013, "
                                      "Tables 1 and 2; the law of the words: Zipf 1949",
                            .generated = true}));

}  // namespace
}  // namespace spca::dataset_tied_topics
