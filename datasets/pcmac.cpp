/// Words of postings to news groups on IBM computers and Macintosh: raw counts, not centred, S =
/// X'X/n (co-occurrence). The words themselves are unknown.
///
/// Source  K. Lang, NewsWeeder: learning to filter netnews, ICML 1995; selection of J. Li et al.,
///         Feature selection: a data perspective, ACM Computing Surveys 50(6), 2017

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_pcmac {
namespace {

constexpr const char* kPcmacCounts = "pcmac/docword.pcmac.txt.gz";
constexpr const char* kPcmacLabels = "pcmac/labels.csv";

Dataset load_pcmac(const BagOptions& bag, const DatasetRequest& request) {
  return with_labels(load_bag_of_words(request, kPcmacCounts, bag), request, kPcmacLabels);
}

SPCA_DATASET(
    "pcmac", load_pcmac,
    (DatasetTraits{
        .summary = "words of postings on IBM computers and Macintosh, raw counts, not centred",
        .shape = "1943 x 3289",
        .source = "Lang, ICML 1995; Li et al., ACM Computing Surveys 2017",
        .files = {kPcmacCounts, kPcmacLabels}}));

}  // namespace
}  // namespace spca::dataset_pcmac
