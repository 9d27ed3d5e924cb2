#pragma once

/// S after t deflations, as an operator on the first S:
///
///   S_t = M S_0 M - sum_s D_s,   D_s = z_s y_s' + y_s z_s'  or  w_s w_s',
///
/// with M the mask of the remaining variables. If S_0 = B'B has a data form and no deflation was
/// Hotelling's, then
///
///   S_t = B_t'B_t,   B_t = B M - sum_s a_s b_s'.
///
/// Differences leave rounding. So a variance below 1e-12 of the largest that its variable has had
/// is set to zero, and a variable that v represents fully has no variance left.
///
/// No p x p matrix is formed. A deflated S that is deflated again is extended, not wrapped: a
/// product costs one product with S_0 and O(p) for each deflation.

#include <memory>
#include <vector>

#include "spca/covariance/covariance.h"

namespace spca {

class DeflatedCovariance final : public Covariance {
 public:
  /// Starts with no deflation. The products that a deflation below needs count as products of this
  /// object.
  explicit DeflatedCovariance(std::shared_ptr<const Covariance> base);
  /// Returns S_{t-1} to start from: a copy of `previous` if it is deflated already, else one with
  /// `previous` as base.
  static std::shared_ptr<DeflatedCovariance> extend(std::shared_ptr<const Covariance> previous);

  /// Removes the variables in `support`: their rows and columns of S become exactly zero.
  void remove(const Support& support);
  /// Replaces S by (I - qq') S (I - qq') for a q of unit length.
  void project(const Component& q);
  /// The same as project(), with q = v made orthonormal to the q of earlier calls. Does nothing if
  /// v lies in the span of these q.
  void project_orthogonalized(const Component& v);
  /// Replaces S by S - S v v'S / v'Sv. Does nothing if v'Sv is zero.
  void subtract_schur(const Component& v);
  /// Replaces S by S - (v'Sv) v v' for a v of unit length. Takes a product with v that is not
  /// counted.
  void subtract_hotelling(const Component& v);

  /// The first S, from which everything was deflated.
  const Covariance& base() const { return *base_; }
  /// Returns true if no deflation but remove() changed S.
  bool lacks_only_variables() const { return terms_.empty(); }
  /// The removed variables, in the order of their removal.
  const std::vector<Index>& removed() const { return removed_list_; }

  Index variables() const override { return base_->variables(); }
  Index samples() const override { return base_->samples(); }
  const Vector& diagonal() const override { return diagonal_; }
  double semidefinite_shift() const override { return shift_; }
  const Vector& largest_variances() const override { return largest_variances_; }
  Matrix submatrix(const Support& support) const override;
  Matrix columns(const Support& support) const override;
  double column_multiplications() const override { return base_->column_multiplications(); }
  double quadratic_form(const Component& v) const override;
  bool has_data_form() const override { return base_->has_data_form() && semidefinite_; }
  /// Empty, too, if variables were removed from data of more than 20,000 samples.
  std::optional<Matrix> gram() const override;
  Vector transpose_product(const Vector& u) const override;
  Matrix transpose_product_block(const Matrix& u) const override;
  Vector data_product(const Component& v) const override;
  Vector squared_sample_norms() const override;

 protected:
  void do_multiply(const Vector& v, Vector& out) const override;
  void do_multiply(const Component& v, Vector& out) const override;
  void do_multiply_block(const Matrix& v, Matrix& out) const override;

 private:
  /// One D_s, and its part of the data form.
  struct Term {
    Component z;  // empty if D_s = w w'
    Vector y;     // p; this is w if z is empty
    Vector a;     // n, if there is a data form; b is z, or w if z is empty
  };
  /// The change of the Gram matrix G by a deflation: to G - A A', or (two-sided) to
  /// (I - uu') G (I - uu').
  struct GramStep {
    bool two_sided = false;
    Matrix vectors;  // A, with n rows, or u
  };
  void deflate_product(const Vector& u, Vector& product) const;

  DeflatedCovariance(const DeflatedCovariance& other);
  bool is_removed(Index j) const {
    return !removed_.empty() && removed_[static_cast<std::size_t>(j)] != 0;
  }
  void update_diagonal(const Vector& change);
  Component unmasked(const Component& v) const;
  template <class Input>
  void subtract_terms(const Input& v, Vector& out) const;

  std::shared_ptr<const Covariance> base_;
  std::vector<char> removed_;  // p, or empty while no variable was removed
  Support removed_list_;       // in the order of removal
  std::vector<Term> terms_;
  std::vector<GramStep> gram_steps_;
  std::vector<Component> directions_;  // the q of project_orthogonalized
  bool semidefinite_ = true;           // no Hotelling deflation so far
  double shift_;                       // semidefinite_shift()
  Vector diagonal_;
  Vector largest_variances_;
};

}  // namespace spca
