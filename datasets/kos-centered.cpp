/// Words of blog entries of dailykos.com: counts, centred, S = X'X/n (covariance). X stays sparse.
/// Source  D. Newman, Bag of Words, UCI Machine Learning Repository, 2008

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_kos_centered {
namespace {

constexpr const char* kCounts = "kos/docword.kos.txt.gz";
constexpr const char* kWords = "kos/vocab.kos.txt.gz";

Dataset load_kos_centered(const NoOptions&, const DatasetRequest& request) {
  return load_data_file(request, kCounts, true);
}

SPCA_DATASET("kos-centered", load_kos_centered,
             (DatasetTraits{.summary = "words of blog entries of dailykos.com, counts, centred",
                            .shape = "3430 x 6906",
                            .source = "Newman, Bag of Words, UCI, 2008",
                            .files = {kCounts, kWords}}));

}  // namespace
}  // namespace spca::dataset_kos_centered
