#pragma once

/// The factor of S for more variables than a search with tables of S can have: A is the centred and
/// scaled data, used only in products. Columns of A are formed only if they are few. If S itself is
/// given, a factor of S by pivoted Cholesky replaces the data.

#include <functional>
#include <memory>

#include "spca/covariance/covariance.h"
#include "spca/methods/bounds/best_support.h"
#include "spca/methods/relaxations/factored_covariance.h"

namespace spca {

class DataFactor final : public FactoredCovariance {
 public:
  /// S has a data form and a positive variance. `max_entries`: columns of A are formed if they
  /// have at most this number of entries and are suited to dense algebra.
  DataFactor(const Covariance& covariance, double max_entries);
  /// Makes the factor of an S that is given itself: `rows` holds an approximate factor. With S' the
  /// covariance of `rows`, lambda_max((S - S')_II) <= excess for every I.
  DataFactor(std::shared_ptr<const Covariance> rows, double excess, double max_entries);

  Index dimension() const override { return covariance_.samples(); }
  bool is_formed() const override { return false; }
  Index variables() const override { return covariance_.variables(); }
  std::shared_ptr<const RelaxationColumns> columns(
      const std::vector<int>& variables) const override;
  Matrix formed(const Support& variables) const override;
  Vector squared_lengths() const override { return covariance_.diagonal() / unit_; }
  Vector products(const Vector& x) const override;

 private:
  std::shared_ptr<const Covariance> rows_;  // null if the data are the caller's
  const Covariance& covariance_;
  double max_entries_;
};

/// At most this number of variables of a given S: its factor may have as many entries as S.
inline constexpr Index kMostFactored = 10'000;

/// Returns the factor of S for a search without tables of S: the data if there are any, otherwise
/// the factor by pivoted Cholesky, O(p^2 rank) with p x rank entries. Rounding and negative
/// eigenvalues of S count as excess. Null if S itself is given with more than kMostFactored
/// variables or without variance, or if `keep_going`, called before each row and each block of
/// columns, returns false.
std::unique_ptr<DataFactor> factor_beyond(const Covariance& covariance, double max_entries,
                                          const std::function<bool()>& keep_going);

/// The best support, scored by best_on_support(): without tables of S.
class BestByProducts final : public BestSupport {
 public:
  BestByProducts(const Covariance& covariance, Index k) : covariance_(covariance), k_(k) {}

  void consider(const Support& support) override;
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
