#pragma once

/// S as an operator. S is never formed for data: every product goes through X, which stays as it
/// was given.
///
///   S = scale * (X - 1 m')'(X - 1 m'),  m = column means of X if centred, else 0,
///   scale = 1/n, 1/(n-1) or 1 (Scale below; this is the only place where the normalisation is
///   decided),
///
/// or S itself. Sparse X is centred implicitly and never densified; it is held by rows and by
/// columns, so that a product with a k-sparse vector reads the k columns and then only the rows
/// that they touch.

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// What X'X is multiplied by.
enum class Scale { kSamples /* 1/n */, kSamplesMinusOne /* 1/(n-1) */, kNone /* 1 */ };

/// Throws InputError unless `name` is "n", "n-1" or "none".
Scale scale_from_name(const std::string& name);

struct DataForm {
  bool centered = true;
  Scale scale = Scale::kSamples;
};

/// Abstract: implemented for dense data, sparse data and S itself (covariance_dense.cpp,
/// covariance_sparse.cpp, covariance_explicit.cpp) and for what is deflated (deflation.cpp). Const
/// functions may be called from several threads.
class Covariance {
 public:
  virtual ~Covariance() = default;
  Covariance() = default;
  Covariance(const Covariance&) = delete;
  Covariance& operator=(const Covariance&) = delete;

  /// p.
  virtual Index variables() const = 0;
  /// n; 0 where S itself was given.
  virtual Index samples() const = 0;

  /// out = S v; v and out have p entries. Counted as one product.
  void multiply(const Vector& v, Vector& out) const;
  /// out = S v for a v with few nonzeros; out has p entries. Reads the columns of v's support and,
  /// for sparse data, only the rows that these touch; for S itself k columns. Counted as one
  /// product.
  void multiply(const Component& v, Vector& out) const;
  /// out = S V for the b columns of V, p x b; reads the data once for all of them. Counted as b
  /// products.
  void multiply_block(const Matrix& v, Matrix& out) const;
  /// Products with S so far: a cost that does not depend on the machine.
  std::uint64_t products() const { return products_.load(std::memory_order_relaxed); }

  /// S_II, |I| x |I|, exactly symmetric.
  virtual Matrix submatrix(const Support& support) const = 0;
  /// S_{:,J}, p x |J|.
  virtual Matrix columns(const Support& support) const = 0;
  /// The p variances S_jj.
  virtual const Vector& diagonal() const = 0;
  /// Tr S.
  double trace() const { return diagonal().sum(); }
  /// v'Sv, from the support of v alone. Not counted.
  virtual double quadratic_form(const Component& v) const;

  /// Whether S = B'B with a B of n x p at hand, so that the three functions below may be called:
  /// true for data and what is deflated from data (but not by Hotelling's deflation), false where S
  /// itself was given.
  virtual bool has_data_form() const { return false; }
  /// Whether m is the column means of X and not zero.
  virtual bool is_centered() const { return false; }
  /// Useful for n < p: the n x n Gram matrix G = scale * (X - 1m')(X - 1m')', which has the
  /// nonzero eigenvalues of S; an eigenvector u of G with eigenvalue lambda gives the eigenvector
  /// transpose_product(u) / sqrt(lambda) of S. Empty where has_data_form() is false. O(n^2 p) for
  /// dense data; where n < p and n is small it is computed once and kept.
  virtual std::optional<Matrix> gram() const { return std::nullopt; }
  /// sqrt(scale) (X - 1m')' u, a p-vector, u of length n. Only where has_data_form().
  virtual Vector transpose_product(const Vector& u) const;
  /// sqrt(scale) (X - 1m') v, an n-vector: the scores of v. Only where has_data_form().
  virtual Vector data_product(const Component& v) const;
  /// The n squared lengths of the rows of B: the diagonal of gram() without the rest of it. One
  /// pass over the data, or p products with one variable where a projection was deflated. Only
  /// where has_data_form().
  virtual Vector squared_sample_norms() const;
  /// S of some of the samples (zero-based, in any order; one listed twice counts twice), with the
  /// centring and scaling of this S: the covariance of a resample or of all folds but one. Null
  /// where S itself was given or something was deflated. Throws InputError where these samples are
  /// too few for the form.
  virtual std::shared_ptr<const Covariance> of_samples(const std::vector<Index>& samples) const;

 protected:
  virtual void do_multiply(const Vector& v, Vector& out) const = 0;
  virtual void do_multiply(const Component& v, Vector& out) const = 0;
  /// Column by column, unless there is a better way.
  virtual void do_multiply_block(const Matrix& v, Matrix& out) const;

  /// For an S that is built on another: only the outer one counts the product.
  static void multiply_uncounted(const Covariance& inner, const Vector& v, Vector& out) {
    inner.do_multiply(v, out);
  }
  static void multiply_uncounted(const Covariance& inner, const Component& v, Vector& out) {
    inner.do_multiply(v, out);
  }
  static void multiply_uncounted(const Covariance& inner, const Matrix& v, Matrix& out) {
    inner.do_multiply_block(v, out);
  }

 private:
  mutable std::atomic<std::uint64_t> products_{0};
};

/// X n x p dense, n >= 1 (n >= 2 where centred or scale n-1), p >= 1. Throws InputError on a NaN or
/// an infinity (names row and column, one-based).
std::shared_ptr<const Covariance> make_covariance(Matrix data, DataForm form);
/// X sparse; the columns are built from the rows.
std::shared_ptr<const Covariance> make_covariance(SparseRows data, DataForm form);
/// S itself. Throws InputError unless it is square, finite, symmetric (to kSymmetryTolerance * max
/// |S_ij|) and positive semidefinite (smallest eigenvalue >= -kIndefiniteTolerance * max S_jj); the
/// message names an entry or the eigenvalue.
std::shared_ptr<const Covariance> make_explicit_covariance(Matrix covariance);

inline constexpr double kSymmetryTolerance = 1e-8;    // files print 9 digits or more
inline constexpr double kIndefiniteTolerance = 1e-7;  // rounding of a printed PSD matrix

}  // namespace spca
