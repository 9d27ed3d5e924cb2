#pragma once

/// Parts of dense matrices that lists of indices select, behind plain functions. Eigen's own
/// indexed views are templates over the lists, and slow to compile. Indices may be in any order and
/// may repeat.

#include <span>

#include "spca/base/types.h"
#include "spca/dense/dense_products.h"

namespace spca {

/// Returns 0, 1, ..., count - 1: all variables, if p is `count`.
std::vector<Index> all_variables(Index count);
/// Returns 0, 1, ..., count - 1 as the candidates of a search, which are numbered by int.
std::vector<int> all_candidates(Index count);
/// Returns the k-th largest of the values, 1 <= k <= number of values. Reorders the values: none
/// before the k-th is smaller than it, and none behind it is larger.
double kth_largest(std::span<double> values, Index k);
/// Returns `start` plus the `count` largest of the values; plus all of them, if there are fewer.
/// Reorders the values: the largest come first, in any order, and then the largest of the others.
double sum_of_largest(std::span<double> values, Index count, double start = 0);
/// Returns A_IJ.
Matrix selected(const MatrixRef& a, const std::vector<Index>& rows,
                const std::vector<Index>& columns);
/// Returns the rows I of A.
Matrix selected_rows(const MatrixRef& a, const std::vector<Index>& rows);
/// Returns the columns J of A.
Matrix selected_columns(const MatrixRef& a, const std::vector<Index>& columns);
/// Returns w_I.
Vector selected_entries(const VectorRef& w, const std::vector<Index>& positions);
/// Sets w_I to `entries`, which are |I| numbers. I is `positions`.
void set_entries(Eigen::Ref<Vector> w, const std::vector<Index>& positions,
                 const VectorRef& entries);
/// Adds `entries`, which are |I| numbers, to w_I. I is `positions`.
void add_entries(Eigen::Ref<Vector> w, const std::vector<Index>& positions,
                 const VectorRef& entries);

}  // namespace spca
