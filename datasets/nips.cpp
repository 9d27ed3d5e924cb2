/// Words of full papers of the NIPS conference: raw counts, not centred, S = X'X/n (co-occurrence).
/// Source  D. Newman, Bag of Words, UCI Machine Learning Repository, 2008

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_nips {
namespace {

constexpr const char* kCounts = "nips/docword.nips.txt.gz";
constexpr const char* kWords = "nips/vocab.nips.txt.gz";

Dataset load_nips(const BagOptions& bag, const DatasetRequest& request) {
  return load_bag_of_words(request, kCounts, bag);
}

SPCA_DATASET("nips", load_nips,
             (DatasetTraits{
                 .summary = "words of full papers of the NIPS conference, raw counts, not centred",
                 .shape = "1500 x 12419",
                 .source = "Newman, Bag of Words, UCI, 2008",
                 .files = {kCounts, kWords}}));

}  // namespace
}  // namespace spca::dataset_nips
