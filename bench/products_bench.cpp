/// Measures products with S and the selection of the k largest entries, the kernels of every
/// solver. Each result is checked against a naive version before it is timed. Compare the counters
/// that are ratios; both of their times are the fastest of several repetitions:
///
///   per_read            time of a product, divided by that of one pass through the bytes of X
///   per_read_a_vector   per_read, divided by the number of vectors
///   per_nonzero_ratio   time per touched nonzero, divided by that of a product with a dense vector
///   gain_a_vector       time of a product with one vector, divided by that per vector of a block
///   over_eigen          time of a product with a block, divided by that of Eigen's products
///
/// If SPCA_DATA_DIR is set and has the bag of words kos, it is one of the matrices; otherwise the
/// medium matrix replaces it.

#include <benchmark/benchmark.h>
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "spca/base/random.h"
#include "spca/covariance/covariance.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/dense/sparsify.h"

namespace spca {
namespace {

constexpr int kCardinality = 10;
// At most this relative difference is accepted between sums of up to 1e5 terms in different orders.
constexpr double kAgreement = 1e-10;

/// Returns a random n x p matrix with at most `per_row` nonzeros in each row. The first columns are
/// the densest, and the density falls as in a bag of words.
SparseRows skewed_matrix(Index n, Index p, Index per_row) {
  Random random(1);
  SparseRows matrix(n, p);
  matrix.reserve(n * per_row);
  std::vector<int> columns;
  for (Index i = 0; i < n; ++i) {
    columns.clear();
    for (Index e = 0; e < per_row; ++e) {
      const double u = random.uniform();
      columns.push_back(static_cast<int>(static_cast<double>(p) * u * u * u));
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    matrix.startVec(i);
    for (const int j : columns) {
      matrix.insertBack(i, j) = 1 + static_cast<double>(random.below(4));
    }
  }
  matrix.finalize();
  return matrix;
}

/// Returns the matrix of the UCI docword file of kos, if it exists.
std::optional<SparseRows> kos() {
  const char* folder = std::getenv("SPCA_DATA_DIR");
  if (folder == nullptr) {
    return std::nullopt;
  }
  gzFile file = gzopen((std::string(folder) + "/kos/docword.kos.txt.gz").c_str(), "rb");
  if (file == nullptr) {
    return std::nullopt;
  }
  char line[128];
  Index header[3] = {0, 0, 0};
  for (Index& number : header) {
    number = gzgets(file, line, sizeof line) == nullptr ? 0 : std::atol(line);
  }
  std::vector<Eigen::Triplet<double, int>> entries;
  while (gzgets(file, line, sizeof line) != nullptr) {
    int row = 0, column = 0, count = 0;
    if (std::sscanf(line, "%d %d %d", &row, &column, &count) == 3) {
      entries.emplace_back(row - 1, column - 1, count);
    }
  }
  gzclose(file);
  SparseRows matrix(header[0], header[1]);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

const SparseRows& matrix_of(const std::string& name) {
  static const SparseRows large = skewed_matrix(100'000, 50'000, 240);
  static const SparseRows medium = skewed_matrix(5'000, 8'000, 100);
  static const std::optional<SparseRows> bag_of_words = kos();
  if (name == "kos" && bag_of_words) {
    return *bag_of_words;
  }
  return name == "large" ? large : medium;
}

double seconds_of(const auto& function) {
  const auto start = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Reads the bytes of values and indices once, in a loop that the compiler can vectorise.
std::uint64_t read_bytes(const SparseRows& matrix) {
  const auto sum = [](const void* bytes, std::size_t words) {
    const auto* const data = static_cast<const unsigned char*>(bytes);
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < words; ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, data + 8 * i, 8);
      total += word;
    }
    return total;
  };
  const std::size_t nonzeros = static_cast<std::size_t>(matrix.nonZeros());
  return sum(matrix.valuePtr(), nonzeros) + sum(matrix.innerIndexPtr(), nonzeros / 2);
}

Vector naive_product(const SparseRows& x, const Vector& v, bool centered) {
  const Vector ones = Vector::Ones(x.rows());
  const double n = static_cast<double>(x.rows());
  const Vector means = centered ? Vector(x.transpose() * ones / n) : Vector::Zero(x.cols());
  const Vector scores = (x * v).array() - means.dot(v);
  return (x.transpose() * scores - scores.sum() * means) / n;
}

Vector generic_vector(Index p) {
  Random random(2);
  return Vector::NullaryExpr(p, [&](Index) { return random.uniform() - 0.5; });
}

bool agree(const Vector& a, const Vector& b) { return (a - b).norm() <= kAgreement * b.norm(); }

void dense_vector_product(benchmark::State& state, const std::string& name, bool centered) {
  const SparseRows& x = matrix_of(name);
  const auto s = make_covariance(x, {.centered = centered, .scale = Scale::kSamples});
  const Vector v = generic_vector(x.cols());
  Vector out;
  s->multiply(v, out);
  if (!agree(out, naive_product(x, v, centered))) {
    state.SkipWithError("the product differs from the naive one");
    return;
  }
  double product = std::numeric_limits<double>::infinity();
  double read = product;
  for (auto _ : state) {
    read = std::min(read, seconds_of([&] { benchmark::DoNotOptimize(read_bytes(x)); }));
    const double seconds = seconds_of([&] { s->multiply(v, out); });
    product = std::min(product, seconds);
    state.SetIterationTime(seconds);
  }
  state.counters["per_read"] = product / read;
  state.counters["ns_per_nonzero"] = 1e9 * product / static_cast<double>(x.nonZeros());
}

/// Measures the product of S with four vectors at once, which must equal four single products.
void block_product(benchmark::State& state, const std::string& name) {
  const SparseRows& x = matrix_of(name);
  const auto s = make_covariance(x, {.centered = false, .scale = Scale::kSamples});
  constexpr Index kColumns = 4;
  Matrix v(x.cols(), kColumns), out;
  for (Index j = 0; j < kColumns; ++j) {
    v.col(j) = generic_vector(x.cols()) + Vector::Unit(x.cols(), j);
  }
  s->multiply_block(v, out);
  Vector alone;
  for (Index j = 0; j < kColumns; ++j) {
    s->multiply(Vector(v.col(j)), alone);
    if (!agree(out.col(j), alone)) {
      state.SkipWithError("a product in a block differs from the single product");
      return;
    }
  }
  const Vector first = v.col(0);
  double block = std::numeric_limits<double>::infinity();
  double one = block;
  double read = block;
  for (auto _ : state) {
    read = std::min(read, seconds_of([&] { benchmark::DoNotOptimize(read_bytes(x)); }));
    one = std::min(one, seconds_of([&] { s->multiply(first, alone); }));
    const double seconds = seconds_of([&] { s->multiply_block(v, out); });
    block = std::min(block, seconds);
    state.SetIterationTime(seconds);
  }
  state.counters["per_read"] = block / read;
  state.counters["per_read_a_vector"] = block / read / kColumns;
  state.counters["gain_a_vector"] = kColumns * one / block;
  state.counters["GB_per_second_read"] = 12e-9 * static_cast<double>(x.nonZeros()) / read;
}

/// Measures the product of S with a vector of ten nonzeros, at the columns that have the ranks
/// first, ..., first + 9 by falling density.
void sparse_vector_product(benchmark::State& state, const std::string& name, Index first) {
  const SparseRows& x = matrix_of(name);
  const auto s = make_covariance(x, {.centered = false, .scale = Scale::kSamples});
  const SparseColumns columns = x;
  std::vector<Index> order(static_cast<std::size_t>(x.cols()));
  for (std::size_t j = 0; j < order.size(); ++j) {
    order[j] = static_cast<Index>(j);
  }
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return columns.col(a).nonZeros() > columns.col(b).nonZeros();
  });
  Component v{.support = Support(order.begin() + first, order.begin() + first + kCardinality),
              .values = Vector::Ones(kCardinality)};
  std::sort(v.support.begin(), v.support.end());
  const Vector scores = x * to_dense(v, x.cols());
  Index touched = 0;
  for (const Index j : v.support) {
    touched += columns.col(j).nonZeros();
  }
  for (Index i = 0; i < x.rows(); ++i) {
    touched += scores[i] != 0 ? x.row(i).nonZeros() : 0;
  }
  Vector out;
  s->multiply(v, out);
  if (!agree(out, naive_product(x, to_dense(v, x.cols()), false))) {
    state.SkipWithError("the product differs from the naive one");
    return;
  }
  const Vector dense = generic_vector(x.cols());
  Vector dense_out;
  double sparse_seconds = std::numeric_limits<double>::infinity();
  double dense_seconds = sparse_seconds;
  for (int repeat = 0; repeat < 5; ++repeat) {
    dense_seconds = std::min(dense_seconds, seconds_of([&] { s->multiply(dense, dense_out); }));
  }
  for (auto _ : state) {
    const double seconds = seconds_of([&] { s->multiply(v, out); });
    sparse_seconds = std::min(sparse_seconds, seconds);
    state.SetIterationTime(seconds);
  }
  // The product with a dense vector touches every nonzero twice.
  const double dense_nonzero = dense_seconds / (2.0 * static_cast<double>(x.nonZeros()));
  state.counters["touched"] = static_cast<double>(touched);
  state.counters["per_nonzero_ratio"] =
      sparse_seconds / static_cast<double>(touched) / dense_nonzero;
}

Matrix normal_matrix(Index rows, Index columns, Random& random) {
  return Matrix::NullaryExpr(rows, columns, [&](Index, Index) { return random.normal(); });
}

void dense_data_product(benchmark::State& state) {
  const Index n = state.range(0);
  const Index p = state.range(1);
  Random random(3);
  const Matrix x = normal_matrix(n, p, random);
  const auto s = make_covariance(x, {.centered = false, .scale = Scale::kNone});
  const Component v = normalized(restrict_to(generic_vector(p), top_k(generic_vector(p), 10)));
  Vector out;
  s->multiply(v, out);
  if (!agree(out, x.transpose() * (x * to_dense(v, p)))) {
    state.SkipWithError("the product differs from the naive one");
    return;
  }
  for (auto _ : state) {
    s->multiply(v, out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(state.iterations() * n * p * static_cast<Index>(sizeof(double)));
}

/// Measures the product of S with four vectors at once for dense data, relative to the products of
/// Eigen, whose result must agree, and to one pass through the bytes of X.
void dense_block_product(benchmark::State& state) {
  const Index n = state.range(0);
  const Index p = state.range(1);
  Random random(3);
  const Matrix x = normal_matrix(n, p, random);
  const auto s = make_covariance(x, {.centered = false, .scale = Scale::kNone});
  const Matrix v = normal_matrix(p, 4, random);
  Matrix out;
  s->multiply_block(v, out);
  Matrix by_eigen = x.transpose() * (x * v);
  if (!agree(out.reshaped(), by_eigen.reshaped())) {
    state.SkipWithError("the product differs from the naive one");
    return;
  }
  double block = std::numeric_limits<double>::infinity();
  double eigen = block;
  double read = block;
  for (auto _ : state) {
    read = std::min(read, seconds_of([&] { benchmark::DoNotOptimize(x.sum()); }));
    eigen = std::min(eigen, seconds_of([&] { by_eigen.noalias() = x.transpose() * (x * v); }));
    const double seconds = seconds_of([&] { s->multiply_block(v, out); });
    block = std::min(block, seconds);
    state.SetIterationTime(seconds);
  }
  state.counters["over_eigen"] = block / eigen;
  state.counters["per_read"] = block / read;
}

void select_largest(benchmark::State& state) {
  const Vector w = generic_vector(state.range(0));
  const Index k = state.range(1);
  std::vector<Index> order(static_cast<std::size_t>(w.size()));
  for (std::size_t j = 0; j < order.size(); ++j) {
    order[j] = static_cast<Index>(j);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(w[a]) > std::abs(w[b]); });
  order.resize(static_cast<std::size_t>(k));
  std::sort(order.begin(), order.end());
  if (top_k(w, k) != order) {
    state.SkipWithError("the selection differs from the sorted one");
    return;
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(top_k(w, k));
  }
  state.SetItemsProcessed(state.iterations() * w.size());
}

BENCHMARK_CAPTURE(dense_vector_product, kos, "kos", false)->UseManualTime();
BENCHMARK_CAPTURE(dense_vector_product, medium, "medium", false)->UseManualTime();
BENCHMARK_CAPTURE(dense_vector_product, medium_centered, "medium", true)->UseManualTime();
BENCHMARK_CAPTURE(dense_vector_product, large, "large", false)->UseManualTime();
BENCHMARK_CAPTURE(block_product, kos, "kos")->UseManualTime();
BENCHMARK_CAPTURE(block_product, large, "large")->UseManualTime();
BENCHMARK_CAPTURE(sparse_vector_product, kos_heaviest, "kos", 0)->UseManualTime();
BENCHMARK_CAPTURE(sparse_vector_product, kos_middling, "kos", 1000)->UseManualTime();
BENCHMARK_CAPTURE(sparse_vector_product, large_heaviest, "large", 0)->UseManualTime();
BENCHMARK_CAPTURE(sparse_vector_product, large_middling, "large", 10'000)->UseManualTime();
BENCHMARK(dense_data_product)->Args({50, 500})->Args({5, 500})->Args({62, 2000});
BENCHMARK(dense_block_product)
    ->Args({500, 500})
    ->Args({62, 2000})
    ->Args({3000, 3000})
    ->UseManualTime();
BENCHMARK(select_largest)->Args({500, 10})->Args({500, 50})->Args({500, 250})->Args({6906, 10});

}  // namespace
}  // namespace spca

BENCHMARK_MAIN();
