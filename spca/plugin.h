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

#include "spca/algebra/covariance.h"
#include "spca/algebra/dense_decompositions.h"
#include "spca/algebra/eigenpairs.h"
#include "spca/algebra/sparsify.h"
#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/solving/solver.h"
