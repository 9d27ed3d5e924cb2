#pragma once

#include "spca/base/types.h"

namespace spca {

/// The best support of k variables that a search has found.
class BestSupport {
 public:
  virtual ~BestSupport() = default;
  BestSupport() = default;
  BestSupport(const BestSupport&) = delete;
  BestSupport& operator=(const BestSupport&) = delete;

  /// Scores a support of k variables, ascending, by lambda_max(S_II), and stores it if it is the
  /// best.
  virtual void consider(const Support& support) = 0;
  /// Considers the support that truncated power steps from w (p entries) reach.
  virtual void ascend(const Vector& w) = 0;

  /// Empty if no support of positive value was considered.
  virtual const Support& support() const = 0;
  virtual double value() const = 0;
};

}  // namespace spca
