#pragma once

/// A number by which the data of an instance are recognised.

#include "spca/covariance/covariance.h"

namespace spca {

/// Returns x'Sx for x_i = 2 frac((i + 1) c) - 1, i = 0 ... p - 1, where c = 0.6180339887498949: no
/// two variables have the same x_i, so that it depends on each entry of S and on their order. Takes
/// one product with S.
double fingerprint(const Covariance& covariance);

}  // namespace spca
