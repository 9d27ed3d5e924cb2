#include "tests/properties/hunted_matrix.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "tests/properties/draws.h"

namespace spca::properties {
namespace {

Matrix normals(Index rows, Index columns, Random& random) {
  Matrix matrix(rows, columns);
  for (double& entry : matrix.reshaped()) {
    entry = random.normal();
  }
  return matrix;
}

Matrix whole_numbers(Index rows, Index columns, Index largest, Random& random) {
  Matrix matrix(rows, columns);
  for (double& entry : matrix.reshaped()) {
    entry = static_cast<double>(whole(random, -largest, largest));
  }
  return matrix;
}

Matrix symmetric(const Matrix& matrix) { return 0.5 * (matrix + matrix.transpose()); }

/// Returns A'A for a random A of `rows` rows.
Matrix gram(Index p, Index rows, Random& random) {
  const Matrix a = normals(rows, p, random);
  return symmetric(a.transpose() * a);
}

/// Returns a random orthogonal matrix, by the Gram-Schmidt process applied twice.
Matrix rotation(Index p, Random& random) {
  Matrix q = normals(p, p, random);
  for (Index j = 0; j < p; ++j) {
    for (int twice = 0; twice < 2; ++twice) {
      for (Index i = 0; i < j; ++i) {
        q.col(j) -= q.col(i).dot(q.col(j)) * q.col(i);
      }
    }
    q.col(j).normalize();
  }
  return q;
}

Matrix with_eigenvalues(const Vector& values, Random& random) {
  const Matrix q = rotation(values.size(), random);
  return symmetric(q * values.asDiagonal() * q.transpose());
}

Matrix diagonal_of_few(Index p, Random& random) {
  Vector diagonal(p);
  for (double& entry : diagonal) {
    entry = static_cast<double>(whole(random, 0, 3));
  }
  diagonal[whole(random, 0, p - 1)] = 3;
  return diagonal.asDiagonal();
}

Matrix repeated_eigenvalues(Index p, Random& random) {
  Vector values(p);
  for (double& value : values) {
    value = static_cast<double>(whole(random, 1, 3));
  }
  return with_eigenvalues(values, random);
}

Matrix equal_blocks(Index p, Random& random) {
  const Index size = whole(random, 1, std::max<Index>(1, p / 2));
  const Matrix block = gram(size, whole(random, 1, size + 1), random);
  Matrix s = Matrix::Zero(p, p);
  for (Index at = 0; at + size <= p; at += size) {
    s.block(at, at, size, size) = block;
  }
  return s;
}

Matrix equicorrelated(Index p, Random& random) {
  const double lowest = -1 / static_cast<double>(p - 1);
  const double c = std::vector<double>{lowest, 0, .5, 1 - 1e-12, 1, .9}[random.below(6)];
  Matrix s = Matrix::Constant(p, p, c);
  s.diagonal().setOnes();
  return s;
}

Matrix hilbert(Index p) {
  Matrix s(p, p);
  for (Index i = 0; i < p; ++i) {
    for (Index j = 0; j < p; ++j) {
      s(i, j) = 1 / static_cast<double>(i + j + 1);
    }
  }
  return s;
}

/// Returns an S of whole numbers whose ties are broken by differences of 1e-13 to 1e-9.
Matrix near_ties(Index p, Random& random) {
  const Matrix a = whole_numbers(p + 1, p, 1, random);
  const double small = std::pow(10, -9 - static_cast<double>(random.below(5)));
  Matrix s = a.transpose() * a;
  for (Index j = 0; j < p; ++j) {
    s(j, j) += 1 + small * random.uniform();
  }
  return s;
}

/// Returns the S of data with columns that are copies of others, some with the opposite sign if
/// `flipped`.
Matrix copies(Index p, bool flipped, Random& random) {
  Matrix a = normals(p + 2, p, random);
  for (Index j = 1; j < p; ++j) {
    if (random.uniform() < .5) {
      a.col(j) = (flipped && random.uniform() < .7 ? -1.0 : 1.0) * a.col(whole(random, 0, j - 1));
    }
  }
  return symmetric(a.transpose() * a);
}

/// Returns an S in which the variances of some variables are zero or tiny compared with the others.
Matrix hollow(Index p, Random& random) {
  Matrix s = gram(p, p + 1, random);
  for (Index j = 0; j < p; ++j) {
    if (random.uniform() < .5) {
      const double scale = random.uniform() < .5 ? 0 : 1e-6;
      s.row(j) *= scale;
      s.col(j) *= scale;
    }
  }
  if (s.diagonal().maxCoeff() <= 0) {
    s(0, 0) = 1;
  }
  return s;
}

Matrix one_huge_entry(Index p, Random& random) {
  Matrix s = gram(p, p + 1, random);
  const Index j = whole(random, 0, p - 1);
  s(j, j) = std::pow(10, static_cast<double>(whole(random, 4, 14)));
  return s;
}

Matrix condition_1e16(Index p, Random& random) {
  Vector values(p);
  for (Index j = 0; j < p; ++j) {
    values[j] = std::pow(10, -16.0 * static_cast<double>(j) / static_cast<double>(p - 1));
  }
  return with_eigenvalues(values, random);
}

Matrix zero_rows(Index p, Random& random) {
  Matrix s = gram(p, p, random);
  for (Index j = 1; j < p; ++j) {
    if (random.uniform() < .4) {
      s.row(j).setZero();
      s.col(j).setZero();
    }
  }
  return s;
}

/// Returns an S of low rank plus perturbations of the size of rounding errors, or of the rounding
/// to eight digits in a file.
Matrix semidefinite_to_rounding(Index p, Random& random) {
  Matrix s = gram(p, whole(random, 1, std::max<Index>(1, p / 2)), random);
  const double depth = std::vector<double>{1e-15, 1e-12, 1e-9, 5e-8}[random.below(4)];
  const double scale = s.diagonal().maxCoeff();
  for (Index i = 0; i < p; ++i) {
    for (Index j = 0; j < i; ++j) {
      s(i, j) += depth * scale * (2 * random.uniform() - 1) / static_cast<double>(p);
      s(j, i) = s(i, j);
    }
  }
  return s;
}

/// Returns blocks [[1, 1 + e], [1 + e, 1]], which are indefinite within the accepted tolerance.
Matrix indefinite_pairs(Index p, Random& random) {
  Matrix s = Matrix::Identity(p, p);
  const double e = std::vector<double>{1e-8, 5e-8, 1e-10}[random.below(3)];
  for (Index j = 0; j + 1 < p; j += 2) {
    s(j, j + 1) = s(j + 1, j) = 1 + e * random.uniform();
  }
  return s;
}

using DrawCovariance = std::function<Matrix(Index p, Random& random)>;
const std::map<std::string, DrawCovariance>& covariances() {
  static const std::map<std::string, DrawCovariance> kinds = {
      {"generic", [](Index p, Random& r) { return gram(p, p + 3, r); }},
      {"diagonal", diagonal_of_few},
      {"identity", [](Index p, Random&) -> Matrix { return Matrix::Identity(p, p); }},
      {"repeated-eigenvalues", repeated_eigenvalues},
      {"equal-blocks", equal_blocks},
      {"rank-deficient",
       [](Index p, Random& r) { return gram(p, whole(r, 1, std::max<Index>(1, p / 2)), r); }},
      {"equicorrelated", equicorrelated},
      {"hilbert", [](Index p, Random&) { return hilbert(p); }},
      {"near-ties", near_ties},
      {"duplicates", [](Index p, Random& r) { return copies(p, false, r); }},
      {"flipped-copies", [](Index p, Random& r) { return copies(p, true, r); }},
      {"hollow", hollow},
      {"one-huge-entry", one_huge_entry},
      {"condition-1e16", condition_1e16},
      {"zero-rows", zero_rows},
      {"semidefinite-to-rounding", semidefinite_to_rounding},
      {"indefinite-pairs", indefinite_pairs},
      {"tiny", [](Index p, Random& r) -> Matrix { return 1e-50 * gram(p, p + 1, r); }},
      {"huge", [](Index p, Random& r) -> Matrix { return 1e50 * gram(p, p + 1, r); }},
      {"whole-numbers", [](Index p, Random& r) -> Matrix {
         const Matrix a = whole_numbers(p, p, 3, r);
         return a.transpose() * a;
       }}};
  return kinds;
}

HuntedMatrix of_data(Matrix data) {
  HuntedMatrix matrix;
  matrix.data = std::move(data);
  return matrix;
}

/// Returns data of counts, most of them zero.
Matrix few_counts(Index p, Random& random) {
  Matrix x = Matrix::Zero(whole(random, p, 3 * p), p);
  for (double& entry : x.reshaped()) {
    entry = random.uniform() < .3 ? static_cast<double>(whole(random, 1, 9)) : 0;
  }
  x(0, 0) = 3;
  return x;
}

/// Returns data whose columns deviate by a few units from means of 10^3 to 10^8.
Matrix large_means(Index p, Random& random) {
  Matrix x = whole_numbers(whole(random, 3, 2 * p), p, 4, random);
  x(0, 0) += 9;
  for (Index j = 0; j < p; ++j) {
    x.col(j).array() += std::pow(10, static_cast<double>(whole(random, 3, 8)));
  }
  return x;
}

/// Returns data of which PCA loses almost nothing.
Matrix nearly_low_rank(Index p, Random& random) {
  Matrix x = whole_numbers(p + 1, 1, 30000, random) * whole_numbers(1, p, 3, random);
  return x + whole_numbers(p + 1, p, 1, random);
}

using DrawData = std::function<Matrix(Index p, Random& random)>;
const std::map<std::string, DrawData>& data_kinds() {
  static const std::map<std::string, DrawData> kinds = {
      {"data", [](Index p, Random& r) { return normals(whole(r, 2, 3 * p), p, r); }},
      {"data-wide", [](Index p, Random& r) { return normals(whole(r, 2, p), p, r); }},
      {"data-whole-numbers",
       [](Index p, Random& r) { return whole_numbers(whole(r, 3, 2 * p), p, 2, r); }},
      {"data-counts", few_counts},
      {"data-large-means", large_means},
      {"data-nearly-low-rank", nearly_low_rank}};
  return kinds;
}

/// Returns a block diagonal S in random order of the variables: as many copies of each block as are
/// given and fit into p, and the remaining variables uncorrelated with variance `rest`.
HuntedMatrix blocks_in_random_order(const std::vector<std::pair<Matrix, Index>>& copies, Index p,
                                    double rest, Random& random) {
  HuntedMatrix matrix;
  const Support order = random_order(p, random);
  matrix.covariance = Matrix::Zero(p, p);
  Index at = 0;
  const auto add = [&](const Matrix& block) {
    Support places;
    for (Index i = 0; i < block.rows(); ++i) {
      places.push_back(order[static_cast<std::size_t>(at++)]);
    }
    for (Index i = 0; i < block.rows(); ++i) {
      for (Index j = 0; j < block.rows(); ++j) {
        matrix.covariance(places[static_cast<std::size_t>(i)],
                          places[static_cast<std::size_t>(j)]) = block(i, j);
      }
    }
    matrix.blocks.push_back(std::move(places));
  };
  for (const auto& [block, count] : copies) {
    for (Index copy = 0; copy < count && at + block.rows() <= p; ++copy) {
      add(block);
    }
  }
  while (at < p) {
    add(Matrix::Constant(1, 1, rest));
  }
  return matrix;
}

Index many(Random& random) { return whole(random, 1, 40); }

HuntedMatrix large_diagonal(Index p, Random& random) {
  std::vector<std::pair<Matrix, Index>> copies;
  double value = 26;
  for (Index level = whole(random, 1, 4); level > 0; --level) {
    copies.emplace_back(Matrix::Constant(1, 1, value), many(random));
    value -= static_cast<double>(whole(random, 1, 6));
  }
  return blocks_in_random_order(copies, p, random.uniform() < .3 ? 0 : 1, random);
}

HuntedMatrix large_equal_blocks(Index p, Random& random) {
  const Index size = whole(random, 2, 6);
  const Matrix block = gram(size, size + 1, random);
  return blocks_in_random_order({{block, p / size}}, p, 0.01, random);
}

HuntedMatrix large_mixed_blocks(Index p, Random& random) {
  std::vector<std::pair<Matrix, Index>> copies;
  for (Index level = whole(random, 1, 4); level > 0; --level) {
    const Index size = whole(random, 1, 5);
    const Matrix a = whole_numbers(size, size, 2, random);
    copies.emplace_back(a.transpose() * a + Matrix::Identity(size, size), many(random));
  }
  return blocks_in_random_order(copies, p, 1, random);
}

/// Returns I plus spikes u u' with disjoint supports.
HuntedMatrix large_spikes(Index p, Random& random) {
  std::vector<std::pair<Matrix, Index>> copies;
  for (Index level = whole(random, 1, 3); level > 0; --level) {
    const Index size = whole(random, 1, 8);
    const Matrix u = normals(size, 1, random);
    copies.emplace_back(symmetric(u * u.transpose()) + Matrix::Identity(size, size), many(random));
  }
  return blocks_in_random_order(copies, p, 1, random);
}

HuntedMatrix large_equicorrelated(Index p, Random& random) {
  HuntedMatrix matrix;
  matrix.correlation = std::vector<double>{.5, .1, 1e-6}[random.below(3)];
  matrix.covariance = Matrix::Constant(p, p, *matrix.correlation);
  matrix.covariance.diagonal().setOnes();
  return matrix;
}

/// Returns data X of blocks of whole numbers that share no row, and of columns of zeros, in random
/// order of rows and columns: S = X'X is block diagonal, and n may be below p.
HuntedMatrix large_data_blocks(Index p, Random& random) {
  HuntedMatrix matrix;
  matrix.centered = false;
  matrix.scale = "none";
  std::vector<std::pair<Matrix, Index>> copies;
  Index rows = 0, columns = 0;
  for (Index level = whole(random, 1, 3); level > 0; --level) {
    Matrix block = whole_numbers(whole(random, 1, 5), whole(random, 1, 5), 2, random);
    block(0, 0) += 3;
    const Index count = std::min(many(random), (p - columns) / block.cols());
    rows += count * block.rows();
    columns += count * block.cols();
    copies.emplace_back(block, count);
  }
  const Support row_order = random_order(rows, random), order = random_order(p, random);
  matrix.data = Matrix::Zero(rows, p);
  std::size_t row = 0, column = 0;
  for (const auto& [block, count] : copies) {
    for (Index copy = 0; copy < count; ++copy) {
      const Support at(row_order.begin() + static_cast<std::ptrdiff_t>(row),
                       row_order.begin() + static_cast<std::ptrdiff_t>(row) + block.rows());
      const Support of(order.begin() + static_cast<std::ptrdiff_t>(column),
                       order.begin() + static_cast<std::ptrdiff_t>(column) + block.cols());
      matrix.data(at, of) = block;
      matrix.blocks.push_back(of);
      row += at.size();
      column += of.size();
    }
  }
  for (; column < order.size(); ++column) {
    matrix.blocks.push_back({order[column]});
  }
  return matrix;
}

using DrawLarge = std::function<HuntedMatrix(Index p, Random& random)>;
const std::map<std::string, DrawLarge>& large() {
  static const std::map<std::string, DrawLarge> kinds = {
      {"large-diagonal", large_diagonal},         {"large-equal-blocks", large_equal_blocks},
      {"large-mixed-blocks", large_mixed_blocks}, {"large-spikes", large_spikes},
      {"large-data-blocks", large_data_blocks},   {"large-equicorrelated", large_equicorrelated}};
  return kinds;
}

template <class Kinds>
void add_names(const Kinds& kinds, std::vector<std::string>& names) {
  for (const auto& entry : kinds) {
    names.push_back(entry.first);
  }
}

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

}  // namespace

std::vector<std::string> kinds_of_matrices() {
  std::vector<std::string> names;
  add_names(covariances(), names);
  add_names(data_kinds(), names);
  return names;
}

HuntedMatrix draw_matrix(const std::string& kind, Index p, Random& random) {
  HuntedMatrix matrix;
  if (const auto found = data_kinds().find(kind); found != data_kinds().end()) {
    matrix = of_data(found->second(p, random));
    matrix.centered = random.uniform() < .8;
    matrix.scale = std::vector<std::string>{"n", "n-1", "none"}[random.below(3)];
  } else {
    matrix.covariance = covariances().at(kind)(p, random);
  }
  matrix.kind = kind;
  return matrix;
}

std::vector<std::string> large_kinds() {
  std::vector<std::string> names;
  add_names(large(), names);
  return names;
}

HuntedMatrix draw_large_matrix(const std::string& kind, Index p, Random& random) {
  HuntedMatrix matrix = large().at(kind)(p, random);
  matrix.kind = kind;
  return matrix;
}

Matrix exact_covariance(const HuntedMatrix& matrix) {
  if (!matrix.is_data()) {
    return matrix.covariance;
  }
  if (!matrix.blocks.empty()) {  // whole numbers, not centred: no rounding
    const SparseRows x = matrix.data.sparseView();
    return SparseRows(x.transpose() * x).toDense();
  }
  LongMatrix x = matrix.data.cast<long double>();
  const auto n = static_cast<long double>(x.rows());
  if (matrix.centered) {
    for (Index j = 0; j < x.cols(); ++j) {
      x.col(j).array() -= x.col(j).sum() / n;
    }
  }
  const long double divisor = matrix.scale == "n" ? n : matrix.scale == "n-1" ? n - 1 : 1;
  const LongMatrix s = (x.transpose() * x).eval() / divisor;
  return s.cast<double>();
}

double storage_rounding(const HuntedMatrix& matrix) {
  if (!matrix.is_data() || !matrix.centered) {
    return 0;
  }
  const double mean = matrix.data.colwise().mean().cwiseAbs().maxCoeff();
  const double deviation = std::sqrt(exact_covariance(matrix).diagonal().maxCoeff());
  return 16 * std::numeric_limits<double>::epsilon() * mean * deviation;
}

}  // namespace spca::properties
