#include "spca/dense/few_vectors.h"

#include <algorithm>
#include <cstring>

#include "spca/base/parallel.h"
#include "spca/dense/detail/instructions.h"
#include "spca/dense/detail/product_threads.h"

namespace spca {
namespace {

/// Number of vectors whose sums are in registers at the same time.
constexpr Index kVectors = 4;
/// Number of columns of A that are added to sums of AV while the sums are in registers.
constexpr Index kColumnsAdded = 4;
/// Number of rows whose part of AV fits the first cache, for eight vectors: 32 kB. Longer pieces of
/// a column save page walks: 256 rows took half as long again.
constexpr Index kRowsOfBlock = 512;
constexpr Index kNumbersOfQuad = 4;
/// Each thread gets a multiple of this number of rows, so that only the last has single rows.
constexpr Index kRowsOfThread = 8;

/// Four doubles: one register with AVX2, and two without.
using Quad = double __attribute__((vector_size(32)));

/// Unrolls the loop that follows, of at most four steps. Otherwise the sums are not kept in
/// registers.
#define SPCA_UNROLL _Pragma("GCC unroll 4")
/// A function of which each caller has a copy, in the caller's instructions.
#define SPCA_INLINE [[gnu::always_inline]] inline

SPCA_INLINE void load(const double* numbers, Quad& quad) {
  std::memcpy(&quad, numbers, sizeof quad);
}

SPCA_INLINE void store(const Quad& quad, double* numbers) {
  std::memcpy(numbers, &quad, sizeof quad);
}

/// A matrix that is stored by columns; `stride` leads from one to the next.
template <class Number>
struct Columns {
  Number* first;
  Index stride;

