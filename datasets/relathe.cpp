/// Words of postings to news groups on religion and atheism: raw counts, not centred, S = X'X/n
/// (co-occurrence). The words themselves are unknown.
/// Source  K. Lang, NewsWeeder: learning to filter netnews, ICML 1995; selection of J. Li et al.,
///         Feature selection: a data perspective, ACM Computing Surveys 50(6), 2017

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_relathe {
namespace {

constexpr const char* kRelatheCounts = "relathe/docword.relathe.txt.gz";
constexpr const char* kRelatheLabels = "relathe/labels.csv";

Dataset load_relathe(const BagOptions& bag, const DatasetRequest& request) {
  return with_labels(load_bag_of_words(request, kRelatheCounts, bag), request, kRelatheLabels);
}

SPCA_DATASET("relathe", load_relathe,
             (DatasetTraits{
                 .summary = "words of postings on religion and atheism, raw counts, not centred",
                 .shape = "1427 x 4322",
                 .source = "Lang, ICML 1995; Li et al., ACM Computing Surveys 2017",
                 .files = {kRelatheCounts, kRelatheLabels}}));

}  // namespace
}  // namespace spca::dataset_relathe
