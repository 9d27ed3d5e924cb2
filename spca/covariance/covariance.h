#pragma once

/// S as an operator. For data, S is never formed: every product goes through X, which is stored as
/// given.
///
///   S = B'B,   B = sqrt(scale) (X - 1 m'),   m = the column means of X if centred, else 0
///   scale = 1/n, 1/(n-1) or 1                (enum Scale below)
///
/// The normalisation is decided here and nowhere else. S may also be given itself.
///
/// Sparse X is centred implicitly and never densified. It is held by rows and by columns. A product
/// with a k-sparse vector then reads the k columns, and only the rows that they touch.

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spca/base/error.h"
#include "spca/base/types.h"

namespace spca {

/// The factor of X'X.
enum class Scale {
  kSamples,          // 1/n
  kSamplesMinusOne,  // 1/(n-1)
  kNone,             // 1
};

/// Throws InputError unless `name` is "n", "n-1" or "none".
Scale scale_from_name(const std::string& name);

/// The form in which S is computed from X.
struct DataForm {
  bool centered = true;           // whether the column means are subtracted
  Scale scale = Scale::kSamples;  // the factor of X'X
  /// S is the correlation matrix: the columns of B are divided by their lengths, so that S_jj = 1.
  /// Needs `centered` and 1/n. A constant column is zero in B, and so is its S_jj.
  bool standardized = false;
  /// Only samples are asked for, as for scores. Their squares, and so S, may overflow or vanish.
  bool samples_only = false;
};

/// A change of the form of data. Members that are not set leave the form as it is, except that
/// `standardized` also centres and sets the scale 1/n.
struct FormChange {
  std::optional<bool> centered = std::nullopt;  // DataForm::centered
  std::optional<Scale> scale = std::nullopt;    // DataForm::scale
  bool standardized = false;                    // whether S becomes the correlation matrix

  /// Returns true if nothing changes.
  bool is_none() const { return !centered && !scale && !standardized; }
  /// Returns the changed form, unchecked. Making S in a form that a correlation matrix cannot have
  /// throws InputError.
  DataForm of(DataForm form) const;
};

/// An entry of a deflated S is rounding if it is at most this share of the numbers from which it
/// was computed.
inline constexpr double kRoundingOfDeflation = 1e-12;

/// The abstract operator. It is implemented for dense data (covariance_dense.cpp), sparse data
/// (covariance_sparse.cpp), genotypes (genotypes.cpp), S itself (covariance_explicit.cpp) and a
/// deflated S (deflated_covariance.h), among others. Const functions may be called from several
/// threads, but not those of an S whose rows are spread over ranks (distributed_covariance.h).
class Covariance {
 public:
  virtual ~Covariance() = default;
  Covariance() = default;
  Covariance(const Covariance&) = delete;
  Covariance& operator=(const Covariance&) = delete;

  /// p.
  virtual Index variables() const = 0;
  /// n, or 0 if S itself was given.
  virtual Index samples() const = 0;

  /// out = S v; v and out have p entries. Counted as one product.
  void multiply(const Vector& v, Vector& out) const;
  /// out = S v for a v with few nonzeros; out has p entries. For dense data this reads the columns
  /// of v's support; for sparse data also the rows that these touch; for S itself k columns.
  /// Counted as one product.
  void multiply(const Component& v, Vector& out) const;
  /// out = S V for the b columns of V, p x b. Reads the data once for all of them. Counted as b
  /// products.
  void multiply_block(const Matrix& v, Matrix& out) const;
  /// out = S V for b components, which are the columns of V; out is p x b. For dense data this
  /// reads the columns of each support, and then all data once. Counted as b products.
  void multiply_components(const std::vector<Component>& v, Matrix& out) const;
  /// The number of products with S so far: a cost that does not depend on the machine.
  std::uint64_t products() const { return products_.load(std::memory_order_relaxed); }

