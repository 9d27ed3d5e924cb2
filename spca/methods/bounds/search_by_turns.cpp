#include "spca/methods/bounds/search_by_turns.h"

#include <algorithm>

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// The search by squares runs alone until its work equals that of factoring S, this multiple of p^3,
// and then until it equals that of relaxing the root. So easy problems avoid the cost of the
// relaxation, and hard ones spend at most about half of their work on the squares before it begins.
constexpr double kFactorWork = 1.0 / 8;
// After that, the search by the relaxation may do at most this multiple of the work of the search
// by squares.
constexpr double kRelaxationsShare = 4;
// At most this number of variables: a larger S is not factored.
constexpr Index kLargestRelaxed = 1500;

}  // namespace

SearchByTurns::SearchByTurns(const Matrix& matrix, const Support& start, SupportPricing pricing,
                             std::function<bool()> keep_going)
    : SearchByTurns(matrix, nullptr, start, std::move(pricing), std::move(keep_going)) {}

SearchByTurns::SearchByTurns(const Matrix& matrix, std::shared_ptr<const FactoredCovariance> factor,
                             const Support& start, SupportPricing pricing,
                             std::function<bool()> keep_going)
    : matrix_(matrix),
      factor_(std::move(factor)),
      pricing_(std::move(pricing)),
      keep_going_(std::move(keep_going)),
      squares_(matrix, start, pricing_, keep_going_) {}

double SearchByTurns::bound() const {
  if (is_finished()) {
    return std::max(value(), pricing_.target);
  }
  return std::min(squares_.bound(), relaxations_ ? relaxations_->bound() : squares_.bound());
}

/// The search by squares is usually faster for small k, and the search by the relaxation for large
/// k. Because the better one is not known in advance, neither does more than a few times the work
/// of the other.
SearchByTurns::Step SearchByTurns::next_step() const {
  const auto p = static_cast<double>(matrix_.rows());
  // The factor of S needs a positive variance. An indefinite S may have none.
  if (!relaxations_ && matrix_.rows() <= kLargestRelaxed && matrix_.diagonal().maxCoeff() > 0 &&
      squares_.work() > kFactorWork * p * p * p) {
    return Step::kFactor;
  }
  if (relaxations_ && !relaxations_->has_begun() && squares_.work() > relaxations_->begin_work()) {
    return Step::kRoot;
  }
  return Step::kSubtrees;
}

void SearchByTurns::advance(int threads, const std::function<bool()>& keep_going) {
  const Step step = next_step();
  if (step == Step::kFactor) {
    if (factor_ == nullptr) {
      factor_ = factor_covariance(matrix_, keep_going_);
    }
    if (factor_ == nullptr) {
      return;
    }
    relaxations_.emplace(factor_, matrix_, squares_.support(), pricing_);
  } else if (step == Step::kRoot) {
    relaxations_->begin(keep_going);
  } else if (relaxations_ && relaxations_->can_advance() &&
             relaxations_->work() <= kRelaxationsShare * squares_.work()) {
    relaxations_->advance(threads, keep_going_);
  } else {
    squares_.advance(threads);
  }
  share();
}

/// Passes the better of the two supports to both searches, and the bound of the search by the
/// relaxation to the search by squares.
void SearchByTurns::share() {
  if (!relaxations_) {
    return;
  }
  squares_.consider(relaxations_->support(), relaxations_->value());
  if (is_finished()) {
    return;
  }
  if (squares_.value() > relaxations_->value()) {
    relaxations_->consider(squares_.support());
  }
  squares_.limit(relaxations_->bound());
}

}  // namespace spca
