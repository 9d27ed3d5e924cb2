/// Spambase: shares of words and characters in e-mails, and lengths of runs of capital letters, on
/// very different scales; centred, S = X'X/n. Classes: email 0, spam 1.
/// Source  M. Hopkins, E. Reeber, G. Forman, J. Suermondt, UCI Machine Learning Repository, 1999

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_spambase {
namespace {

constexpr const char* kSpambaseFile = "spambase/spambase_4601x57.csv.gz";
constexpr const char* kSpambaseLabels = "spambase/labels.csv";

Dataset load_spambase(const CenterOptions& options, const DatasetRequest& request) {
  return with_labels(load_data_file(request, kSpambaseFile, options.centered), request,
                     kSpambaseLabels);
}

SPCA_DATASET("spambase", load_spambase,
             (DatasetTraits{.summary = "words and characters of e-mails, centred",
                            .shape = "4601 x 57",
                            .source = "Hopkins et al., UCI, 1999",
                            .files = {kSpambaseFile, kSpambaseLabels}}));

}  // namespace
}  // namespace spca::dataset_spambase
