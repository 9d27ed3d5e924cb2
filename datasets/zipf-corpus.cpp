/// A corpus of any size with planted topics (zipf_corpus.h): counts of words in documents, not
/// centred, S = X'X/n. The truth is the topics. `spca corpus` writes the same corpus to files.

#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/data/bag_of_words.h"
#include "spca/data/dataset.h"
#include "spca/data/zipf_corpus.h"

namespace spca::dataset_zipf_corpus {
namespace {

struct CorpusOptions : ZipfCorpusOptions {
  BagOptions bag;  // leaves out no word: the truth has words by number

  void describe(OptionVisitor& visit) {
    ZipfCorpusOptions::describe(visit);
    bag.describe_weights(visit);
  }
};

Dataset load_zipf_corpus(const CorpusOptions& options, const DatasetRequest& request) {
  ZipfCorpus corpus(options, request.seed);
  Dataset dataset;
  dataset.variable_names = corpus.vocabulary();
  dataset.truth = corpus.topics();
  SparseRows counts = zipf_counts(corpus);
  prepare_counts(options.bag, counts, dataset.variable_names);
  // Eigen 3.4 moves a sparse matrix only if it is marked so, and copies it otherwise.
  dataset.covariance =
      make_covariance(counts.markAsRValue(), {.centered = false, .scale = Scale::kSamples});
  return dataset;
}

SPCA_DATASET("zipf-corpus", load_zipf_corpus,
             (DatasetTraits{.summary = "words by Zipf's law with planted topics, not centred",
                            .shape = "documents x words",
                            .source = "Zipf 1949, Mandelbrot 1953; the topics are this project's",
                            .generated = true}));

}  // namespace
}  // namespace spca::dataset_zipf_corpus
