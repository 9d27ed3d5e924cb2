#include "spca/covariance/covariance_dense.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "spca/base/error.h"
#include "spca/covariance/column_shifts.h"
#include "spca/covariance/covariance.h"
#include "spca/covariance/covariance_data.h"
#include "spca/covariance/data_view.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/few_vectors.h"

namespace spca {
namespace {

void check_finite(const Matrix& data) {
  // One vectorised pass for the usual case. Only the error message needs the position.
  if (data.allFinite()) {
    return;
  }
  for (Index i = 0; i < data.rows(); ++i) {
    for (Index j = 0; j < data.cols(); ++j) {
      if (!std::isfinite(data(i, j))) {
        throw InputError(
            fmt::format("the data have {} in row {}, column {}; accepted: finite numbers",
                        data(i, j), i + 1, j + 1));
      }
    }
  }
}

/// S = B'B with B = sqrt(scale) (X - 1m'), n x p, which replaces X in its own memory. No product
/// then needs to centre or scale.
class DenseCovariance final : public Covariance, public HoldsData {
 public:
  /// `subtracted` was already subtracted from the columns and is part of their means; empty if
  /// nothing was.
  DenseCovariance(Matrix data, DataForm form, Vector subtracted)
      : form_(form), data_(std::move(data)), means_(std::move(subtracted)) {
    const double scale = checked_scale(data_.rows(), data_.cols(), form);
    check_finite(data_);
    diagonal_.resize(data_.cols());
    if (form.centered && means_.size() == 0) {
      means_.setZero(data_.cols());
    }
    for (Index j = 0; j < data_.cols(); ++j) {
      auto column = data_.col(j);
      const bool is_set_aside =
          form.standardized && is_constant(column.minCoeff(), column.maxCoeff());
      if (form.centered) {
        // Two passes over a column, first the mean and then the squares. The one-pass formula sum
        // x^2 - n m^2 loses all digits if the mean is large against the deviation.
        means_[j] += centre(column);
      }
      column *= std::sqrt(scale);
      if (form.standardized) {
        const double deviation = column.stableNorm();  // squares may underflow or overflow
        is_set_aside || deviation == 0 ? column.setZero() : column /= deviation;
      }
      diagonal_[j] = column.squaredNorm();
    }
    if (!form.samples_only && diagonal_.maxCoeff() == 0 && data_.cwiseAbs().maxCoeff() > 0) {
      refuse_vanished_squares();
    }
    root_scale_ = std::sqrt(scale);
  }

  Index variables() const override { return data_.cols(); }
  Index samples() const override { return data_.rows(); }
  const Vector& diagonal() const override { return diagonal_; }
  DataView data() const override { return {.dense = &data_, .form = form_}; }

  Matrix submatrix(const Support& support) const override {
    // S_II = B_I'B_I. Only the lower triangle is computed. It is mirrored, so the result is
    // exactly symmetric, as eigensolvers assume.
    return transposed_self_product(selected_columns(data_, support));
  }

  // S_{:,J} = B'B_J.
  Matrix columns(const Support& support) const override {
    return transposed_product(data_, selected_columns(data_, support));
  }

  // v'Sv = ||Bv||^2: never negative, and without cancellation.
  double quadratic_form(const Component& v) const override { return data_product(v).squaredNorm(); }

  bool has_data_form() const override { return true; }
  bool is_centered() const override { return form_.centered; }

  std::optional<Matrix> gram() const override {
    return gram_.get(samples(), variables(), [this] { return self_product(data_); });
  }

  Vector transpose_product(const Vector& u) const override {
    return transposed_times_vector(data_, u);
  }

  Matrix transpose_product_block(const Matrix& u) const override {
    return transposed_times_few_vectors(data_, u);
  }

  Vector data_product(const Component& v) const override {
    // Bv from k columns of B, which are contiguous, instead of all p.
    Vector scores = Vector::Zero(samples());
    for (Index i = 0; i < v.cardinality(); ++i) {
      scores += v.values[i] * data_.col(v.support[static_cast<std::size_t>(i)]);
    }
    return scores;
  }

  // The diagonal of BB'. B is stored by columns, and Eigen adds them up column by column.
  Vector squared_sample_norms() const override { return data_.rowwise().squaredNorm(); }
  std::shared_ptr<const Covariance> of_samples(const std::vector<Index>& samples) const override {
    // The scale is undone, because it depends on the number of samples. The centring need not be
    // undone: centring again subtracts the mean that is left.
    return std::make_shared<DenseCovariance>(Matrix(data_(samples, Eigen::all) / root_scale_),
                                             form_, means_);
  }
  std::shared_ptr<const Covariance> in_form(const FormChange& change) const override {
    if (form_.standardized) {
      return nullptr;  // the deviations are lost
    }
    Matrix data = data_ / root_scale_;
    const DataForm form = change.of(form_);
    if (form_.centered && !form.centered) {
      data.rowwise() += means_.transpose();
    }
    if (form_.centered && form.standardized) {
      set_constant_columns_to_zero(data);
    }
    return std::make_shared<DenseCovariance>(std::move(data), form,
                                             form.centered ? means_ : Vector());
  }

 private:
  /// Sets the constant columns of centred data to zero. After centring, a constant column holds the
  /// rounding of its mean. So the mean is added back before is_constant() decides.
  void set_constant_columns_to_zero(Matrix& data) const {
    for (Index j = 0; j < data.cols(); ++j) {
      auto column = data.col(j);
      if (is_constant(column.minCoeff() + means_[j], column.maxCoeff() + means_[j])) {
        column.setZero();
      }
    }
  }

  /// Subtracts the mean and returns it. The rounding error of a large mean is the same for the
  /// whole column and so shifts its mean: it is subtracted, too.
  static double centre(Eigen::Ref<Vector> column) {
    double mean = column.mean();
    column.array() -= mean;
    if (has_large_mean(mean, column.squaredNorm(), column.size())) {
      const double rest = column.mean();
      column.array() -= rest;
      mean += rest;
    }
    return mean;
  }

 protected:
  void do_multiply(const Vector& v, Vector& out) const override {
    // B'(Bv), two passes over B; the n-vector between them is small.
    out = transposed_times_vector(data_, times_vector(data_, v));
  }

  void do_multiply(const Component& v, Vector& out) const override {
    out = transposed_times_vector(data_, data_product(v));
  }

  void do_multiply_block(const Matrix& v, Matrix& out) const override {
    out = transposed_times_few_vectors(data_, times_few_vectors(data_, v));
  }

  void do_multiply_components(const std::vector<Component>& v, Matrix& out) const override {
    Matrix scores(samples(), std::ssize(v));
    for (Index c = 0; c < scores.cols(); ++c) {
      scores.col(c) = data_product(v[static_cast<std::size_t>(c)]);
    }
    out = transposed_times_few_vectors(data_, scores);
  }

 private:
  DataForm form_;
  double root_scale_ = 1;
  Matrix data_;   // n x p
  Vector means_;  // p, of X; empty if not centred
  Vector diagonal_;
  GramCache gram_;
};

}  // namespace

std::shared_ptr<const Covariance> make_covariance(Matrix data, DataForm form) {
  return std::make_shared<DenseCovariance>(std::move(data), form, Vector());
}

}  // namespace spca
