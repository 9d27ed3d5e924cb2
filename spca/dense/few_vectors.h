#pragma once

/// Products of a large dense matrix with few vectors. A general product first copies the matrix
/// into blocks of an order of its own. For few vectors that takes longer than the product itself.

#include "spca/dense/dense_products.h"

namespace spca {

/// The instructions of a processor that a product may use. The last digits of results differ.
enum class Instructions { kBest, kOfEveryProcessor };

/// Returns AV for A of m x p and V of p x b. Reads A once. Shares the rows of A among
/// allowed_threads(); each entry is the same for any number of them.
Matrix times_few_vectors(const MatrixRef& a, const MatrixRef& v,
                         Instructions instructions = Instructions::kBest);

/// Returns A'T for A of m x p and T of m x b, as times_few_vectors() does, but shares the columns
/// of A among the threads.
Matrix transposed_times_few_vectors(const MatrixRef& a, const MatrixRef& t,
                                    Instructions instructions = Instructions::kBest);

}  // namespace spca
