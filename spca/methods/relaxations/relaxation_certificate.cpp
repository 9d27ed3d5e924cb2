#include "spca/methods/relaxations/relaxation_certificate.h"

#include <algorithm>
#include <limits>

#include "spca/dense/dense_decompositions.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/relaxations/factored_covariance.h"
#include "spca/methods/relaxations/support_family.h"

namespace spca {
namespace {

SettledVariables settle_point(const FactoredCovariance& factor, Index k, double limit,
                              const Vector& prices, const RelaxationPoint& point,
                              const std::vector<DirectionCut>& cuts, const SupportFamily& family,
                              const std::function<bool()>& keep_going) {
  const DirectionCuts known(cuts, point.multipliers, 1);
  if (prices.size() == 0) {
    return settle_family(factor, family, k, point, known, limit, 1, keep_going);
  }
  CardinalityRelaxation relaxation = relaxation_on(factor, family, k, prices);
  relaxation.set(point);
  return settle_variables(relaxation, known, limit, 1, keep_going);
}

/// Settles variables by the point, repeatedly as long as that changes the family; `bound` falls to
/// the least bound found. Returns false if no support above the limit is left.
bool settle_at(const FactoredCovariance& factor, Index k, double limit, const Vector& prices,
               const PairRules& rules, const RelaxationPoint& point,
               const std::vector<DirectionCut>& cuts, SupportFamily& family, double& bound,
               const std::function<bool()>& keep_going) {
  while (rules.apply(family.chosen, family.candidates) && !family.is_empty(k) &&
         !family.is_support(k) && point.y.rows() == factor.dimension() && keep_going()) {
    const SettledVariables settled =
        settle_point(factor, k, limit, prices, point, cuts, family, keep_going);
    bound = std::min(bound, settled.bound);
    if (!(bound > limit)) {
      return false;
    }
    if (!family.settle(settled)) {
      return true;
    }
  }
  return rules.apply(family.chosen, family.candidates) && !family.is_empty(k);
}

bool holds(const std::vector<int>& variables, int variable) {
  return std::find(variables.begin(), variables.end(), variable) != variables.end();
}

}  // namespace

double RelaxationCertificate::bound(const Matrix& matrix) const {
  const Index k = std::ssize(support);
  return bound(*factor_covariance(matrix),
               symmetric_eigenvalues(principal_submatrix(matrix, support))[k - 1],
               [] { return true; });
}

double RelaxationCertificate::bound(const FactoredCovariance& factor, double value,
                                    const std::function<bool()>& keep_going) const {
  return bound(factor, {.target = value}, keep_going);
}

// Invariant of the walk: every allowed support of k variables whose value exceeds the limit is in a
// family on the stack, or its value is at most `bound`. A family leaves the stack in one of these
// ways: its relaxation is at most the limit; one support is left, and its value is computed; the
// family is split by a variable, or by parts that cover all directions; or `bound` rises to the
// bound of the family.
double RelaxationCertificate::bound(const FactoredCovariance& factor, const SupportPricing& pricing,
                                    const std::function<bool()>& keep_going) const {
  const Index k = std::ssize(support);
  const Vector prices = pricing.prices / factor.unit();
  const double limit =
      prices.size() > 0 ? factor.priced_limit(pricing.target) : factor.limit(pricing.target);
  // In units of the factor, whose excess is added at the end.
  double bound = pricing.target / factor.unit() - factor.excess();
  struct Open {
    Index node;
    SupportFamily family;
    double bound;
    std::vector<DirectionCut> cuts = {};
  };
  std::vector<Open> stack;
  stack.push_back({.node = 0,
                   .family = SupportFamily::all(factor.variables()),
                   .bound = std::numeric_limits<double>::infinity()});
  while (!stack.empty()) {
    Open at = std::move(stack.back());
    stack.pop_back();
    bool is_open = true;
    static const Node kUnknown;
    const Node& node =
        at.node < 0 || nodes.empty() ? kUnknown : nodes.at(static_cast<std::size_t>(at.node));
    for (const auto& point : node.points) {
      is_open = is_open && settle_at(factor, k, limit, prices, pricing.rules, *point, at.cuts,
                                     at.family, at.bound, keep_going);
    }
    if (!is_open || !pricing.rules.apply(at.family.chosen, at.family.candidates) ||
        at.family.is_empty(k)) {
      continue;
    }
    if (at.family.is_support(k)) {
      const Support one = at.family.support(k);
      if (!pricing.rules.allow(one)) {
        continue;
      }
      const double paid = prices.size() > 0 ? prices(one).sum() : 0;
      bound = std::max(bound, std::min(at.bound, largest_variance_on(factor, one) - paid));
      continue;
    }
    if (node.branch != nullptr && node.branch->basis.rows() == factor.dimension() &&
        node.branch->basis.cols() == 2 && keep_going()) {
      for (int part = 0; part < kDirectionParts; ++part) {
        Open child = at;
        child.node = node.parts.at(static_cast<std::size_t>(part));
        child.cuts.push_back(direction_cut(node.branch, part));
        stack.push_back(std::move(child));
      }
      continue;
    }
    if (node.variable < 0 || !keep_going()) {
      bound = std::max(bound, at.bound);
      continue;
    }
    // The points here may have settled the branching variable of the search: then one child is the
    // whole family, and the other child is empty.
    const bool is_free = holds(at.family.candidates, node.variable);
    const bool is_out = !is_free && !holds(at.family.chosen, node.variable);
    if (is_free || is_out) {
      Open without = at;
      without.node = node.without;
      without.family.branch(node.variable, false);
      stack.push_back(std::move(without));
    }
    if (!is_out) {
      at.node = node.with;
      at.family.branch(node.variable, true);
      stack.push_back(std::move(at));
    }
  }
  return factor.unit() * (bound + factor.excess());
}

}  // namespace spca
