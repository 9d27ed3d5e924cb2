/// Products with S on one thread and on several, and the share of the machine's memory bandwidth
/// that they take. The bandwidth is that of a stream triad, a = b + 3 c, on as many threads, timed
/// in turn with the products. Each product must have the same bytes on any number of threads before
/// it is timed. Beside milliseconds and GB/s, the counters are ratios of the fastest repetitions:
///
///   ratio      one thread's time, divided by that of all threads
///   effort     processor time of all threads together, divided by that of one thread. Above 1,
///              work is done twice, or threads wait for each other. It can be measured on a busy
///              machine. If each thread has its own core, it is the number of threads / `ratio`
///   share      bytes of X per second of the product, divided by the triad's bytes per second
///   share_one  `share` of one thread
///
/// The bytes of X are those that must pass through memory in a product with a dense vector or a
/// block: once for sparse data (12 a nonzero), twice for dense data and for genotypes, because no
/// entry of the result can be begun before all scores are known. The products `k_sparse`, and
/// `transposed` of dense data and genotypes, pass fewer bytes: their shares are too large.
///
/// The sparse data have the size of the New York Times collection, and take 10 s to be drawn.

#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "bench/stream_triad.h"
#include "spca/base/parallel.h"
#include "spca/base/random.h"
#include "spca/covariance/covariance.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/covariance/genotypes.h"
#include "spca/data/zipf_corpus.h"
#include "spca/dense/sparsify.h"

namespace spca {
namespace {

constexpr int kThreads = 2;
constexpr Index kTogether = 4;

double processor_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Data {
  std::shared_ptr<const Covariance> s;
  double bytes;  // of X that a product with a dense vector reads
};

Data sparse_data() {
  static const Data data = [] {
    ZipfCorpusOptions options;
    options.documents = 300'000;
    options.words = 102'660;
    options.nonzeros = 69'700'000;
    options.topic_count = 10;
    ZipfCorpus corpus(options, 1);
    SparseRows counts = zipf_counts(corpus);
    const double bytes = 12.0 * static_cast<double>(counts.nonZeros());
    return Data{make_covariance(counts.markAsRValue(), {.centered = false}), bytes};
  }();
  return data;
}

Data dense_data() {
  static const Data data = [] {
    constexpr Index kSamples = 4000, kVariables = 10'000;
    Random random(3);
    Matrix x = Matrix::NullaryExpr(kSamples, kVariables, [&] { return random.uniform() - 0.5; });
    return Data{make_covariance(std::move(x), {}), 2.0 * sizeof(double) * kSamples * kVariables};
  }();
  return data;
}

Data genotype_data() {
  static const Data data = [] {
    Genotypes genotypes;
    genotypes.samples = 5'000;
    genotypes.variants = 50'000;
    Random random(5);
    const auto bytes = static_cast<std::size_t>(genotypes.variant_bytes() * genotypes.variants);
    const auto memory = std::make_shared<std::vector<std::uint8_t>>(bytes);
    for (std::uint8_t& byte : *memory) {
      byte = static_cast<std::uint8_t>(random.below(256));
    }
    genotypes.bytes = memory->data();
    genotypes.memory = memory;
    genotypes.counts = count_genotypes(genotypes);
    return Data{make_covariance(std::move(genotypes), Scale::kSamples),
                2.0 * static_cast<double>(bytes)};
  }();
  return data;
}

Matrix generic_block(Index p, Index columns) {
  Random random(2);
  return Matrix::NullaryExpr(p, columns, [&] { return random.uniform() - 0.5; });
}

/// Times `product`, which fills its argument, on one thread and on kThreads.
void compare(benchmark::State& state, const Data& data,
             const std::function<void(Matrix&)>& product) {
  Matrix alone, together;
  product(alone);
  for (const int threads : {2, 3, 5}) {
    const ThreadAllowance allowance(threads);
    product(together);
    if (alone.size() != together.size() ||
        std::memcmp(alone.data(), together.data(),
                    sizeof(double) * static_cast<std::size_t>(alone.size())) != 0) {
      state.SkipWithError("threads change the product");
      return;
    }
  }
  static StreamTriad triad;
  double one = std::numeric_limits<double>::infinity();
  double all = one;
  double processor_one = one, processor_all = one;
  double bandwidth_one = 0, bandwidth_all = 0;
  for (auto _ : state) {
    // A triad before each of the two products leaves nothing of X in a cache.
    bandwidth_one = std::max(bandwidth_one, triad.bandwidth(1));
    double before = processor_seconds();
    one = std::min(one, seconds_of([&] { product(alone); }));
    processor_one = std::min(processor_one, processor_seconds() - before);
    bandwidth_all = std::max(bandwidth_all, triad.bandwidth(kThreads));
    const ThreadAllowance allowance(kThreads);
    before = processor_seconds();
    const double seconds = seconds_of([&] { product(together); });
    processor_all = std::min(processor_all, processor_seconds() - before);
    all = std::min(all, seconds);
    state.SetIterationTime(seconds);
  }
  state.counters["ms_one"] = 1e3 * one;
  state.counters["ms"] = 1e3 * all;
  state.counters["ratio"] = one / all;
  state.counters["effort"] = processor_all / processor_one;
  state.counters["share"] = data.bytes / all / bandwidth_all;
  state.counters["share_one"] = data.bytes / one / bandwidth_one;
  state.counters["GB_per_s"] = 1e-9 * bandwidth_all;
  state.counters["GB_per_s_one"] = 1e-9 * bandwidth_one;
}

void block(benchmark::State& state, Data (*make)()) {
  const Data data = make();
  const Matrix v = generic_block(data.s->variables(), kTogether);
  compare(state, data, [&](Matrix& out) { data.s->multiply_block(v, out); });
}

void one_vector(benchmark::State& state, Data (*make)()) {
  const Data data = make();
  const Vector v = generic_block(data.s->variables(), 1);
  compare(state, data, [&](Matrix& out) {
    Vector product;
    data.s->multiply(v, product);
    out = product;
  });
}

void k_sparse(benchmark::State& state, Data (*make)()) {
  const Data data = make();
  const Component v =
      normalized(Component{.support = top_k(data.s->diagonal(), 10), .values = Vector::Ones(10)});
  compare(state, data, [&](Matrix& out) {
    Vector product;
    data.s->multiply(v, product);
    out = product;
  });
}

void transposed(benchmark::State& state, Data (*make)()) {
  Data data = make();
  const Vector u = generic_block(data.s->samples(), 1);
  compare(state, data, [&](Matrix& out) { out = data.s->transpose_product(u); });
}

#define SPCA_BENCH(kind)                                                            \
  BENCHMARK_CAPTURE(block, kind, kind##_data)->UseManualTime()->Iterations(7);      \
  BENCHMARK_CAPTURE(one_vector, kind, kind##_data)->UseManualTime()->Iterations(7); \
  BENCHMARK_CAPTURE(k_sparse, kind, kind##_data)->UseManualTime()->Iterations(7);   \
  BENCHMARK_CAPTURE(transposed, kind, kind##_data)->UseManualTime()->Iterations(7)

SPCA_BENCH(dense);
SPCA_BENCH(genotype);
SPCA_BENCH(sparse);

}  // namespace
}  // namespace spca

BENCHMARK_MAIN();
