#pragma once

/// The factor of S for data of so many variables that S is not formed: A is the centred and scaled
/// data, as products. Columns of it are formed only if they are few.

#include "spca/algebra/covariance.h"
#include "spca/methods/bounds/best_support.h"
#include "spca/methods/bounds/factored_covariance.h"

namespace spca {

class DataFactor final : public FactoredCovariance {
 public:
  /// S has a data form and a positive variance. `most_entries`: columns of A are formed if they
  /// have no more entries than this, and cheap dense algebra suits them.
  DataFactor(const Covariance& covariance, double most_entries);

  Index dimension() const override { return covariance_.samples(); }
  bool is_formed() const override { return false; }
  Index variables() const override { return covariance_.variables(); }
  std::shared_ptr<const RelaxationColumns> columns(
      const std::vector<int>& variables) const override;
  Matrix formed(const Support& variables) const override;
  Vector products(const Vector& x) const override;

 private:
  const Covariance& covariance_;
  double most_entries_;
};

/// The best support, scored by products with S alone.
class BestByProducts final : public BestSupport {
 public:
  BestByProducts(const Covariance& covariance, Index k) : covariance_(covariance), k_(k) {}

  void offer(const Support& support) override;
  void ascend(const Vector& w) override;
  const Support& support() const override { return support_; }
  double value() const override { return value_; }

 private:
  const Covariance& covariance_;
  Index k_;
  double value_ = 0;
  Support support_;
};

}  // namespace spca
