#pragma once

/// The two searches for the best support by turns, among few enough variables that S is formed.
/// squares_tree.h bounds by sums of squares, relaxation_tree.h by the relaxation for a given
/// cardinality. They share the best support and the least bound; the search is over as soon as one of
/// them is.

#include <functional>
#include <memory>
#include <optional>

#include "spca/methods/bounds/relaxation_tree.h"
#include "spca/methods/bounds/squares_tree.h"

namespace spca {

class SearchByTurns {
 public:
  /// `matrix`: S; `start`: k of its variables, the best support known. Both must outlive the search.
  /// `keep_going` is asked in long steps, and from several threads.
  SearchByTurns(const Matrix& matrix, const Support& start, SupportPricing pricing,
                std::function<bool()> keep_going);
  /// The same if the caller has factored S (factored_covariance.h).
  SearchByTurns(const Matrix& matrix, std::shared_ptr<const FactoredCovariance> factor,
                const Support& start, SupportPricing pricing, std::function<bool()> keep_going);

  /// Whether the best support is an optimum, or none exceeds the target.
  bool is_finished() const {
    return squares_.is_finished() || (relaxations_ && relaxations_->is_finished());
  }

  /// What the next advance() is: S is factored, the relaxation of the root is bounded, or subtrees
  /// are searched.
  enum class Step { kFactor, kRoot, kSubtrees };
  Step next_step() const;
  /// Bounds the root as far as `keep_going`, asked before each step of it, says so.
  void advance(int threads, const std::function<bool()>& keep_going);

  double value() const { return squares_.value(); }
  /// No support has a larger value, unless the target is larger: then none exceeds that.
  double bound() const;
  const Support& support() const { return squares_.support(); }
  /// Takes in a bound that was found elsewhere.
  void limit(double bound) { squares_.limit(bound); }

  /// Multiplications so far, roughly, of both.
  double work() const { return squares_.work() + (relaxations_ ? relaxations_->work() : 0); }

  const SquaresTree& squares() const { return squares_; }
  /// Null if its turn has not come.
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
