/// Words of e-mails of the Enron company: raw counts, not centred, S = X'X/n (co-occurrence).
/// Source  D. Newman, Bag of Words, UCI Machine Learning Repository, 2008

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_enron {
namespace {

constexpr const char* kEnronCounts = "enron/docword.enron.txt.gz";
constexpr const char* kEnronWords = "enron/vocab.enron.txt.gz";

Dataset load_enron(const BagOptions& bag, const DatasetRequest& request) {
  return load_bag_of_words(request, kEnronCounts, bag);
}

SPCA_DATASET("enron", load_enron,
             (DatasetTraits{
                 .summary = "words of e-mails of the Enron company, raw counts, not centred",
                 .shape = "39861 x 28102",
                 .source = "Newman, Bag of Words, UCI, 2008",
                 .files = {kEnronCounts, kEnronWords}}));

}  // namespace
}  // namespace spca::dataset_enron
