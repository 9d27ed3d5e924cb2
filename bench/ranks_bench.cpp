/// Measures products with S of a corpus whose rows are spread over ranks, beside products with one
/// undivided S. The ranks are threads here, which sleep while they wait. So the processor time of a
/// rank is the time of its own computation, and other work on the machine does not count. Strong
/// scaling: one corpus for all ranks. Weak scaling: a fixed number of documents for each rank.
///
///   ranks_bench DOCUMENTS WORDS NONZEROS

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/data/zipf_corpus.h"
#include "spca/ranks/distributed_covariance.h"
#include "tests/ranks/thread_ranks.h"

namespace spca {
namespace {

constexpr int kProducts = 10;
constexpr Index kVectors = 4;

double thread_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Seconds {
  double vector = 0;  // a product with one vector
  double block = 0;   // with four
};

Seconds time_products(const Covariance& s) {
  Random random(3);
  const Matrix in = Matrix::NullaryExpr(s.variables(), kVectors,
                                        [&](Index, Index) { return random.uniform() - 0.5; });
  const Vector first = in.col(0);
  Matrix out;
  Vector product;
  s.multiply_block(in, out);
  s.multiply(first, product);
  Seconds seconds;
  double begin = thread_seconds();
  for (int i = 0; i < kProducts; ++i) {
    s.multiply(first, product);
  }
  seconds.vector = (thread_seconds() - begin) / kProducts;
  begin = thread_seconds();
  for (int i = 0; i < kProducts; ++i) {
    s.multiply_block(in, out);
  }
  seconds.block = (thread_seconds() - begin) / kProducts;
  return seconds;
}

std::shared_ptr<const Covariance> corpus(Index documents, Index words, Index nonzeros) {
  ZipfCorpusOptions options;
  options.documents = documents;
  options.words = words;
  options.nonzeros = nonzeros;
  ZipfCorpus drawn(options, 1);
  SparseRows counts = zipf_counts(drawn);
  return make_covariance(counts.markAsRValue(), {.centered = false, .scale = Scale::kSamples});
}

/// Returns the longest time of any rank, for each kind of product.
Seconds slowest_rank(int ranks, const std::shared_ptr<const Covariance>& whole) {
  std::vector<Seconds> all(static_cast<std::size_t>(ranks));
  in_ranks(ranks, [&](const std::shared_ptr<RankGroup>& group) {
    const auto s = spread_covariance(group, group->rank() == 0 ? whole : nullptr);
    all[static_cast<std::size_t>(group->rank())] = time_products(*s);
  });
  Seconds slowest;
  for (const Seconds& one : all) {
    slowest.vector = std::max(slowest.vector, one.vector);
    slowest.block = std::max(slowest.block, one.block);
  }
  return slowest;
}

void print(const std::string& what, const Seconds& seconds, const Seconds& serial) {
  fmt::print("{:24} {:9.4f} {:9.4f}   {:5.2f} {:5.2f}\n", what, seconds.vector, seconds.block,
             seconds.vector / serial.vector, seconds.block / serial.block);
}

int run(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: ranks_bench DOCUMENTS WORDS NONZEROS\n");
    return 2;
  }
  const Index documents = std::stol(argv[1]);
  const Index words = std::stol(argv[2]);
  const Index nonzeros = std::stol(argv[3]);
  fmt::print("processor seconds of a product   one vector, four; both over those of one S\n");
  const auto whole = corpus(documents, words, nonzeros);
  const Seconds serial = time_products(*whole);
  print("one S", serial, serial);
  for (const int ranks : {1, 2, 4, 8}) {
    print(fmt::format("strong, {} ranks", ranks), slowest_rank(ranks, whole), serial);
  }
  for (const int ranks : {2, 4}) {
    print(fmt::format("weak, {} ranks", ranks),
          slowest_rank(ranks, corpus(ranks * documents, words, ranks * nonzeros)), serial);
  }
  return 0;
}

}  // namespace
}  // namespace spca

int main(int argc, char** argv) { return spca::run(argc, argv); }
