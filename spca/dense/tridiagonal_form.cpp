#include "spca/dense/tridiagonal_form.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "spca/dense/tridiagonal_values.h"

namespace spca {
namespace {

constexpr double kRoundoff = std::numeric_limits<double>::epsilon();
// In smaller matrices all eigenvectors take less time (the note in the header).
constexpr Index kLeastRows = 12;
// If more than this share of the vectors is wanted, all take less time.
constexpr double kFew = 0.4;
// Eigenvalues nearer than this, relative to the largest entry of T, have vectors that are made
// orthogonal to each other: others are orthogonal up to rounding over the distance.
constexpr double kNear = 1e-2;
// At most this number of steps of inverse iteration: one or two suffice from almost every start.
constexpr int kMostSteps = 5;
// At most this number of roundings remain in a residual, relative to the largest entry of T.
constexpr double kRoundingsLeft = 64;
// Products of different vectors are at most this large.
constexpr double kOrthogonal = 1e-12;

/// Returns ||Tz - (z'Tz) z|| for a unit vector z.
double residual(const Vector& diagonal, const Vector& beside, const Vector& z) {
  const Index n = diagonal.size();
  Vector image = diagonal.cwiseProduct(z);
  image.head(n - 1) += beside.cwiseProduct(z.tail(n - 1));
  image.tail(n - 1) += beside.cwiseProduct(z.head(n - 1));
  return (image - z.dot(image) * z).norm();
}

/// Returns entries between -1 and 1 that are in no simple relation to any eigenvector.
Vector start(Index n, Index number) {
  std::uint64_t state = 0x9e3779b97f4a7c15U * static_cast<std::uint64_t>(number + 1);
  Vector z(n);
  for (double& entry : z) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    entry = static_cast<double>(state >> 11U) * 0x1p-52 - 1;
  }
  return z;
}

/// Returns whether all m vectors take less time than this number of them.
bool is_many(Index count, Index m) {
  return static_cast<double>(count) > kFew * static_cast<double>(m);
}

double or_tiny(double pivot, double tiny) {
  return std::abs(pivot) < tiny ? std::copysign(tiny, pivot) : pivot;
}

}  // namespace

ShiftedTridiagonal::ShiftedTridiagonal(const Vector& diagonal, const Vector& beside, double x,
                                       double tiny)
    : rows_(static_cast<std::size_t>(diagonal.size())) {
  const Index n = diagonal.size();
  // The row that is eliminated next: its entries on the diagonal and right of it.
  double pivot = x - diagonal[0];
  double right = n > 1 ? -beside[0] : 0;
  for (Index i = 0; i + 1 < n; ++i) {
    Row& row = rows_[static_cast<std::size_t>(i)];
    const double below = -beside[i];
    const double next = x - diagonal[i + 1];
    const double next_right = i + 2 < n ? -beside[i + 1] : 0;
    if (std::abs(pivot) >= std::abs(below)) {
      row = {.pivot = or_tiny(pivot, tiny), .right = right};
      row.factor = below / row.pivot;
      pivot = next - row.factor * right;
      right = next_right;
    } else {
      row = {.pivot = below, .right = next, .second = next_right, .is_exchanged = true};
      row.factor = pivot / below;
      pivot = right - row.factor * next;
      right = -row.factor * next_right;
    }
  }
  rows_.back() = {.pivot = or_tiny(pivot, tiny)};
}

void ShiftedTridiagonal::solve(Eigen::Ref<Vector> b) const {
  const std::size_t n = rows_.size();
  double* entries = b.data();
  for (std::size_t i = 0; i + 1 < n; ++i) {
    if (rows_[i].is_exchanged) {
      std::swap(entries[i], entries[i + 1]);
    }
    entries[i + 1] -= rows_[i].factor * entries[i];
  }
  double next = 0;
  double second = 0;
  for (std::size_t i = n; i-- > 0;) {
    const double entry =
        (entries[i] - rows_[i].right * next - rows_[i].second * second) / rows_[i].pivot;
    entries[i] = entry;
    second = std::exchange(next, entry);
  }
}

