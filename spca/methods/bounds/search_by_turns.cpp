#include "spca/methods/bounds/search_by_turns.h"

#include <algorithm>

namespace spca {
namespace {

// The search by squares runs alone until it has taken as long as the factorisation of S, in units
// of p^3, and then until it has taken as long as the relaxation of the root. So easy problems do
// not pay for the relaxation, and hard ones pay at most twice for the squares.
constexpr double kFactorWork = 1.0 / 8;
// Then the search by the relaxation may take this multiple of the time of that by squares.
constexpr double kRelaxationsShare = 4;
// At most this number of variables for S to be factored.
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

/// It is not known in advance which search is better: the one by squares wins at small k, the other
/// one at large k. Neither costs more than a few times the time of the other.
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

/// Gives both searches the best support and the least bound of the two.
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
