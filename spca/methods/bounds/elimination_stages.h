#pragma once

/// The eliminations of `branch-bound`, in the order in which they are worth their time, and the
/// best component that is known meanwhile. Each leaves a part in one certificate.
///
///   1. the relaxation of the variables of largest variance, or squares (variable_elimination.h)
///   2. for data, a factor that most variables share (one_factor_bound.h)
///   3. a block of strong variables (strong_block.h)

#include "spca/methods/bounds/variable_elimination.h"
#include "spca/solving/budget.h"
#include "spca/solving/problem.h"

namespace spca {

class EliminationStages {
 public:
  /// One component of problem.cardinality[0] variables. `core`: at most this number of variables
  /// for which S is formed. The arguments must outlive the object.
  EliminationStages(const Problem& problem, Index core, Budget& budget)
      : problem_(problem), core_(core), budget_(budget), k_(problem.cardinality[0]) {}

  /// Finds a first component and a first elimination, from products with S alone: for more than
  /// kSearchedWhole variables. Returns false if there is no component, because the time is over.
  bool begin();
  /// Returns the variables that stage 1 leaves.
  VariablesLeft by_relaxation_or_squares() const;
  /// Returns those that stage 2 leaves, and those of the best support, which may improve.
  VariablesLeft by_one_factor();
  /// Returns those that stage 3 leaves, and those of the best support.
  VariablesLeft by_block();
  /// Compares the best component with that of another solver, and exchanges variables. Returns true
  /// if that raised its value.
  bool improve();

  /// Returns true if no support other than the best one remains.
  bool is_settled(const VariablesLeft& left) const {
    return left.variables == certificate_.support;
  }
  const Component& best() const { return best_; }
  const EliminationCertificate& certificate() const { return certificate_; }

 private:
  VariablesLeft with_best_support(const VariablesLeft& left, double value);

  const Problem& problem_;
  Index core_;
  Budget& budget_;
  Index k_;
  Component best_;
  EliminationCertificate certificate_;
};

}  // namespace spca
