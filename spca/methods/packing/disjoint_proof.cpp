#include "spca/methods/packing/disjoint_proof.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/dense/dense_decompositions.h"
#include "spca/methods/ascent/priced_supports.h"
#include "spca/methods/pairs/pair_bound.h"

namespace spca {

std::map<Index, Index> counts_of(const std::vector<Index>& cardinality) {
  std::map<Index, Index> counts;
  for (const Index k : cardinality) {
    ++counts[k];
  }
  return counts;
}

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_charge(const SubsetCharge& one) {
  const Support& variables = one.row.variables;
  return one.charge >= 0 && one.row.divisor >= 1 &&
         std::is_sorted(variables.begin(), variables.end(), std::less_equal<>());
}

class ProofCheck {
 public:
  ProofCheck(const Matrix& matrix, const std::vector<Index>& cardinality,
             const DisjointProof& proof, const OutsideVariables& outside, Budget& budget)
      : matrix_(matrix),
        counts_(counts_of(cardinality)),
        proof_(proof),
        budget_(budget),
        pricer_(matrix, outside, counts_.rbegin()->first),
        rounding_(kPricingRounding * symmetric_eigenvalues(matrix)[matrix.rows() - 1]) {}

  /// Bounds the node at this index, for problems that satisfy the rules.
  double bound(std::size_t position, const PairRules& rules) {
    // In a tree no node has two parents. Without this a proof could have more paths than nodes.
    if (++visited_ > proof_.nodes.size()) {
      return kInfinity;
    }
    const DisjointProof::Node& node = proof_.nodes[position];
    if (node.pair.first < 0) {
      return bound_by_prices(node, rules);
    }
    // Children come after their parents, so there is no cycle.
    const auto is_child = [&](Index child) {
      return child > static_cast<Index>(position) && child < std::ssize(proof_.nodes);
    };
    const bool is_pair = node.pair.first < node.pair.second && node.pair.second < matrix_.rows();
    if (!is_pair || !is_child(node.together) || !is_child(node.apart)) {
      return kInfinity;
    }
    PairRules together = rules;
    together.together.push_back(node.pair);
    PairRules apart = rules;
    apart.apart.push_back(node.pair);
    return std::max(bound(static_cast<std::size_t>(node.together), together),
                    bound(static_cast<std::size_t>(node.apart), apart));
  }

 private:
  double bound_by_prices(const DisjointProof::Node& node, const PairRules& rules) {
    if (node.prices.size() != matrix_.rows() || !(node.prices.minCoeff() >= 0) ||
        !std::all_of(node.charges.begin(), node.charges.end(), is_charge)) {
      return kInfinity;
    }
    if (!node.enumerated.empty()) {
      return bound_by_enumeration(node, rules);
    }
    double bound = node.prices.sum() + most_charged(node.charges);
    for (const auto& [k, count] : counts_) {
      const auto position = node.pricing.find(k);
      const double most =
          position == node.pricing.end()
              ? kInfinity
              : check_charged(pricer_, matrix_.rows(), {.prices = node.prices, .rules = rules},
                              node.charges, position->second, k, count, budget_);
      bound += static_cast<double>(count) * (std::max(0.0, most) + rounding_);
    }
    return bound;
  }

  double bound_by_enumeration(const DisjointProof::Node& node, const PairRules& rules) {
    EnumeratedProblem problem{
        .prices = node.prices, .rules = rules, .counts = counts_, .rounding = rounding_};
    double bound = node.prices.sum();
    bool is_complete = true;
    for (const auto& [k, count] : counts_) {
      const auto target = node.enumerated.find(k);
      if (target == node.enumerated.end() || !std::isfinite(target->second)) {
        return kInfinity;
      }
      problem.supports[k] = pricer_.enumerate(
          {.prices = node.prices, .target = std::max(0.0, target->second), .rules = rules}, k,
          count, kMostEnumerated, budget_);
      bound += static_cast<double>(count) * (problem.supports[k].bound + rounding_);
      is_complete = is_complete && problem.supports[k].is_complete;
    }
    const auto keep_going = [this] { return budget_.next(); };
    return is_complete ? std::min(bound, solve_enumerated(problem, 0, keep_going).bound()) : bound;
  }

  const Matrix& matrix_;
  std::map<Index, Index> counts_;
  const DisjointProof& proof_;
  Budget& budget_;
  std::size_t visited_ = 0;  // number of nodes
  SupportPricer pricer_;
  double rounding_;
};

}  // namespace

double check_disjoint_proof(const Matrix& matrix, const std::vector<Index>& cardinality,
                            const DisjointProof& proof, const OutsideVariables& outside,
                            Budget& budget) {
  // The bound by pairs takes one or two eigendecompositions; the other may take all the time.
  const double by_pairs = pair_bound_at(matrix, cardinality, outside, proof.pairs);
  return proof.nodes.empty()
             ? by_pairs
             : std::min(by_pairs,
                        ProofCheck(matrix, cardinality, proof, outside, budget).bound(0, {}));
}

}  // namespace spca
