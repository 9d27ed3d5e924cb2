#pragma once

/// Numbers that several metrics need of the same loadings, computed once for an answer. With dense
/// loadings of large data, each of these numbers takes a pass over the data.

#include <optional>
#include <vector>

#include "spca/base/types.h"
#include "spca/covariance/covariance.h"

namespace spca {

/// Everything is computed on first use. For one thread.
class AnswerVariances {
 public:
  /// Both arguments must outlive the object.
  AnswerVariances(const Covariance& covariance, const std::vector<Component>& components)
      : covariance_(covariance), components_(components) {}

  /// v_j'Sv_j, by Covariance::quadratic_form(), for each of the r components.
  const std::vector<double>& of_components() const;
  /// V'SV, r x r (variance_matrix()).
  const Matrix& matrix() const;
  /// V'V, r x r (loadings_gram()).
  const Matrix& gram() const;

 private:
  const Covariance& covariance_;
  const std::vector<Component>& components_;
  mutable std::optional<std::vector<double>> of_components_;
  mutable std::optional<Matrix> matrix_;
  mutable std::optional<Matrix> gram_;
};

}  // namespace spca
