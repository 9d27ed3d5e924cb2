#pragma once

/// The core: some variables, with S of them formed. Local searches on a dense matrix work there if
/// S as a whole is too large. They name variables by their positions in the core.

#include "spca/covariance/covariance.h"

namespace spca {

class Core {
 public:
  /// `covariance` is S and must outlive the core, which is empty at first.
  explicit Core(const Covariance& covariance) : covariance_(covariance) {}

  /// Replaces the variables. They come in any order, and equal ones count once.
  void set(Support variables);
  /// Adds variables, in any order. Returns false if all of them are there already; otherwise
  /// positions may change.
  bool add(const Support& variables);

  /// The variables, ascending.
  const Support& variables() const { return variables_; }
  /// S of these variables.
  const Matrix& matrix() const { return matrix_; }
  Index size() const { return std::ssize(variables_); }
  /// Returns whether the core has all variables of S.
  bool is_whole() const { return size() == covariance_.variables(); }

  /// Returns the positions of variables of the core.
  std::vector<Support> positions(std::vector<Support> supports) const;
  /// Returns the variables at these positions.
  std::vector<Support> at(std::vector<Support> positions) const;

 private:
  const Covariance& covariance_;
  Support variables_;
  Matrix matrix_;
};

}  // namespace spca
