#include "spca/data/zipf_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "spca/base/error.h"

namespace spca {
namespace {

// Standard deviation of the logarithm of a document's length, as in newspaper articles.
constexpr double kLengthSpread = 0.5;
// At most 1 / kLargestShare of all words are in a document, so that drawing its words ends.
constexpr Index kLargestShare = 4;
// At most this number of tokens are drawn by the law for each different word of a document. Words
// that are still missing are then drawn uniformly, because with a steep law the loop would hardly
// end.
constexpr std::size_t kTokensPerWord = 64;
// Probability that a document contains a given word of its topic.
constexpr double kTopicWordProbability = 0.9;
// The share of the last topic in the documents, relative to that of the first. Shares fall linearly
// between the two, so that eigenvalues differ.
constexpr double kRarestTopic = 0.5;
// Topics avoid the most frequent words, which are 1 / kFrequentWords of all words.
constexpr Index kFrequentWords = 20;

void check(const ZipfCorpusOptions& options) {
  if (options.topics * options.topic_words > options.words) {
    throw InputError(fmt::format(
        "/options/topics: {} topics of {} words need {} words; accepted: at most words = {}",
        options.topics, options.topic_words, options.topics * options.topic_words, options.words));
  }
  const Index room = options.documents * std::max<Index>(options.words / kLargestShare, 1);
  if (options.nonzeros > room) {
    throw InputError(
        fmt::format("/options/nonzeros: found {}; accepted: at most {}, a quarter of documents x "
                    "words",
                    options.nonzeros, room));
  }
  if (options.topic_share * static_cast<double>(options.topics) > 1) {
    throw InputError(fmt::format(
        "/options/topic_share: {} topics of this share need more documents than there are; "
        "accepted: at most {:.6g}",
        options.topics, 1 / static_cast<double>(options.topics)));
  }
}

}  // namespace

void ZipfCorpusOptions::describe(OptionVisitor& visit) {
  constexpr double kMostEntriesCounted = std::numeric_limits<int>::max() - 1;
  visit("documents", documents, "D, rows", between(1, kMostEntriesCounted));
  visit("words", words, "W, columns", between(1, kMostEntriesCounted));
  visit("nonzeros", nonzeros, "pairs of a document and a word in it",
        between(1, kMostEntriesCounted));
  visit("exponent", exponent, "s: the word of rank i is drawn like 1 / (i + offset)^s",
        between(0, 10));
  visit("offset", offset, "Mandelbrot's: small where there are stop words", at_least(0));
  visit("topics", topics, "planted, disjoint", at_least(0));
  visit("topic_words", topic_words, "words of each topic", at_least(1));
  visit("topic_share", topic_share,
        "share of the documents that have the first topic; the last topic has half of it",
        between(0, 1));
  visit("topic_count", topic_count, "mean count of a topic's word in a document of the topic",
        at_least(1));
}

ZipfCorpus::ZipfCorpus(const ZipfCorpusOptions& options, std::uint64_t seed)
    : options_(options), random_(seed) {
  check(options_);
  choose_lengths(seed);
  choose_words();
  counts_.assign(static_cast<std::size_t>(options_.words), 0);
}

/// Chooses the number of different words of each document, so that these numbers add up to the
/// nonzeros: the running sum is rounded down, not each number. Nonzeros that exceed a full document
/// go to the next ones.
void ZipfCorpus::choose_lengths(std::uint64_t seed) {
  const auto documents = static_cast<std::size_t>(options_.documents);
  std::vector<double> weights(documents);
  Random random(~seed);
  for (double& weight : weights) {
    weight = std::exp(kLengthSpread * random.normal());
  }
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const Index limit = std::max<Index>(options_.words / kLargestShare, 1);
  lengths_.resize(documents);
  double sum = 0;
  Index given = 0;
  for (std::size_t d = 0; d < documents; ++d) {
    sum += weights[d];
    const auto wanted =
        d + 1 == documents
            ? options_.nonzeros
            : static_cast<Index>(sum / total * static_cast<double>(options_.nonzeros));
    const Index length = std::clamp<Index>(wanted - given, 0, limit);
    lengths_[d] = static_cast<int>(length);
    given += length;
  }
  for (std::size_t d = 0; given < options_.nonzeros; d = (d + 1) % documents) {
    const Index more = std::min(limit - lengths_[d], options_.nonzeros - given);
    lengths_[d] += static_cast<int>(more);
    given += more;
  }
}

/// Assigns words to ranks in random order, as in a vocabulary that is sorted alphabetically. Then
/// fills Walker's table and chooses the words of the topics.
void ZipfCorpus::choose_words() {
  const auto words = static_cast<std::size_t>(options_.words);
  std::vector<int> word_of_rank(words);
  std::iota(word_of_rank.begin(), word_of_rank.end(), 0);
  for (std::size_t i = words; i > 1; --i) {
    std::swap(word_of_rank[i - 1], word_of_rank[random_.below(i)]);
  }
  std::vector<double> scaled(words);  // W times the probability
  for (std::size_t i = 0; i < words; ++i) {
    scaled[i] = std::pow(static_cast<double>(i + 1) + options_.offset, -options_.exponent);
  }
  const double mean =
      std::accumulate(scaled.begin(), scaled.end(), 0.0) / static_cast<double>(words);
  draws_.resize(words);
  std::vector<std::size_t> small, large;
  for (std::size_t i = 0; i < words; ++i) {
    scaled[i] /= mean;
    draws_[i].rank = word_of_rank[i];
    (scaled[i] < 1 ? small : large).push_back(i);
  }
  while (!small.empty() && !large.empty()) {
    const std::size_t less = small.back();
    const std::size_t more = large.back();
    small.pop_back();
    draws_[less].keep = scaled[less];
    draws_[less].other = word_of_rank[more];
    scaled[more] -= 1 - scaled[less];
    if (scaled[more] < 1) {
      large.pop_back();
      small.push_back(more);
    }
  }
  // Topics get words of random ranks behind the most frequent ones, each word at most once.
  const Index planted = options_.topics * options_.topic_words;
  const auto first =
      static_cast<std::size_t>(std::min(options_.words / kFrequentWords, options_.words - planted));
  std::vector<int> candidates(word_of_rank.begin() + static_cast<std::ptrdiff_t>(first),
                              word_of_rank.end());
  double share = 0;
  for (Index t = 0; t < options_.topics; ++t) {
    std::vector<int>& topic = topics_.emplace_back();
    for (Index w = 0; w < options_.topic_words; ++w) {
      const std::size_t pick = random_.below(candidates.size());
      topic.push_back(candidates[pick]);
      candidates[pick] = candidates.back();
      candidates.pop_back();
    }
    std::sort(topic.begin(), topic.end());
    const double fall = options_.topics > 1
                            ? static_cast<double>(t) / static_cast<double>(options_.topics - 1)
                            : 0.0;
    share += options_.topic_share * (1 - (1 - kRarestTopic) * fall);
    shares_.push_back(share);
  }
}

void ZipfCorpus::add(int word, int count) {
  int& total = counts_[static_cast<std::size_t>(word)];
  if (total == 0) {
    found_.push_back(word);
  }
  total += count;
}

void ZipfCorpus::add_topic(std::size_t length) {
  const double uniform = random_.uniform();
  const auto topic = std::upper_bound(shares_.begin(), shares_.end(), uniform) - shares_.begin();
  if (topic == static_cast<std::ptrdiff_t>(topics_.size())) {
    return;
  }
  for (const int word : topics_[static_cast<std::size_t>(topic)]) {
    if (found_.size() < length && random_.uniform() < kTopicWordProbability) {
      int count = 1;  // geometric, with mean topic_count
      while (random_.uniform() * options_.topic_count >= 1) {
        ++count;
      }
      add(word, count);
    }
  }
}

void ZipfCorpus::next(std::vector<Word>& words) {
  const auto length = static_cast<std::size_t>(lengths_[document_++]);
  found_.clear();
  add_topic(length);
  for (std::size_t tokens = kTokensPerWord * length; found_.size() < length; --tokens) {
    const Draw& draw = draws_[random_.below(draws_.size())];
    if (tokens > 0) {
      add(random_.uniform() < draw.keep ? draw.rank : draw.other, 1);
    } else {
      tokens = 1;
      add(draw.rank, 1);
    }
  }
  std::sort(found_.begin(), found_.end());
  words.clear();
  for (const int word : found_) {
    words.push_back({word, std::exchange(counts_[static_cast<std::size_t>(word)], 0)});
  }
}

std::vector<std::string> ZipfCorpus::vocabulary() const {
  std::vector<std::string> names;
  names.reserve(counts_.size());
  for (std::size_t j = 0; j < counts_.size(); ++j) {
    names.push_back(fmt::format("word{}", j + 1));
  }
  for (std::size_t t = 0; t < topics_.size(); ++t) {
    for (std::size_t w = 0; w < topics_[t].size(); ++w) {
      names[static_cast<std::size_t>(topics_[t][w])] = fmt::format("topic{}-word{}", t + 1, w + 1);
    }
  }
  return names;
}

std::vector<Component> ZipfCorpus::topics() const {
  std::vector<Component> components;
  for (const std::vector<int>& topic : topics_) {
    const auto k = static_cast<Index>(topic.size());
    components.push_back({.support = {topic.begin(), topic.end()},
                          .values = Vector::Constant(k, 1 / std::sqrt(static_cast<double>(k)))});
  }
  return components;
}

SparseRows zipf_counts(ZipfCorpus& corpus) {
  const ZipfCorpusOptions& options = corpus.options();
  SparseRows counts(options.documents, options.words);
  counts.resizeNonZeros(options.nonzeros);
  int* const starts = counts.outerIndexPtr();
  int* column = counts.innerIndexPtr();
  double* value = counts.valuePtr();
  std::vector<ZipfCorpus::Word> words;
  starts[0] = 0;
  for (Index d = 0; d < options.documents; ++d) {
    corpus.next(words);
    for (const auto& [word, count] : words) {
      *column++ = word;
      *value++ = count;
    }
    starts[d + 1] = starts[d] + static_cast<int>(words.size());
  }
  return counts;
}

}  // namespace spca
