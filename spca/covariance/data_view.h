#pragma once

/// The data behind an S as they are stored, for callers that split them by rows.

#include <optional>

#include "spca/covariance/covariance.h"
#include "spca/covariance/genotypes.h"
#include "spca/covariance/sparse_arrays.h"

namespace spca {

/// The data in one of three forms: exactly one of `dense`, `rows` and `genotypes` is not null. All
/// pointers are valid as long as S is. If S is standardised, X in `rows` has its columns divided by
/// their deviations.
struct DataView {
  const Matrix* dense = nullptr;         // B of S = B'B: centred, scaled, standardised already
  const SparseArrays* rows = nullptr;    // X - 1c', not centred, without the factor `scale`
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

/// Returns the data behind S if S holds them itself. Returns nothing if S was given, if something
/// was deflated, or if the rows are spread over ranks.
inline std::optional<DataView> data_of(const Covariance& covariance) {
  const auto* holder = dynamic_cast<const HoldsData*>(&covariance);
  return holder == nullptr ? std::nullopt : std::optional(holder->data());
}

}  // namespace spca
