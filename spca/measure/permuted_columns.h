#pragma once

/// Data without correlations: the entries of every column are permuted independently. The columns
/// keep their means and variances, so that the remaining spread of the eigenvalues is due to
/// chance.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "spca/covariance/covariance.h"
#include "spca/covariance/data_view.h"

namespace spca {

/// Draws S of data with permuted columns. Sparse data stay sparse: the nonzeros of a column move to
/// other rows. Genotypes stay two bits each. No p x p matrix is formed.
class PermutedColumns {
 public:
  /// Reads the data of `covariance`, which must outlive this object. Sparse values are copied once
  /// by columns.
  explicit PermutedColumns(const Covariance& covariance);

  /// Returns false if S does not hold its data (DataView), or if the data have more nonzeros than a
  /// sparse matrix can index: nothing can be drawn then.
  bool is_possible() const { return view_.has_value(); }
  /// Returns S of one permutation. The same seed gives the same S. Costs one copy of the data.
  std::shared_ptr<const Covariance> draw(std::uint64_t seed) const;

 private:
  /// The nonzero entries of sparse data by columns; their rows are drawn.
  struct ColumnValues {
    std::vector<std::int64_t> starts;  // p + 1
    std::vector<double> values;
  };
  void read_columns();
  std::shared_ptr<const Covariance> draw_dense(std::uint64_t seed) const;
  std::shared_ptr<const Covariance> draw_sparse(std::uint64_t seed) const;
  std::shared_ptr<const Covariance> draw_genotypes(std::uint64_t seed) const;

  Index samples_;
  Index variables_;
  std::optional<DataView> view_;
  ColumnValues columns_;  // of sparse data
};

}  // namespace spca
