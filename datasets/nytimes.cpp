/// Words of news articles of the New York Times: raw counts, not centred, S = X'X/n
/// (co-occurrence).
///
/// Source  D. Newman, Bag of Words, UCI Machine Learning Repository, 2008

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_nytimes {
namespace {

constexpr const char* kNytimesCounts = "nytimes/docword.nytimes.txt.gz";
constexpr const char* kNytimesWords = "nytimes/vocab.nytimes.txt.gz";

Dataset load_nytimes(const BagOptions& bag, const DatasetRequest& request) {
  return load_bag_of_words(request, kNytimesCounts, bag);
}

SPCA_DATASET("nytimes", load_nytimes,
             (DatasetTraits{
                 .summary = "words of articles of the New York Times, raw counts, not centred",
                 .shape = "300000 x 102660",
                 .source = "Newman, Bag of Words, UCI, 2008",
                 .files = {kNytimesCounts, kNytimesWords}}));

}  // namespace
}  // namespace spca::dataset_nytimes