  /// S_II, |I| x |I|, exactly symmetric. O(n |I|^2) for dense data, the entries of the columns for
  /// sparse data.
  virtual Matrix submatrix(const Support& support) const = 0;
  /// S_{:,J}, p x |J|. Costs |J| products with one variable each, which are not counted.
  virtual Matrix columns(const Support& support) const = 0;
  /// The number of multiplications by which columns() computes all of S; zero if S is stored.
  virtual double column_multiplications() const {
    const auto p = static_cast<double>(variables());
    return static_cast<double>(samples()) * p * p;
  }
  /// The p variances S_jj.
  virtual const Vector& diagonal() const = 0;
  /// Tr S.
  double total_variance() const { return diagonal().sum(); }
  /// Returns a sigma >= 0 for which S + sigma I is positive semidefinite, up to rounding. It is
  /// zero for data. For an S that was given it is the shift that the check accepted, at most
  /// kIndefiniteTolerance times the largest variance; Hotelling's deflation adds the amount by
  /// which it may have made S indefinite. It need not be the smallest such sigma.
  virtual double semidefinite_shift() const { return 0; }
  /// The largest |S_jj| of each variable j before and between deflations, or more if the subtracted
  /// numbers had more rounding; the diagonal if nothing was deflated. With L for these p numbers,
  /// |S_ij| < kRoundingOfDeflation sqrt(L_i L_j) is rounding. If S itself was given, no L_j is
  /// below semidefinite_shift().
  virtual const Vector& largest_variances() const { return diagonal(); }
  /// v'Sv, computed from the support of v alone. Not counted as a product.
  virtual double quadratic_form(const Component& v) const;

  /// Returns true if S = B'B and B, n x p, is available; the functions below that need B may then
  /// be called. True for data, and for data deflated by any deflation but Hotelling's. False if S
  /// itself was given.
  virtual bool has_data_form() const { return false; }
  /// Returns true if m is the column means of X, false if it is zero.
  virtual bool is_centered() const { return false; }
  /// The n x n Gram matrix G = scale * (X - 1m')(X - 1m')'. It has the nonzero eigenvalues of S,
  /// which is useful if n < p: if u is a unit eigenvector of G for lambda, transpose_product(u) /
  /// sqrt(lambda) is one of S. Empty if has_data_form() is false. Empty, too, beyond 20,000 samples
  /// if the rows are spread over ranks or variables were removed. Costs O(n^2 p) for dense data. If
  /// n < p and n is small, G is computed once and kept.
  virtual std::optional<Matrix> gram() const { return std::nullopt; }
  /// sqrt(scale) (X - 1m')' u, a p-vector, for u of length n. Requires has_data_form().
  virtual Vector transpose_product(const Vector& u) const;
  /// sqrt(scale) (X - 1m')' U, p x b, for U of n x b. Requires has_data_form().
  virtual Matrix transpose_product_block(const Matrix& u) const;
  /// sqrt(scale) (X - 1m') v, an n-vector: the scores of v. Requires has_data_form().
  virtual Vector data_product(const Component& v) const;
  /// The n squared lengths of the rows of B, which are the diagonal of gram(). Costs one pass over
  /// the data, or p products with one variable if a deflation did more than remove variables.
  /// Requires has_data_form().
  virtual Vector squared_sample_norms() const;
  /// S of some of the samples, with the centring and the scale of this S: the covariance of a
  /// resample or of all folds but one. `samples` are zero-based and in any order; a sample that is
  /// listed twice counts twice. Returns null if S itself was given, if something was deflated, or
  /// if the rows are spread over ranks. Throws InputError if the samples are too few for the form,
  /// or have more nonzeros than a sparse matrix can hold.
  virtual std::shared_ptr<const Covariance> of_samples(const std::vector<Index>& samples) const;
  /// S of the same data in another form. An S that was given itself can only change to its
  /// correlation matrix. Returns null if the change is not possible: any other change of an S that
  /// was given, any change of standardised data, genotypes, a deflated S or data spread over ranks,
  /// and standardising data in a mapped file.
  virtual std::shared_ptr<const Covariance> in_form(const FormChange& change) const;

 protected:
  /// Implements multiply(), which counts the product and calls this.
  virtual void do_multiply(const Vector& v, Vector& out) const = 0;
  /// The same as do_multiply() above, for a v with few nonzeros.
  virtual void do_multiply(const Component& v, Vector& out) const = 0;
  /// Multiplies column by column; a subclass overrides this if it has a better way.
  virtual void do_multiply_block(const Matrix& v, Matrix& out) const;
  /// Multiplies one component after the other; a subclass overrides this if it has a better way.
  virtual void do_multiply_components(const std::vector<Component>& v, Matrix& out) const;

  /// Multiply without counting. An S that is built on another uses these, so that only the outer
  /// one counts the product.
  static void multiply_uncounted(const Covariance& inner, const Vector& v, Vector& out) {
    inner.do_multiply(v, out);
  }
  /// The same as multiply_uncounted() above, for a v with few nonzeros.
  static void multiply_uncounted(const Covariance& inner, const Component& v, Vector& out) {
    inner.do_multiply(v, out);
  }
  /// The same as multiply_uncounted() above, for the columns of a matrix.
  static void multiply_uncounted(const Covariance& inner, const Matrix& v, Matrix& out) {
    inner.do_multiply_block(v, out);
  }

 private:
  mutable std::atomic<std::uint64_t> products_{0};
};

}  // namespace spca
