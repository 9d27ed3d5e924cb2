/// The notation is that of the header. `inner` is P_i and `twice` is T_i, for the loaded columns J.
/// The scores of all p columns are computed from loaded columns of S and S^2 alone, so that a sweep
/// needs no product with S, except to make the bounds of the best candidates exact.

#include "spca/methods/encoders/encoder_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/base/parallel.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

/// Number of rows that one thread scores at a time.
constexpr Index kRowsOfThread = 2048;
/// An exchange must raise the captured variance by this share, which is above the rounding of two
/// eigenproblems.
constexpr double kGain = 1e-9;
/// At most this number of steps towards a root.
constexpr int kMostRootSteps = 200;
/// A Newton step shorter than this share of the distance from a pole is the last one. A longer step
/// may be one of many.
constexpr double kConverging = 1e-2;

/// Finds eigenvalue number `index` < m (0 the largest) of [D g; g' c]. It lies between d[index] and
/// d[index - 1]. In that interval
///
///   f(x) = x - c - sum_l g_l^2 / (x - d_l)
///
/// rises. The eigenvalue is below x exactly if f(x) > 0, also if an entry of g is zero. Invariant:
/// low <= eigenvalue <= high.
class ArrowRoot {
 public:
  ArrowRoot(const Vector& d, const Vector& g, double c) : d_(d), g_(g), c_(c), norm_(g.norm()) {}

  double operator()(Index index) const {
    double low = d_[index];
    double high = index == 0 ? std::max(d_[0], c_) + norm_ : d_[index - 1];
    const double resolution = 4 * std::numeric_limits<double>::epsilon() *
                              std::max({std::abs(d_[0]), std::abs(c_), norm_});
    // The first guess uses the first pole and c alone, and is exact if there is no other. Between
    // two poles it is the middle.
    double x = index == 0 ? larger_eigenvalue(d_[0], g_[0], c_) : 0.5 * (low + high);
    for (int step = 0; step < kMostRootSteps && high - low > resolution; ++step) {
      if (!(x > low && x < high)) {
        x = 0.5 * (low + high);
      }
      double value = x - c_;
      double slope = 1;
      for (Index l = 0; l < d_.size(); ++l) {
        const double ratio = g_[l] / (x - d_[l]);
        value -= g_[l] * ratio;
        slope += ratio * ratio;
      }
      (value > 0 ? high : low) = x;
      const double newton = x - value / slope;
      // Next to a pole a Newton step only doubles the distance from it, however small it is. A
      // short step alone therefore proves nothing.
      const double from_pole = index == 0 ? x - d_[0] : std::min(x - d_[index], d_[index - 1] - x);
      if (std::abs(newton - x) <= std::min(resolution, kConverging * from_pole)) {
        return newton;
      }
      x = newton;
    }
    return 0.5 * (low + high);
  }

 private:
  const Vector& d_;
  const Vector& g_;
  double c_;
  double norm_;
};

}  // namespace

double arrow_eigenvalue_sum(const Vector& d, const Vector& g, double c, Index count) {
  const Index m = d.size();
  // All m + 1 eigenvalues: their sum is the trace.
  if (count > m) {
    return d.sum() + c;
  }
  const ArrowRoot root(d, g, c);
  double sum = 0;
  for (Index index = 0; index < count; ++index) {
    sum += root(index);
  }
  return sum;
}

EncoderSearch::EncoderSearch(ColumnStore& store, Index r, int threads)
    : store_(store), r_(r), threads_(threads) {
  project_out({});
}

