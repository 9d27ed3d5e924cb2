/// Amazon commerce reviews: counts of words, digits and n-grams in reviews of fifty authors;
/// centred, S = X'X/n. Read from a CSV of the 10000 attributes without the class.
///
/// Source  Z. Liu, Amazon Commerce Reviews, UCI Machine Learning Repository, 2011

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_amazon {
namespace {

constexpr const char* kAmazonFile = "amazon/amazon_1500x10000.csv.gz";
constexpr const char* kAmazonLabels = "amazon/labels.csv";

Dataset load_amazon(const NoOptions&, const DatasetRequest& request) {
  return with_labels(load_data_file(request, kAmazonFile, true), request, kAmazonLabels);
}

SPCA_DATASET("amazon", load_amazon,
             (DatasetTraits{.summary = "words and n-grams of reviews by fifty authors, centred",
                            .shape = "1500 x 10000",
                            .source = "Liu, Amazon Commerce Reviews, UCI, 2011",
                            .files = {kAmazonFile, kAmazonLabels}}));

}  // namespace
}  // namespace spca::dataset_amazon
