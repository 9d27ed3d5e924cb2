/// Words of blog entries of dailykos.com: raw counts, not centred, S = X'X/n (co-occurrence).
/// Source  D. Newman, Bag of Words, UCI Machine Learning Repository, 2008

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_kos {
namespace {

constexpr const char* kKosCounts = "kos/docword.kos.txt.gz";
constexpr const char* kKosWords = "kos/vocab.kos.txt.gz";

Dataset load_kos(const BagOptions& bag, const DatasetRequest& request) {
  return load_bag_of_words(request, kKosCounts, bag);
}

SPCA_DATASET("kos", load_kos,
             (DatasetTraits{
                 .summary = "words of blog entries of dailykos.com, raw counts, not centred",
                 .shape = "3430 x 6906",
                 .source = "Newman, Bag of Words, UCI, 2008",
                 .files = {kKosCounts, kKosWords}}));

}  // namespace
}  // namespace spca::dataset_kos