TridiagonalForm::TridiagonalForm(const Matrix& matrix) {
  // Squares of entries neither overflow nor vanish if the largest entry is 1.
  const Matrix lower = matrix.triangularView<Eigen::Lower>();
  const double largest = lower.cwiseAbs().maxCoeff();
  const Eigen::Tridiagonalization<Matrix> reduced(lower / (largest > 0 ? largest : 1));
  reflections_ = reduced.packedMatrix();
  coefficients_ = reduced.householderCoefficients();
  diagonal_ = reduced.diagonal();
  beside_ = reduced.subDiagonal();
  double of_t = diagonal_.cwiseAbs().maxCoeff();
  if (beside_.size() > 0) {
    of_t = std::max(of_t, beside_.cwiseAbs().maxCoeff());
  }
  if (of_t > 0) {
    scale_ = largest * of_t;
    diagonal_ /= of_t;
    beside_ /= of_t;
  }
  // symmetric_eigenpairs() also converges where the iteration does not, or says why not.
  const std::optional<Vector> values = tridiagonal_values(diagonal_, beside_);
  scaled_values_ = values ? *values : symmetric_eigenpairs(dense()).values;
  values_ = scale_ * scaled_values_;
}

/// Returns T over scale_.
Matrix TridiagonalForm::dense() const {
  Matrix t = diagonal_.asDiagonal();
  t.diagonal<1>() = beside_;
  t.diagonal<-1>() = beside_;
  return t;
}

/// Computes the eigenvectors of T for its last values. Returns false if they are not those of a
/// stable method.
bool TridiagonalForm::find_leading(Matrix& vectors) const {
  const Index n = diagonal_.size();
  const Index count = vectors.cols();
  for (Index c = count - 1; c >= 0; --c) {
    const double x = scaled_values_[n - count + c];
    const ShiftedTridiagonal shifted(diagonal_, beside_, x, kRoundoff);
    Index near = c + 1;  // the end of the vectors after c to which this one must be orthogonal
    while (near < count && scaled_values_[n - count + near] - x < kNear) {
      ++near;
    }
    Vector z = start(n, c);
    bool is_found = false;
    for (int step = 0; step < kMostSteps && !is_found; ++step) {
      shifted.solve(z);
      z /= z.cwiseAbs().maxCoeff();
      // Twice, because what is left after the first time may be small.
      for (int time = 0; time < 2; ++time) {
        for (Index other = c + 1; other < near; ++other) {
          z -= vectors.col(other).dot(z) * vectors.col(other);
        }
      }
      z.normalize();
      is_found = residual(diagonal_, beside_, z) <= kRoundingsLeft * kRoundoff;
    }
    if (!is_found) {
      return false;
    }
    vectors.col(c) = z;
  }
  const Matrix products = vectors.transpose() * vectors - Matrix::Identity(count, count);
  return products.cwiseAbs().maxCoeff() <= kOrthogonal;
}

/// Replaces B by QB or Q'B.
void TridiagonalForm::apply_basis(Matrix& b, bool transposed) const {
  const Eigen::HouseholderSequence<Matrix, Vector> q =
      Eigen::householderSequence(reflections_, coefficients_)
          .setLength(diagonal_.size() - 1)
          .setShift(1);
  if (transposed) {
    b.applyOnTheLeft(q.transpose());
  } else {
    b.applyOnTheLeft(q);
  }
}

Matrix TridiagonalForm::leading_vectors(Index count) const {
  const Index m = diagonal_.size();
  Matrix vectors(m, count);
  if (count == 0) {
    return vectors;
  }
  if (is_many(count, m) || !find_leading(vectors)) {
    vectors = symmetric_eigenpairs(dense()).vectors.rightCols(count);
  }
  apply_basis(vectors, false);
  return vectors;
}

Matrix TridiagonalForm::in_basis(const Matrix& b) const {
  Matrix result = b;
  apply_basis(result, true);
  return result;
}

ShiftedTridiagonal TridiagonalForm::shifted(double x) const {
  return {scale_ * diagonal_, scale_ * beside_, x, kRoundoff * scale_};
}

SymmetricEigenpairs leading_symmetric_eigenpairs(
    const Matrix& matrix, const std::function<Index(const Vector& values)>& count, Index expected) {
  if (matrix.rows() < kLeastRows || is_many(expected, matrix.rows())) {
    SymmetricEigenpairs pairs = symmetric_eigenpairs(matrix);
    pairs.vectors = pairs.vectors.rightCols(count(pairs.values)).eval();
    return pairs;
  }
  const TridiagonalForm form(matrix);
  return {.values = form.values(), .vectors = form.leading_vectors(count(form.values()))};
}

}  // namespace spca
