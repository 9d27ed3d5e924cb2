#pragma once

/// The data behind an S as they are stored, for callers that split them by rows.

#include <optional>

#include "spca/covariance/covariance.h"
#include "spca/covariance/genotypes.h"
#include "spca/covariance/sparse_arrays.h"

namespace spca {

/// One of `dense`, `rows` and `genotypes` is not null. All pointers are valid as long as S is.
struct DataView {
  const Matrix* dense = nullptr;         // sqrt(scale) (X - 1m'): centred and scaled already
  const SparseArrays* rows = nullptr;    // X - 1c', neither centred nor scaled
  const Vector* shifts = nullptr;        // c; null if it is zero, or if the form is centred
  const Genotypes* genotypes = nullptr;  // X, to be standardised
  DataForm form = {};
};

/// The interface of every S that holds X itself.
class HoldsData {
 public:
  virtual ~HoldsData() = default;
  virtual DataView data() const = 0;
};

/// Returns the data behind S if it holds any itself: not if S was given or something was deflated.
inline std::optional<DataView> data_of(const Covariance& covariance) {
  const auto* holder = dynamic_cast<const HoldsData*>(&covariance);
  return holder == nullptr ? std::nullopt : std::optional(holder->data());
}

}  // namespace spca
