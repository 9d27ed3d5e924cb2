#pragma once

/// Everything that the file of a solver needs, in this project or in another repository:
///
///   solver.h                 the contract
///   covariance.h             products with S
///   sparsify.h               top-k and thresholding
///   eigenpairs.h             eigenvectors and refits
///   dense_decompositions.h   decompositions of small matrices
///   random.h                 random numbers

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/covariance/covariance.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/sparsify.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/unoptimised_sources.h"

#if !defined(__OPTIMIZE__) && defined(__BASE_FILE__)
namespace spca {
namespace {
[[maybe_unused]] const bool is_noted_as_unoptimised =
    (unoptimised_sources().emplace_back(__BASE_FILE__), true);
}  // namespace
}  // namespace spca
#endif