  Number* operator[](Index j) const { return first + j * stride; }
};

/// Adds to sums(i, c), for the rows begin <= i < end, the products a(i, j) v(j, c) of kCount
/// columns of A, one after the other. The four entries of a row of V lie together. The sums of
/// kQuads times four rows are in registers at the same time.
template <Index kCount, Index kQuads>
SPCA_INLINE void add_columns(Columns<const double> a, const double* v, Index begin, Index end,
                             Columns<double> sums) {
  constexpr Index kRows = kQuads * kNumbersOfQuad;
  Index i = begin;
  for (; i + kRows <= end; i += kRows) {
    Quad parts[kQuads][kVectors];
    SPCA_UNROLL for (Index q = 0; q < kQuads; ++q) {
      SPCA_UNROLL for (Index c = 0; c < kVectors; ++c) {
        load(sums[c] + i + q * kNumbersOfQuad, parts[q][c]);
      }
    }
    SPCA_UNROLL for (Index j = 0; j < kCount; ++j) {
      SPCA_UNROLL for (Index q = 0; q < kQuads; ++q) {
        Quad entries;
        load(a[j] + i + q * kNumbersOfQuad, entries);
        SPCA_UNROLL for (Index c = 0; c < kVectors; ++c) {
          parts[q][c] += v[kVectors * j + c] * entries;
        }
      }
    }
    SPCA_UNROLL for (Index q = 0; q < kQuads; ++q) {
      SPCA_UNROLL for (Index c = 0; c < kVectors; ++c) {
        store(parts[q][c], sums[c] + i + q * kNumbersOfQuad);
      }
    }
  }
  for (; i < end; ++i) {
    for (Index j = 0; j < kCount; ++j) {
      for (Index c = 0; c < kVectors; ++c) {
        sums[c][i] += v[kVectors * j + c] * a[j][i];
      }
    }
  }
}

/// Adds a(:, j)'t(:, c) to target(j, c) for kCount columns of A. A sum has four parts, which are
/// added up at the end, and then the rows behind the last four.
template <Index kCount>
SPCA_INLINE void add_inner_products(Columns<const double> a, Index rows, Columns<const double> t,
                                    Columns<double> target) {
  Quad sums[kCount][kVectors] = {};
  Index i = 0;
  for (; i + kNumbersOfQuad <= rows; i += kNumbersOfQuad) {
    Quad scores[kVectors];
    SPCA_UNROLL for (Index c = 0; c < kVectors; ++c) { load(t[c] + i, scores[c]); }
    SPCA_UNROLL for (Index j = 0; j < kCount; ++j) {
      Quad entries;
      load(a[j] + i, entries);
      SPCA_UNROLL for (Index c = 0; c < kVectors; ++c) { sums[j][c] += entries * scores[c]; }
    }
  }
  for (Index j = 0; j < kCount; ++j) {
    for (Index c = 0; c < kVectors; ++c) {
      const Quad& parts = sums[j][c];
      double sum = (parts[0] + parts[1]) + (parts[2] + parts[3]);
      for (Index rest = i; rest < rows; ++rest) {
        sum += a[j][rest] * t[c][rest];
      }
      target[c][j] += sum;
    }
  }
}

/// A, the factor V or T, and the result. The number of vectors is a multiple of four.
struct Product {
  Columns<const double> a;  // m x p
  Index rows;               // m
  Index columns;            // p
  Columns<const double> factor;
  Index vectors;
  Columns<double> result;
};

/// Adds the terms of kCount columns of A, from column j, to the rows first <= i < last of AV.
template <Index kCount, Index kQuads>
SPCA_INLINE void add_to_rows(const Product& product, Index j, Index first, Index last) {
  for (Index c = 0; c < product.vectors; c += kVectors) {
    add_columns<kCount, kQuads>({product.a[j], product.a.stride},
                                product.factor[c / kVectors] + kVectors * j, first, last,
                                {product.result[c], product.result.stride});
  }
}

/// Adds the terms of `rows` rows of A and T, from row `first`, to kCount rows of A'T, from row j.
template <Index kCount>
SPCA_INLINE void add_rows(const Product& product, Index j, Index first, Index rows) {
  for (Index c = 0; c < product.vectors; c += kVectors) {
    add_inner_products<kCount>({product.a[j] + first, product.a.stride}, rows,
                               {product.factor[c] + first, product.factor.stride},
                               {product.result[c] + j, product.result.stride});
  }
}

/// Computes the rows begin <= i < end of AV, which are zero before. Column c of the factor has four
/// columns of V, row by row. kQuads is the number of Quads of which the registers hold the sums for
/// kVectors vectors.
template <Index kQuads>
SPCA_INLINE void multiply(const Product& product, Index begin, Index end) {
  for (Index first = begin; first < end; first += kRowsOfBlock) {
    const Index last = std::min(first + kRowsOfBlock, end);
    Index j = 0;
    for (; j + kColumnsAdded <= product.columns; j += kColumnsAdded) {
      add_to_rows<kColumnsAdded, kQuads>(product, j, first, last);
    }
    for (; j < product.columns; ++j) {
      add_to_rows<1, kQuads>(product, j, first, last);
    }
  }
}

/// Computes the rows begin <= j < end of A'T, which are zero before. The factor is T.
template <Index kQuads>
SPCA_INLINE void multiply_transposed(const Product& product, Index begin, Index end) {
  for (Index first = 0; first < product.rows; first += kRowsOfBlock) {
    const Index rows = std::min(kRowsOfBlock, product.rows - first);
    Index j = begin;
    for (; j + kQuads <= end; j += kQuads) {
      add_rows<kQuads>(product, j, first, rows);
    }
    for (; j < end; ++j) {
      add_rows<1>(product, j, first, rows);
    }
  }
}

// The same code is compiled for two sets of instructions. With the second one, each product and its
// sum are rounded together.
using Part = void (*)(const Product&, Index begin, Index end);

void multiply_anywhere(const Product& product, Index begin, Index end) {
  multiply<1>(product, begin, end);
}

void multiply_transposed_anywhere(const Product& product, Index begin, Index end) {
  multiply_transposed<1>(product, begin, end);
}

#if defined(__x86_64__)

__attribute__((target("avx2,fma"))) void multiply_with_fma(const Product& product, Index begin,
                                                           Index end) {
  multiply<2>(product, begin, end);
}

__attribute__((target("avx2,fma"))) void multiply_transposed_with_fma(const Product& product,
                                                                      Index begin, Index end) {
  multiply_transposed<2>(product, begin, end);
}

#else

constexpr Part multiply_with_fma = multiply_anywhere;
constexpr Part multiply_transposed_with_fma = multiply_transposed_anywhere;

#endif

#undef SPCA_UNROLL
#undef SPCA_INLINE

Index groups_of(Index vectors) { return (vectors + kVectors - 1) / kVectors; }

/// Returns V, with zero columns up to a multiple of four, as a matrix each of whose columns holds
/// four columns of V, row by row.
Matrix rows_of_four(const MatrixRef& v) {
  Matrix result = Matrix::Zero(kVectors * v.rows(), groups_of(v.cols()));
  for (Index c = 0; c < v.cols(); ++c) {
    for (Index j = 0; j < v.rows(); ++j) {
      result(kVectors * j + c % kVectors, c / kVectors) = v(j, c);
    }
  }
  return result;
}

/// Returns AV or A'T, of `rows` rows and `vectors` columns, which `part` computes.
Matrix computed(Part part, const MatrixRef& a, const Matrix& factor, Index rows, Index vectors) {
  const Index completed = kVectors * groups_of(vectors);
  Matrix result = Matrix::Zero(rows, completed);
  const Product product{.a = {a.data(), a.outerStride()},
                        .rows = a.rows(),
                        .columns = a.cols(),
                        .factor = {factor.data(), factor.rows()},
                        .vectors = completed,
                        .result = {result.data(), rows}};
  parallel_ranges(rows, kRowsOfThread, threads_for_product(a.rows(), a.cols(), completed),
                  [&](Index begin, Index end) { part(product, begin, end); });
  result.conservativeResize(Eigen::NoChange, vectors);
  return result;
}

}  // namespace

Matrix times_few_vectors(const MatrixRef& a, const MatrixRef& v, Instructions instructions) {
  const bool with_fma =
      instructions == Instructions::kBest && detail::uses_fma(a.rows(), a.cols(), v.cols());
  return computed(with_fma ? multiply_with_fma : multiply_anywhere, a, rows_of_four(v), a.rows(),
                  v.cols());
}

Matrix transposed_times_few_vectors(const MatrixRef& a, const MatrixRef& t,
                                    Instructions instructions) {
  const bool with_fma =
      instructions == Instructions::kBest && detail::uses_fma(a.cols(), a.rows(), t.cols());
  Matrix completed = Matrix::Zero(t.rows(), kVectors * groups_of(t.cols()));
  completed.leftCols(t.cols()) = t;
  return computed(with_fma ? multiply_transposed_with_fma : multiply_transposed_anywhere, a,
                  completed, a.cols(), t.cols());
}

}  // namespace spca
