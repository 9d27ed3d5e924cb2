#pragma once

/// Truncated power steps on S with a penalty on directions:
///
///   A = S - sum_s w_s c_s c_s' + shift I
///
/// A is not formed. With a shift of at least sum_s w_s ||c_s||^2 it is positive semidefinite if S
/// is.

#include <limits>

#include "spca/covariance/covariance.h"

namespace spca {

/// A as an operator.
struct PenalisedCovariance {
  const Covariance& covariance;  // S
  Matrix columns;                // c_s
  Vector weights;                // w_s
  double shift = 0;

  /// Returns Av.
  Vector multiply(const Component& v) const;
};

struct PenalisedAscent {
  Component component;                                      // empty if the start is
  double value = -std::numeric_limits<double>::infinity();  // v'Av
};

/// At most this number of steps is taken. Chosen by trial, not measured.
inline constexpr int kMostPenalisedSteps = 100;

/// Takes truncated power steps from `start` until the loadings move by less than 1e-6 on one
/// support.
PenalisedAscent penalised_power(const PenalisedCovariance& matrix, Index k, Component start);

}  // namespace spca
