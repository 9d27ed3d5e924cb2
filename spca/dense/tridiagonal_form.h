#pragma once

/// A dense symmetric matrix A as QTQ', with an orthogonal Q and a tridiagonal T. It gives the
/// eigenvectors of the largest eigenvalues, and solves equations with xI - A for many x, without
/// all eigenvectors of A. Those take three to eight times as long if A has 70 to 400 rows
/// (bench/notes/2026-11-28-tridiagonal-form.md). Deterministic.
///
/// Householder reflections reduce A to T. The QR iteration computes the eigenvalues of T, and
/// inverse iteration its wanted eigenvectors. Vectors of near eigenvalues are made orthogonal to
/// each other. If the residuals and products of the vectors are not those of a stable method, or if
/// many vectors are wanted, symmetric_eigenpairs() computes all those of T.
///
/// Source  inverse iteration: J. H. Wilkinson, The Algebraic Eigenvalue Problem, 1965, chapter 5;
///         its limits: I. Dhillon, BIT 38:685, 1998

#include <functional>
#include <vector>

#include "spca/dense/dense_decompositions.h"

namespace spca {

/// xI - T as a product of triangular matrices, with row exchanges (Gaussian elimination).
class ShiftedTridiagonal {
 public:
  /// `diagonal`, n >= 1, and `beside`, n - 1, are the entries of T. A pivot of magnitude below
  /// `tiny` becomes `tiny`.
  ShiftedTridiagonal(const Vector& diagonal, const Vector& beside, double x, double tiny);
  /// Replaces b, n numbers, by (xI - T)^-1 b. O(n).
  void solve(Eigen::Ref<Vector> b) const;

 private:
  struct Row {
    double pivot = 0;
    double right = 0;   // the entry right of the pivot
    double second = 0;  // the entry after that
    double factor = 0;  // of this row in the next one
    bool is_exchanged = false;
  };
  std::vector<Row> rows_;
};

class TridiagonalForm {
 public:
  /// `matrix`: A, m x m, m >= 1; only the lower triangle is read. Throws as symmetric_eigenpairs()
  /// does. O(m^3).
  explicit TridiagonalForm(const Matrix& matrix);

  /// The eigenvalues of A, m, ascending.
  const Vector& values() const { return values_; }
  /// Returns the eigenvectors of the `count` largest eigenvalues, m x count, in the order of the
  /// values: the last column belongs to the largest one. 0 <= count <= m. O(m^2 count).
  Matrix leading_vectors(Index count) const;
  /// Returns Q'B for B of m rows. The form b'(xI - A)^-1 c is that of Q'b and Q'c with T.
  Matrix in_basis(const Matrix& b) const;
  /// Returns xI - T, ready to solve equations. An eigenvalue x counts as one beside it.
  ShiftedTridiagonal shifted(double x) const;

 private:
  Matrix dense() const;
  bool find_leading(Matrix& vectors) const;
  void apply_basis(Matrix& b, bool transposed) const;

  Matrix reflections_;    // v_j in column j, below the subdiagonal; v_j has 1 in row j + 1
  Vector coefficients_;   // c_j: Q is the product of I - c_j v_j v_j'
  double scale_ = 1;      // the largest entry of T
  Vector diagonal_;       // of T, over scale_
  Vector beside_;         // T(i, i + 1), over scale_
  Vector scaled_values_;  // values_, over scale_
  Vector values_;
};

/// Returns all eigenvalues of a symmetric matrix, ascending, and the eigenvectors of the largest
/// ones, in the order of the values. `count` is given the eigenvalues and returns the number of
/// vectors. `expected`: this number, if it is known, which matters only to the time. Throws as
/// symmetric_eigenpairs() does.
SymmetricEigenpairs leading_symmetric_eigenpairs(
    const Matrix& matrix, const std::function<Index(const Vector& values)>& count,
    Index expected = 0);

}  // namespace spca
