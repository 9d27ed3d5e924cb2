#include "spca/methods/pairs/one_component_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "spca/methods/relaxations/factored_covariance.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca {
namespace {

// The limits of effort were chosen by trial, not measured.

// With more variables a node takes seconds.
constexpr Index kMostVariables = 600;
// Number of multiplications of the other searches before the first turn: about a second.
constexpr double kFirstTurn = 1e9;
// A node takes about as long as this multiple of p^3 multiplications, and the first one as long as
// some nodes.
constexpr double kWorkOfNode = 100;
constexpr double kNodesOfRoot = 5;
// Exceeds the rounding of a bound by pairs, relative to the value.
constexpr double kRoundingOfProof = 1e-10;

class OneComponentCertificate final : public BoundCertificate {
 public:
  OneComponentCertificate(Support variables, OverlapProof proof)
      : variables_(std::move(variables)), proof_(std::move(proof)) {}

 protected:
  double do_check(const Covariance& covariance, Index k, Budget& budget) const override {
    if (variables_ != varying_variables(covariance)) {
      return std::numeric_limits<double>::infinity();
    }
    const auto size = std::ssize(variables_);
    const std::vector<Index> cardinality = {std::min(k, size)};
    return check_overlap_proof(covariance.submatrix(variables_), cardinality,
                               PairConditions::shared(cardinality, size), proof_, budget);
  }

 private:
  Support variables_;  // ascending
  OverlapProof proof_;
};

}  // namespace

OneComponentTree::OneComponentTree(const Matrix& matrix, const PairConditions& conditions,
                                   double target)
    : work_of_node_(kWorkOfNode * std::pow(static_cast<double>(matrix.rows()), 3)),
      tree_(matrix, {conditions.k}, conditions, target),
      due_(std::max(kFirstTurn, kNodesOfRoot * work_of_node_)) {}

OneComponentTree::OneComponentTree(const Matrix& matrix, Index k, double value)
    : OneComponentTree(matrix, PairConditions::shared({k}, matrix.rows()),
                       value + kBoundRounding * std::abs(value)) {
  due_ = kFirstTurn;
}

bool OneComponentTree::is_possible(Index p) { return p >= 2 && p <= kMostVariables; }

bool OneComponentTree::is_possible(const Covariance& covariance, const Support& variables) {
  return is_possible(std::ssize(variables)) && variables == varying_variables(covariance);
}

void OneComponentTree::advance(double work, int threads, Budget& budget) {
  Budget own({.seconds = budget.seconds_left(), .iterations = std::numeric_limits<Index>::max()});
  const Index before = nodes();
  tree_.run(before + 1, threads, own);
  // It may also end because a larger proof would take too much memory.
  const bool is_at_end = tree_.is_finished() || nodes() == before;
  const double added = before == 0 ? kNodesOfRoot : static_cast<double>(nodes() - before);
  due_ = is_at_end ? std::numeric_limits<double>::infinity() : work + work_of_node_ * added;
}

bool OneComponentTree::proves(double value) const {
  return bound() <= value + kRoundingOfProof * std::abs(value);
}

std::shared_ptr<const BoundCertificate> OneComponentTree::certificate(
    const Support& variables) const {
  return std::make_shared<OneComponentCertificate>(variables, tree_.proof());
}

}  // namespace spca
