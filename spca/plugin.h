#pragma once

/// Everything that the file of a solver needs, in this project or in another repository: the
/// contract (solver.h), products with S (covariance.h), top-k and thresholding (sparsify.h),
/// eigenvectors and refits (eigenpairs.h), dense decompositions, and random numbers.

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
