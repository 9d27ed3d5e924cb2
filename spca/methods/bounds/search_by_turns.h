#pragma once

/// The two searches for the best support in turns, among few enough variables that S is formed.
/// squares_tree.h bounds by sums of squares, relaxation_tree.h by the relaxation for a given
/// cardinality. They share the best support; the bound is the least of both, and the search ends
/// when one of them ends.

#include <functional>
#include <memory>
#include <optional>

#include "spca/methods/bounds/relaxation_tree.h"
#include "spca/methods/bounds/squares_tree.h"

namespace spca {

class SearchByTurns {
 public:
  /// `matrix`: S, which must outlive the search; `start`: k of its variables, the best support
  /// known. `keep_going` is called in long steps, and from several threads.
  SearchByTurns(const Matrix& matrix, const Support& start, SupportPricing pricing,
                std::function<bool()> keep_going);
  /// The same constructor for an S that the caller has factored (factored_covariance.h).
  SearchByTurns(const Matrix& matrix, std::shared_ptr<const FactoredCovariance> factor,
                const Support& start, SupportPricing pricing, std::function<bool()> keep_going);

  /// Returns true if the best support is an optimum, or none exceeds the target.
  bool is_finished() const {
    return squares_.is_finished() || (relaxations_ && relaxations_->is_finished());
  }

  /// The next step of advance(): S is factored, the relaxation of the root is bounded, or subtrees
  /// are searched.
  enum class Step { kFactor, kRoot, kSubtrees };
  Step next_step() const;
  /// Makes the next step. `keep_going` is called before each step of bounding the root; false
  /// stops.
  void advance(int threads, const std::function<bool()>& keep_going);

  double value() const { return squares_.value(); }
  /// An upper bound on the value of every support, or the target if that is larger.
  double bound() const;
  const Support& support() const { return squares_.support(); }
  /// Lowers the bound to one found elsewhere, which only the search by squares uses.
  void limit(double bound) { squares_.limit(bound); }

  /// Number of multiplications of both searches so far, roughly.
  double work() const { return squares_.work() + (relaxations_ ? relaxations_->work() : 0); }

  const SquaresTree& squares() const { return squares_; }
  /// Null before its first turn.
  const RelaxationTree* relaxations() const { return relaxations_ ? &*relaxations_ : nullptr; }

 private:
  void share();

  const Matrix& matrix_;
  std::shared_ptr<const FactoredCovariance> factor_;  // null: not factored
  SupportPricing pricing_;
  std::function<bool()> keep_going_;
  SquaresTree squares_;
  std::optional<RelaxationTree> relaxations_;
};

}  // namespace spca
