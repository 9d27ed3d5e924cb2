/// Words of abstracts of medical papers: raw counts, not centred, S = X'X/n (co-occurrence). Takes
/// about 12 GB of memory.
/// Source  D. Newman, Bag of Words, UCI Machine Learning Repository, 2008

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_pubmed {
namespace {

constexpr const char* kPubmedCounts = "pubmed/docword.pubmed.txt.gz";
constexpr const char* kPubmedWords = "pubmed/vocab.pubmed.txt.gz";

Dataset load_pubmed(const BagOptions& bag, const DatasetRequest& request) {
  return load_bag_of_words(request, kPubmedCounts, bag);
}

SPCA_DATASET("pubmed", load_pubmed,
             (DatasetTraits{
                 .summary = "words of abstracts of medical papers, raw counts, not centred",
                 .shape = "8200000 x 141043",
                 .source = "Newman, Bag of Words, UCI, 2008",
                 .files = {kPubmedCounts, kPubmedWords}}));

}  // namespace
}  // namespace spca::dataset_pubmed
