/// Words of full papers of the NIPS conference: counts, centred, S = X'X/n (covariance). X stays
/// sparse.
/// Source  D. Newman, Bag of Words, UCI Machine Learning Repository, 2008

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_nips_centered {
namespace {

constexpr const char* kCounts = "nips/docword.nips.txt.gz";
constexpr const char* kWords = "nips/vocab.nips.txt.gz";

Dataset load_nips_centered(const NoOptions&, const DatasetRequest& request) {
  return load_data_file(request, kCounts, true);
}

SPCA_DATASET("nips-centered", load_nips_centered,
             (DatasetTraits{
                 .summary = "words of full papers of the NIPS conference, counts, centred",
                 .shape = "1500 x 12419",
                 .source = "Newman, Bag of Words, UCI, 2008",
                 .files = {kCounts, kWords}}));

}  // namespace
}  // namespace spca::dataset_nips_centered