void EncoderSearch::project_out(const std::vector<Component>& others) {
  const Index p = store_.covariance().variables();
  const auto count = static_cast<Index>(others.size());
  Matrix once = Matrix::Zero(p, count);
  Matrix twice = Matrix::Zero(p, count);
  Matrix variances(count, count);
  Vector origin(count);
  for (Index j = 0; j < count; ++j) {
    const Component& component = others[static_cast<std::size_t>(j)];
    origin[j] = variance_before_cancelling(store_.covariance(), component);
    for (Index l = 0; l < component.cardinality(); ++l) {
      const Index variable = component.support[static_cast<std::size_t>(l)];
      once.col(j) += component.values[l] * store_.column(variable);
      twice.col(j) += component.values[l] * store_.twice(variable);
    }
    for (Index i = 0; i <= j; ++i) {
      const Component& earlier = others[static_cast<std::size_t>(i)];
      variances(i, j) = variances(j, i) = earlier.values.dot(once.col(j)(earlier.support));
    }
  }
  captured_by_others_ = 0;
  z_ = products_ = Matrix(p, 0);
  gram_ = Matrix(0, 0);
  square_changes_ = Vector::Zero(p);
  diagonal_ = store_.covariance().diagonal();
  if (count > 0) {
    const ColumnSpan held = column_span(variances, transposed_product(once, once), origin);
    captured_by_others_ = held.captured.sum();
    // Z = S H M: `once` is SH, and `twice` is S^2 H, from columns of the store.
    z_ = matrix_product(once, held.coefficients);
    products_ = matrix_product(twice, held.coefficients);
    gram_ = transposed_product(z_, z_);
    diagonal_ -= squared_row_norms(z_);
    // A^2 - S^2 = -(SZ)Z' - Z(SZ)' + Z(Z'Z)Z', of which only the diagonal is kept.
    square_changes_ = (matrix_product(z_, gram_) - 2 * products_).cwiseProduct(z_).rowwise().sum();
  }
}

void EncoderSearch::load(const std::vector<Index>& columns) {
  const Index p = diagonal_.size();
  const auto size = static_cast<Index>(columns.size());
  columns_ = columns;
  loaded_.resize(p, size);
  loaded_twice_.resize(p, size);
  for (Index position = 0; position < size; ++position) {
    load_column(position, columns[static_cast<std::size_t>(position)]);
  }
}

/// A e_i = S e_i - Z z_i and A^2 e_i = S^2 e_i - SZ z_i - Z ((SZ)_i - Z'Z z_i), z_i row i of Z.
void EncoderSearch::load_column(Index position, Index variable) {
  columns_[static_cast<std::size_t>(position)] = variable;
  loaded_.col(position) = store_.column(variable);
  loaded_twice_.col(position) = store_.twice(variable);
  if (z_.cols() > 0) {
    const Vector z = z_.row(variable);
    const Vector product = products_.row(variable);
    loaded_.col(position) -= z_ * z;
    loaded_twice_.col(position) -= products_ * z + z_ * (product - gram_ * z);
  }
}

ColumnSpan EncoderSearch::loaded_span() const {
  return column_span(loaded_(columns_, Eigen::all), loaded_twice_(columns_, Eigen::all),
                     store_.covariance().diagonal()(columns_));
}

ColumnSpan EncoderSearch::span(const std::vector<Index>& columns) {
  load(columns);
  return loaded_span();
}

/// The span without one column. M has a row of zeros at `position`, so that it still fits
/// `loaded_`.
ColumnSpan EncoderSearch::span_without(Index position) const {
  std::vector<Index> kept;
  for (Index i = 0; i < std::ssize(columns_); ++i) {
    if (i != position) {
      kept.push_back(i);
    }
  }
  const Matrix gram = loaded_(columns_, Eigen::all);
  const Matrix squared = loaded_twice_(columns_, Eigen::all);
  const Vector origin = store_.covariance().diagonal()(columns_);
  ColumnSpan span = column_span(gram(kept, kept), squared(kept, kept), origin(kept));
  Matrix coefficients = Matrix::Zero(std::ssize(columns_), span.captured.size());
  coefficients(kept, Eigen::all) = span.coefficients;
  span.coefficients = std::move(coefficients);
  return span;
}

/// Returns the score of column i; `rest` is rho of the header. Returns -infinity if column i adds
/// no direction, or if it cannot capture more than `floor`.
double EncoderSearch::score(Index i, const Vector& d, const Eigen::Ref<const Vector>& inner,
                            const Eigen::Ref<const Vector>& twice, double floor) const {
  constexpr double kNoScore = -std::numeric_limits<double>::infinity();
  const double rest = diagonal_[i] - inner.squaredNorm();
  if (!(rest > kDependentColumns * store_.covariance().diagonal()[i])) {
    return kNoScore;
  }
  const double square = store_.squared_norms()[i] + square_changes_[i];
  const double held = (d.array() * inner.array().square()).sum();
  const double c = std::max((square - 2 * twice.dot(inner) + held) / rest, 0.0);
  if (r_ == 1 && d.size() > 0) {
    // If all entries of D were as large as the first, the largest eigenvalue would be that of a
    // 2 x 2 matrix. It bounds the score, and is cheap.
    const double length =
        std::sqrt((twice.array() - d.array() * inner.array()).square().sum() / rest);
    if (larger_eigenvalue(d[0], length, c) <= floor) {
      return kNoScore;
    }
  }
  return arrow_eigenvalue_sum(d, (twice - d.cwiseProduct(inner)) / std::sqrt(rest), c,
                              std::min(r_, d.size() + 1));
}

