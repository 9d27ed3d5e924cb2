#pragma once

/// Products of dense matrices, behind plain functions. Every distinct product expression of Eigen
/// takes the compiler about 0.4 seconds; a call takes none. A matrix or a block of one is passed
/// without a copy. An expression, such as a sum, is evaluated first. Deterministic. Large products
/// AB, A'B, Ax and A'x, and `target` -= AB, share their rows among allowed_threads(); each entry is
/// the same for any number of threads. The other functions take one thread.

#include "spca/base/types.h"

namespace spca {

using MatrixRef = Eigen::Ref<const Matrix>;
using VectorRef = Eigen::Ref<const Vector>;

/// Returns "avx2-fma" or "baseline", the instructions of the products below that take at least 1e5
/// multiplications: the first if the processor has them and the variable SPCA_INSTRUCTIONS is not
/// "baseline". The last digits of these products differ between the two. The choice is made once.
const char* instructions_of_products();

/// Returns AB.
Matrix matrix_product(const MatrixRef& a, const MatrixRef& b);
/// Returns A'B.
Matrix transposed_product(const MatrixRef& a, const MatrixRef& b);
/// Returns AB'.
Matrix product_transposed(const MatrixRef& a, const MatrixRef& b);
/// Returns AA', exactly symmetric.
Matrix self_product(const MatrixRef& a);
/// Returns A'A, exactly symmetric.
Matrix transposed_self_product(const MatrixRef& a);
/// Returns Ax.
Vector times_vector(const MatrixRef& a, const VectorRef& x);
/// Returns A'x.
Vector transposed_times_vector(const MatrixRef& a, const VectorRef& x);

/// Returns the products of each row of A with row number `row`, over the first `count` columns. A
/// step of Cholesky's factorisation subtracts them from a column.
Vector times_own_row(const MatrixRef& a, Index row, Index count);

/// `target` = AB, in the memory of `target` if it has the size. Neither A nor B may overlap it.
void set_product(Matrix& target, const MatrixRef& a, const MatrixRef& b);
/// `target` = A'B, under the conditions of set_product().
void set_transposed_product(Matrix& target, const MatrixRef& a, const MatrixRef& b);
/// `target` += AB, without memory of its own. Neither A nor B may overlap `target`.
void add_product(Eigen::Ref<Matrix> target, const MatrixRef& a, const MatrixRef& b);
/// `target` += AB', under the conditions of add_product().
void add_product_transposed(Eigen::Ref<Matrix> target, const MatrixRef& a, const MatrixRef& b);
/// `target` -= AB, under the conditions of add_product().
void subtract_product(Eigen::Ref<Matrix> target, const MatrixRef& a, const MatrixRef& b);
/// `target` -= AB', under the conditions of add_product().
void subtract_product_transposed(Eigen::Ref<Matrix> target, const MatrixRef& a, const MatrixRef& b);
/// x -= QQ'x: if the columns of Q are orthonormal, projects x on the complement of their span.
void subtract_projection(Eigen::Ref<Vector> x, const MatrixRef& q);
/// Returns x - QQ'x: if the columns of Q are orthonormal, the part of x outside their span.
Vector outside_of_span(const MatrixRef& q, const VectorRef& x);

/// Returns A diag(d).
Matrix scaled_columns(const MatrixRef& a, const VectorRef& d);
/// Returns diag(d) A diag(d).
Matrix scaled_both_sides(const MatrixRef& a, const VectorRef& d);

/// Returns (A + A') / 2 of a square matrix.
Matrix symmetric_part(const MatrixRef& a);
/// Returns the columns from the last to the first.
Matrix reversed_columns(const MatrixRef& a);
/// Returns Tr(A'B), the sum of the products of the entries.
double inner_product(const Matrix& a, const Matrix& b);
/// Returns the squared length of each row.
Vector squared_row_norms(const MatrixRef& a);
/// Returns max |A_ij| of a matrix that is not empty.
double largest_magnitude(const Matrix& a);

}  // namespace spca
