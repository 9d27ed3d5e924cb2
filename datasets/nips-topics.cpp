/// Words of NIPS papers, as in the data set nips, with the topics that a paper prints for them as
/// the truth. Metrics that compare with the truth measure how many of a run's topics are printed.
/// Source  D. Newman, Bag of Words, UCI Machine Learning Repository, 2008; the words: M. Asteris,
///         D. Papailiopoulos, A. Kyrillidis, A. Dimakis, NIPS 2015, Table 4, eight topics of ten
///         words by each of three methods, in datasets/nips-topics.json

#include <algorithm>
#include <nlohmann/json.hpp>

#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/data/files/dataset_files.h"
#include "spca/io/embedded.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca::dataset_nips_topics {
namespace {

constexpr const char* kCounts = "nips/docword.nips.txt.gz";
constexpr const char* kWords = "nips/vocab.nips.txt.gz";

struct TopicOptions {
  std::string method = "SPCABiPart";

  void describe(OptionVisitor& visit) {
    visit("method", method, "the method of Table 4 whose words are the truth",
          {"TPower", "SpanSPCA", "SPCABiPart"});
  }
};

/// Returns the positions of the words in the vocabulary, ascending. Throws InputError if it lacks a
/// word.
Support support_of(const std::vector<std::string>& words, const std::vector<std::string>& names) {
  Support support;
  for (const std::string& word : words) {
    const auto at = std::find(names.begin(), names.end(), word);
    if (at == names.end()) {
      throw InputError("nips/vocab.nips.txt: the word \"" + word +
                       "\" was not found; accepted: a vocabulary with the printed words");
    }
    support.push_back(at - names.begin());
  }
  std::sort(support.begin(), support.end());
  return support;
}

Dataset load_nips_topics(const TopicOptions& options, const DatasetRequest& request) {
  Dataset dataset = load_bag_of_words(request, kCounts, BagOptions());
  const Json printed = parse_json(embedded_file("nips-topics.json"));
  for (const auto& words :
       printed.at(options.method).get<std::vector<std::vector<std::string>>>()) {
    // The paper prints no loadings: the truth has the best loadings on the words of each topic.
    dataset.truth.push_back(
        best_on_support(*dataset.covariance, support_of(words, dataset.variable_names)).component);
  }
  return dataset;
}

SPCA_DATASET("nips-topics", load_nips_topics,
             (DatasetTraits{
                 .summary = "nips with the topics that a paper prints as the truth",
                 .shape = "1500 x 12419",
                 .source = "Newman, Bag of Words, UCI, 2008; Asteris et al., NIPS 2015, Table 4",
                 .files = {kCounts, kWords}}));

}  // namespace
}  // namespace spca::dataset_nips_topics