void EncoderSearch::score_rows(const ColumnSpan& span, Index begin, Index end, double floor) {
  const Index size = end - begin;
  const Matrix inner =
      matrix_product(loaded_.middleRows(begin, size), span.coefficients).transpose();
  const Matrix twice =
      matrix_product(loaded_twice_.middleRows(begin, size), span.coefficients).transpose();
  for (Index i = 0; i < size; ++i) {
    scores_[begin + i] = score(begin + i, span.captured, inner.col(i), twice.col(i), floor);
  }
}

EncoderSearch::Candidate EncoderSearch::best_candidate(const ColumnSpan& span, double floor) {
  const Index p = diagonal_.size();
  scores_.resize(p);
  const auto chunks = static_cast<std::size_t>((p + kRowsOfThread - 1) / kRowsOfThread);
  // Chunks of a fixed size, so that the scores do not depend on the number of threads.
  parallel_for(chunks, threads_, [&](std::size_t chunk) {
    const Index begin = static_cast<Index>(chunk) * kRowsOfThread;
    score_rows(span, begin, std::min(begin + kRowsOfThread, p), floor);
  });
  // A column that is already chosen, including the one to be replaced, is not a candidate.
  for (const Index variable : columns_) {
    scores_[variable] = -std::numeric_limits<double>::infinity();
  }
  // A score rises with (S^2)_ii: if (S^2)_ii is an upper bound, so is the score. The largest bound
  // is replaced by the exact score until the largest score is exact. Most bounds stay.
  for (;;) {
    Candidate best;
    best.value = scores_.maxCoeff(&best.variable);
    if (!(best.value > 0)) {
      return {};
    }
    if (store_.is_exact(best.variable)) {
      return best;
    }
    store_.make_exact(best.variable);
    score_rows(span, best.variable, best.variable + 1, floor);
  }
}

std::vector<Index> EncoderSearch::grow(std::vector<Index> columns, Index k, Budget& budget) {
  load(columns);
  while (std::ssize(columns) < k) {
    const ColumnSpan span = loaded_span();
    if (!budget.next(span.captured_by(r_))) {
      break;
    }
    const Candidate best = best_candidate(span, 0);
    if (best.variable < 0) {
      break;
    }
    columns.push_back(best.variable);
    const Index size = std::ssize(columns);
    columns_ = columns;
    // The columns so far stay loaded: a step costs one new column, not |J|.
    loaded_.conservativeResize(Eigen::NoChange, size);
    loaded_twice_.conservativeResize(Eigen::NoChange, size);
    load_column(size - 1, best.variable);
  }
  return columns;
}

std::vector<Index> EncoderSearch::exchange(std::vector<Index> columns, Budget& budget) {
  load(columns);
  const Index size = std::ssize(columns);
  double value = loaded_span().captured_by(r_);
  Index in_vain = 0;
  // A full round of positions without an exchange ends the search.
  for (Index position = 0; in_vain < size && budget.next(value); position = (position + 1) % size) {
    ++in_vain;
    const Candidate best = best_candidate(span_without(position), value);
    if (best.variable < 0 || !(best.value > (1 + kGain) * value)) {
      continue;
    }
    // The score is confirmed by an eigenproblem of the new columns. Otherwise rounding could
    // exchange two columns endlessly.
    const Index replaced = columns_[static_cast<std::size_t>(position)];
    load_column(position, best.variable);
    const double exchanged = loaded_span().captured_by(r_);
    if (exchanged > (1 + kGain) * value) {
      value = exchanged;
      in_vain = 0;
    } else {
      load_column(position, replaced);
    }
  }
  return columns_;
}

}  // namespace spca
