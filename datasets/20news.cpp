/// Words of postings to twenty news groups, the split by date: raw counts without stop words and
/// words that occur at most ten times, not centred, S = X'X/n (co-occurrence). A few postings are
/// encoded binary files; they give the word "max" a variance far beyond all others. Classes: the
/// groups.
///
/// Source  K. Lang, NewsWeeder: learning to filter netnews, ICML 1995; split by J. Rennie

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_20news {
namespace {

constexpr const char* kTwentyNewsCounts = "20news/docword.20news.txt.gz";
constexpr const char* kTwentyNewsWords = "20news/vocab.20news.txt.gz";
constexpr const char* kTwentyNewsLabels = "20news/labels.csv.gz";

Dataset load_twenty_news(const BagOptions& bag, const DatasetRequest& request) {
  return with_labels(load_bag_of_words(request, kTwentyNewsCounts, bag), request, kTwentyNewsLabels,
                     "group");
}

SPCA_DATASET("20news", load_twenty_news,
             (DatasetTraits{
                 .summary = "words of postings to twenty news groups, raw counts, not centred",
                 .shape = "18846 x 19776",
                 .source = "Lang, ICML 1995",
                 .files = {kTwentyNewsCounts, kTwentyNewsWords, kTwentyNewsLabels}}));

}  // namespace
}  // namespace spca::dataset_20news
