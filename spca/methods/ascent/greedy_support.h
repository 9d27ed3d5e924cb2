#pragma once

/// Greedy supports, one variable at a time, with S_II and its leading eigenpair (lambda, v).
///
/// Source  d'Aspremont, Bach, El Ghaoui, ICML 2007 and JMLR 2008 (growing); Moghaddam, Weiss,
///         Avidan, NIPS 2006 (shrinking)

#include <vector>

#include "spca/covariance/covariance.h"
#include "spca/dense/leading_eigenpair.h"

namespace spca {

/// One entry for each variable.
using VariableFlags = Eigen::Array<bool, Eigen::Dynamic, 1>;
/// Returns the variables whose flag is set, ascending.
std::vector<Index> indices_of(const VariableFlags& flags);

/// A support that variables enter. It stores the data for the choice of the next one.
class GrowingSupport {
 public:
  /// Starts with the variable `first` and grows up to `capacity` variables; others come from
  /// `candidates`. grow_exactly() requires `keep_columns`. `covariance` outlives the object.
  GrowingSupport(const Covariance& covariance, const VariableFlags& candidates, Index first,
                 Index capacity, bool keep_columns);

  /// Returns v; exact zeros are left out.
  Component component() const;
  double value() const { return pair_.value; }
  bool has_candidates() const { return candidate_.any(); }

  /// Adds the candidate i of largest (S_{i,I} v)^2, or that of largest variance if no candidate
  /// covaries with v.
  void grow_approximately();
  /// Adds the candidate i of largest lambda_max(S_{I+i}). Bounds rule most candidates out before
  /// their eigenproblem is solved; they change no choice.
  void grow_exactly();

 private:
  struct Bounds;
  Bounds bounds_of_candidates(double second) const;
  Vector column_of(Index i) const;
  Matrix bordered(Index i, const Vector& border) const;
  LeadingEigenpair extended(const Matrix& matrix) const;
  void append(Index i, const Vector& column, LeadingEigenpair pair);

  const Covariance& covariance_;
  std::vector<Index> order_;  // in which the variables entered
  Matrix matrix_;             // its leading |I| x |I| corner is S_II
  Matrix columns_;            // S_{I,:}, its leading |I| rows
  LeadingEigenpair pair_;
  Vector product_;  // S v
  VariableFlags candidate_;
  Vector squared_norms_;  // ||S_{I,i}||^2 of every i
};

/// A support that variables leave.
class ShrinkingSupport {
 public:
  /// Starts with `variables`, ascending and not empty.
  ShrinkingSupport(const Covariance& covariance, std::vector<Index> variables);

  /// Returns v; exact zeros are left out.
  Component component() const;
  double value() const { return pair_.value; }
  Index size() const { return matrix_.cols(); }

  /// Removes the variable i whose v_i^2 (lambda - S_ii) / (1 - v_i^2) is least: lambda less this is
  /// a lower bound on lambda_max(S_{I-i}).
  void shrink();
  /// Removes the variable i that leaves the largest lambda_max(S_{I-i}). Bounds rule out most
  /// candidates before their eigenproblem is solved; they change no choice.
  void shrink_exactly();

 private:
  Matrix matrix_without(Index removed) const;
  LeadingEigenpair pair_without(Index removed, const Matrix& matrix) const;
  void remove(Index removed, Matrix matrix, LeadingEigenpair pair);

  std::vector<Index> order_;
  Matrix matrix_;
  LeadingEigenpair pair_;
};

}  // namespace spca
