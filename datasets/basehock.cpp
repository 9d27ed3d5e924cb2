/// Words of postings to news groups on baseball and hockey: raw counts, not centred, S = X'X/n
/// (co-occurrence). The words themselves are unknown.
/// Source  K. Lang, NewsWeeder: learning to filter netnews, ICML 1995; selection of J. Li et al.,
///         Feature selection: a data perspective, ACM Computing Surveys 50(6), 2017

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_basehock {
namespace {

constexpr const char* kBasehockCounts = "basehock/docword.basehock.txt.gz";
constexpr const char* kBasehockLabels = "basehock/labels.csv";

Dataset load_basehock(const BagOptions& bag, const DatasetRequest& request) {
  return with_labels(load_bag_of_words(request, kBasehockCounts, bag), request, kBasehockLabels);
}

SPCA_DATASET("basehock", load_basehock,
             (DatasetTraits{
                 .summary = "words of postings on baseball and hockey, raw counts, not centred",
                 .shape = "1993 x 4862",
                 .source = "Lang, ICML 1995; Li et al., ACM Computing Surveys 2017",
                 .files = {kBasehockCounts, kBasehockLabels}}));

}  // namespace
}  // namespace spca::dataset_basehock
